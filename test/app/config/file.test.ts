import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConfig } from '../../../app/config/check.ts';
import { defineTool } from '../../../app/index.ts';
import { importFile, notLoaded } from '../../../app/tools/index.ts';
import { block } from '../../support/pages.ts';

const APP = join(import.meta.dirname, '../../../app');
const deps = { now: () => 0 };

const folders: string[] = [];
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-config-'));
  folders.push(folder);
});
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

/** Loads in a process of its own, as the bot does: Node itself reads the file, and what it says of it is what counts. */
async function load(path?: string): Promise<string> {
  const script = `
    import { loadConfigFile } from ${JSON.stringify(pathToFileURL(join(APP, 'config/file.ts')).href)};
    try {
      const config = await loadConfigFile(${JSON.stringify(path)}, { cwd: ${JSON.stringify(folder)}, now: Date.now });
      console.log(JSON.stringify(config));
    } catch (error) { console.log(error.name + ' ' + error.message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim().replaceAll(`${folder}/`, '');
}

function write(name: string, ...lines: readonly string[]): void {
  const app = JSON.stringify(pathToFileURL(join(APP, 'index.ts')).href);
  writeFileSync(join(folder, name), [`import { defineConfig, defineTool } from ${app};`, ...lines].join('\n'));
}

describe('a configuration file', () => {
  it.each(['countersign.config.ts', 'countersign.config.js'])('is found as %s when none is named', async (name) => {
    write(name, 'export default defineConfig({ limits: { turnsPerRun: 7 } });');

    expect(JSON.parse(await load())).toMatchObject({ limits: { turnsPerRun: 7, toolCallsPerTurn: 60 } });
  });

  it('may be named from where the bot is started, and may have types', async () => {
    write('other.ts', 'const turnsPerRun: number = 9;', 'export default defineConfig({ limits: { turnsPerRun } });');

    expect(JSON.parse(await load('./other.ts'))).toMatchObject({ limits: { turnsPerRun: 9 } });
    expect(JSON.parse(await load(join(folder, 'other.ts')))).toMatchObject({ limits: { turnsPerRun: 9 } });
  });

  it('may lie in another repository that links the project, with its tools', async () => {
    mkdirSync(join(folder, 'node_modules'));
    mkdirSync(join(folder, 'tools'));
    symlinkSync(dirname(APP), join(folder, 'node_modules/countersign'));
    cpSync(join(dirname(APP), 'node_modules/zod'), join(folder, 'node_modules/zod'), { recursive: true });
    const example = block('tools', 'ts').replace('../app/index.ts', 'countersign/app/index.ts');
    writeFileSync(join(folder, 'tools/refund-order.ts'), example);
    writeFileSync(
      join(folder, 'countersign.config.ts'),
      `import { defineConfig } from 'countersign/app/index.ts';
       export default defineConfig({ policy: { refund_order: { approvers: ['U0BEN'] } } });`,
    );

    const { tools } = JSON.parse(await load());

    expect(tools).toContainEqual(expect.objectContaining({ name: 'refund_order', approvers: ['U0BEN'] }));
  });

  it('can be absent: then there are the built-in tools and nothing else', async () => {
    const config = JSON.parse(await load());

    expect(config.tools.map(({ name }: { name: string }) => name)).toEqual([
      'ask_person',
      'current_time',
      'fetch_page',
    ]);
    expect(config.times).toMatchObject({ approvalLifetimeMs: 86_400_000, hotMs: 600_000 });
  });

  it('can name a list of tool servers, which must then exist', async () => {
    write('servers.ts', 'export default defineConfig({', "  toolServers: 'servers.json',", '});');

    expect(await load('servers.ts')).toBe(
      'ConfigFileError servers.ts:3: toolServers names servers.json, and there is no such file. Correct it, or leave it out.',
    );
    writeFileSync(join(folder, 'servers.json'), '{}');
    expect(JSON.parse(await load('servers.ts'))).toMatchObject({ toolServers: 'servers.json' });
  });

  it('that is named must exist', async () => {
    expect(await load('gone.ts')).toBe(
      'ConfigFileError gone.ts: there is no such file. Correct COUNTERSIGN_CONFIG, or remove it to run without one.',
    );
  });

  it('that is a folder is refused, and the error asks for the file in it', async () => {
    mkdirSync(join(folder, 'mine'));

    expect(await load('mine')).toBe(
      'ConfigFileError mine: is a folder. Set COUNTERSIGN_CONFIG to the configuration file in it.',
    );
  });

  it.each(['broken.ts', 'broken.js'])('with a syntax error is reported with its line (%s)', async (name) => {
    write(name, '', 'export default defineConfig({', '  tools: [,', '  limits }}', ');');

    expect(await load(name)).toMatch(new RegExp(`^ConfigFileError ${name}:5: cannot be loaded: `));
  });

  it('with a broken import names the file that has it', async () => {
    write('imports.ts', "import './nowhere.ts';", 'export default defineConfig({});');

    expect(await load('imports.ts')).toMatch(/^ConfigFileError imports\.ts.*Cannot find module 'nowhere\.ts'/s);
  });

  it('that awaits something that never comes is reported after a while, and the start does not wait for ever', async () => {
    write('waits.ts', 'await new Promise(() => {});', 'export default defineConfig({});');

    const imported = await importFile(join(folder, 'waits.ts'), 0, 50);
    expect(imported).toMatchObject({ ok: false, place: join(folder, 'waits.ts') });
    expect(!imported.ok && notLoaded(imported)).toBe(
      'cannot be loaded: it still awaits something after 0.05 seconds. Correct the file',
    );
  });

  it('with an invalid tool is reported with the line of the tool', async () => {
    write(
      'tool.ts',
      '',
      'const tools = [',
      "  defineTool({ name: 'a b' }),",
      '];',
      'export default defineConfig({ tools });',
    );

    expect(await load('tool.ts')).toMatch(
      /^ConfigFileError tool\.ts:4: cannot be loaded: Tool "a b" cannot be used: name must be/,
    );
  });

  it.each([
    ["['acme']", 'workspaces[0] is not the id of a workspace (T…) or of an organisation (E…).'],
    ["['T012ABCDE', '*']", 'workspaces[1] is not the id of a workspace (T…) or of an organisation (E…).'],
    ["'everybody'", "workspaces must list the ids of workspaces (T…) and organisations (E…), as in ['T012ABCDE'], or"],
    ['[]', "workspaces must list the ids of workspaces (T…) and organisations (E…), as in ['T012ABCDE'], or"],
  ])('a configuration with workspaces: %s is refused, and the error says why (MF-8)', async (workspaces, why) => {
    write('workspaces.ts', 'export default defineConfig({', `  workspaces: ${workspaces},`, '});');

    expect(await load('workspaces.ts')).toContain(`ConfigFileError workspaces.ts:3: ${why}`);
  });

  it('without a default export is refused, and the error says what to write', async () => {
    write('named.ts', 'export const config = defineConfig({});');

    expect(await load('named.ts')).toBe(
      'ConfigFileError named.ts: has no default export. Write: export default defineConfig({ … }).',
    );
  });

  it('with a promise in place of settings is refused, because a promise holds none', async () => {
    write(
      'countersign.config.ts',
      'export default defineConfig({ limits: { perRun: Promise.resolve({ cards: 3 }) } });',
    );

    expect(await load()).toContain(':2: limits.perRun is a promise. Write await in front of it.');
  });

  it('with a bad value is reported with its line and its place', async () => {
    write('bad.ts', 'export default defineConfig({', '  times: {', '    hotMs: -1,', '  },', '});');

    expect(await load('bad.ts')).toBe('ConfigFileError bad.ts:4: times.hotMs must be above 0.');
  });

  it('with a word that is no setting is reported with its line, and the setting that it is like', async () => {
    write('slip.ts', 'export default defineConfig({', '  limits: {', '    perRun: { crads: 3 },', '  },', '});');

    expect(await load('slip.ts')).toBe(
      'ConfigFileError slip.ts:4: limits.perRun.crads is not a setting. Did you mean cards? Correct it, or remove it.',
    );
  });

  it('with a guarded tool that no person could approve is reported with its line (P35)', async () => {
    write(
      'guarded.ts',
      'export default defineConfig({',
      '  policy: {',
      "    current_time: { effect: 'guarded' },",
      '  },',
      '});',
    );

    expect(await load('guarded.ts')).toBe(
      'ConfigFileError guarded.ts:4: policy.current_time.approvers names no person, so this guarded tool could never be ' +
        'approved. Add the Slack id of a person or a user group.',
    );
  });

  it('with a rule that asks no person who could approve is reported with the line of that rule (SURF-2)', async () => {
    const tool = (name: string) =>
      `defineTool({ name: '${name}', description: 'x', input: z.object({}), effect: 'guarded', run: () => '' })`;
    const lines = (second: string) => [
      `import { z } from ${JSON.stringify(pathToFileURL(join(APP, '../node_modules/zod/index.js')).href)};`,
      'export default defineConfig({',
      `  tools: [${tool('wipe')}],`,
      '  rules: [',
      "    { name: 'One', effect: 'deny', channel: 'C0OPS' },",
      `    { name: 'Two', effect: 'guard', ${second} },`,
      '  ],',
      '});',
    ];
    write('guarded.ts', ...lines("tool: 'wipe'"));
    write('approved.ts', ...lines("tool: 'wipe', approvers: ['U0BEN']"));

    expect(await load('./guarded.ts')).toMatch(
      /^ConfigFileError guarded\.ts:7: rules\[1\]\.approvers \(for wipe\) names no person, so this guarded tool/,
    );
    expect(JSON.parse(await load('./approved.ts'))).toMatchObject({ rules: [{ name: 'One' }, { name: 'Two' }] });
  });
});

const TWICE_BEN = [{ approvers: ['U0BEN'] }, { approvers: ['U0BEN'] }];

describe('a configuration', () => {
  const tool = (effect: 'asked' | 'guarded', more: object = {}) =>
    defineTool({ name: 'deploy', description: 'Deploys.', input: z.object({}), effect, run: () => '', ...more });
  const ruled = (effect: 'asked' | 'guarded', policy: object, more: object = {}) =>
    checkConfig({ tools: [tool(effect, more)], policy: { deploy: policy } }, deps).tools.find(
      ({ name }) => name === 'deploy',
    );

  it.each([
    ['an unknown word', { toolz: [] }, 'toolz'],
    ['a tool that is none', { tools: [{ name: 'x' }] }, 'tools[0] is not a tool'],
    [
      'a tool that was not made by defineTool',
      { tools: [{ name: 'x', description: 'X.', inputSchema: {}, parse: () => {}, run: () => {} }] },
      'tools[0] is not a tool. Write: defineTool({ … })',
    ],
    [
      'a policy for a tool there is not',
      { policy: { deplyo: {} } },
      'policy.deplyo is not the name of a tool. Write one of these: ask_person, current_time',
    ],
    [
      'a trust in a field that the tool does not have',
      {
        policy: { fetch_page: { trust: { match: 'fields', fields: ['ulr'], scope: 'thread', forMs: 1_000 } } },
      },
      'policy.fetch_page.trust names ulr, which is not a field of the input. Write one of these: url',
    ],
    ['a policy with an unknown word', { policy: { current_time: { efect: 'open' } } }, 'efect'],
    [
      'an approver by name',
      { policy: { current_time: { approvers: ['@ben'] } } },
      'policy.current_time.approvers[0] is not',
    ],
    [
      'more approvers than there are lists for, in one stage or in several',
      {
        policy: {
          current_time: {
            effect: 'asked',
            stages: [{ approvers: people(1, 30) }, { approvers: people(20, 51) }],
          },
        },
      },
      'policy.current_time.stages names 51, and the most is 50. Put the people into a user group',
    ],
    [
      'more calls in a turn than one step takes back',
      { limits: { toolCallsPerTurn: 61 } },
      'toolCallsPerTurn must be at most 60',
    ],
    [
      'an open tool of a tool server without a reason',
      { policy: { github__list: { effect: 'open' } } },
      "policy.github__list.effect is 'open' without a reason",
    ],
    [
      'a tool of a tool server that no person could approve',
      { policy: { github__drop: { effect: 'guarded' } } },
      'policy.github__drop.approvers names no person',
    ],
    [
      'a policy under which one person would have to approve twice',
      { policy: { current_time: { effect: 'guarded', stages: TWICE_BEN } } },
      'no person could approve it: the same people are named for several stages',
    ],
    [
      'a guarded tool that one person would have to approve twice',
      { tools: [tool('guarded', { stages: TWICE_BEN })] },
      'has deploy, and no person could approve it',
    ],
    [
      'a reminder that would come too late',
      { policy: { fetch_page: { expireAfterMs: 60_000, remindAfterMs: 60_000 } } },
      'policy.fetch_page.remindAfterMs is 60000, and the question expires after 60000',
    ],
    [
      'a question that waits for ever',
      { times: { approvalLifetimeMs: 31 * 86_400_000 } },
      'times.approvalLifetimeMs must be at most 30 days',
    ],
    [
      'deliveries that are taken for so long that the platform kills the process',
      { times: { deliveriesWhileStoppingMs: 10_001 } },
      'times.deliveriesWhileStoppingMs must be at most 10 s: platforms kill a process 30 s after SIGTERM',
    ],
    [
      'deliveries that are taken for a negative time',
      { times: { deliveriesWhileStoppingMs: -1 } },
      'times.deliveriesWhileStoppingMs must not be negative',
    ],
    [
      'a run that is removed while its deliveries may still come',
      { retention: { afterMs: 1_000, folder: 'archive' } },
      'retention.afterMs must be at least 2 days',
    ],
    [
      'a run that is removed and exported nowhere',
      { retention: { afterMs: 30 * 86_400_000 } },
      'retention.folder must be',
    ],
    [
      'a part of an archive, as older versions could write',
      { retention: { afterMs: 30 * 86_400_000, folder: 'archive', inputs: true } },
      'retention.inputs is no setting any more: the archive of a run holds all of it, inputs too. Remove it, and protect the folder.',
    ],
    ['a pattern for hosts', { openHosts: ['*.example.com'] }, 'openHosts[0] must be the whole name of a host'],
    ['an address for a host', { openHosts: ['169.254.169.254'] }, 'openHosts[0] must be the whole name of a host'],
    ['half a turn', { limits: { turnsPerRun: 0.5 } }, 'limits.turnsPerRun must be a whole number'],
    ['thinking longer than the answer', { model: { thinking: 20_000 } }, 'model.thinking must be below'],
    [
      'a name in place of the id of a person',
      { suggestionsTo: ['bob'] },
      'suggestionsTo[0] is not the Slack id of a person (U…)',
    ],
    [
      'an empty list of approvers',
      { policy: { fetch_page: { approvers: [] } } },
      'policy.fetch_page.approvers names no person',
    ],
    [
      'a rule with an empty list of approvers',
      { rules: [{ name: 'One', effect: 'ask', tool: 'fetch_page', approvers: [] }] },
      'rules[0].approvers names no person',
    ],
    ['nothing at all', 'tools', 'the default export must be defineConfig({ … })'],
    [
      'a built-in name taken twice',
      { tools: [{ ...tool('asked'), name: 'current_time' }] },
      'tools cannot be used: Tool "current_time" is defined twice',
    ],
  ])('with %s stops the start', (_what, config, message) => {
    expect(() => checkConfig(config, deps)).toThrow(message);
  });

  it('with an answer of no tokens is told of that alone', () => {
    expect(() => checkConfig({ model: { maxTokens: 0 } }, deps)).toThrow(/^model\.maxTokens must be above 0\.$/);
  });

  it('leaves a tool that it does not mention as it was defined', () => {
    const deploy = checkConfig({ tools: [tool('guarded')] }, deps).tools.find(({ name }) => name === 'deploy');

    expect(deploy).toMatchObject({
      name: 'deploy',
      effect: 'guarded',
      approvers: [],
      selfApproval: false,
      trust: undefined,
    });
  });

  it('needs an approver for a guarded tool that it names (P35)', () => {
    expect(() => ruled('guarded', {})).toThrow('policy.deploy.approvers names no person');
    expect(() => ruled('guarded', { approvers: [] })).toThrow('policy.deploy.approvers names no person');
    expect(() => ruled('asked', { effect: 'guarded' })).toThrow('policy.deploy.approvers names no person');
    expect(ruled('guarded', { approvers: ['S0OPS'] })).toMatchObject({ effect: 'guarded', approvers: ['S0OPS'] });
    expect(ruled('guarded', {}, { approvers: ['U0BEN'] })).toMatchObject({ approvers: ['U0BEN'] });
  });

  it('removes trust from a tool that it guards, and cannot give trust to it (P39)', () => {
    expect(ruled('asked', { effect: 'guarded', approvers: ['U0BEN'] })).toMatchObject({
      trust: undefined,
      selfApproval: false,
    });
    expect(() =>
      ruled('guarded', { approvers: ['U0BEN'], trust: { match: 'any', scope: 'thread', forMs: 1 } }),
    ).toThrow('policy.deploy.trust cannot be given');
  });

  it('opens a tool only with a reason (P41)', () => {
    const asked = { because: 'It can be undone.' };

    expect(() => ruled('asked', { effect: 'open' })).toThrow("policy.deploy.effect is 'open' without a reason");
    expect(() => ruled('asked', { effect: 'open' }, asked)).toThrow("policy.deploy.effect is 'open' without a reason");
    expect(ruled('asked', { effect: 'open', because: 'It is a drill.' })).toMatchObject({
      effect: 'open',
      because: 'It is a drill.',
    });
  });

  it('can set the policy for tools of a tool server before the server is first asked', () => {
    const policy = { github__list: { effect: 'open', because: 'It reads what everybody may read.' } } as const;

    expect(checkConfig({ policy }, deps).policy).toEqual(policy);
  });

  it('sets self-approval for each tool', () => {
    expect(ruled('guarded', { approvers: ['U0BEN'], selfApproval: true })).toMatchObject({ selfApproval: true });
    expect(ruled('asked', { approvers: ['U0BEN'], selfApproval: false })).toMatchObject({ selfApproval: false });
    expect(() => ruled('asked', { selfApproval: false })).toThrow('no person could decide');
  });
});

it('the example is a configuration that can be used', async () => {
  const { default: example } = await import('../../../example/countersign.config.ts');

  const effects = checkConfig(example, deps).tools.map(({ name, effect, approvers }) => [name, effect, approvers]);

  expect(effects).toEqual([
    ['ask_person', 'asked', []],
    ['current_time', 'open', []],
    ['drop_database', 'guarded', ['U0BEN00001']],
    ['fetch_page', 'asked', []],
    ['restart_service', 'asked', []],
    ['run_report', 'asked', []],
    ['service_status', 'open', []],
  ]);
});

function people(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `U00${from + index}`);
}
