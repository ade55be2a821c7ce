import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { policyCommand } from '../app/commands/policy.ts';
import { readEnvironment } from '../app/config/environment.ts';
import { loadConfigFile } from '../app/config/file.ts';
import { ConfigSchema } from '../app/config/shape.ts';
import { readServersFile } from '../app/tools/mcp/file.ts';
import { runTool } from '../app/tools/run-tool.ts';
import { readCommandWords, readThreadWords } from '../handlers/payloads/words.ts';
import { block, type ExampleFolder, exampleFolder, firstColumn, textOf } from './support/pages.ts';
import { reachNothing } from './support/reach.ts';

/** The pages in `docs/`: what stands there as code is taken out and run. `test/scenarios/readme.test.ts` runs the audit. */

let folder: ExampleFolder;
beforeAll(() => {
  folder = exampleFolder();
});
afterAll(() => folder.remove());
afterEach(() => vi.restoreAllMocks());

const load = (file: string) => loadConfigFile(file, { cwd: folder.path, now: () => 0, reach: reachNothing });

/** The deployment that the pages build: the tool of `tools.md` under the policy of `policy.md`. */
function deployment() {
  folder.save('shop/tools/refund-order.ts', block('tools', 'ts'));
  return load(folder.save('shop/countersign.config.ts', block('policy', 'ts')));
}

async function explained(tool: string, input: object): Promise<readonly string[]> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const outside = { env: {}, read: () => JSON.stringify(input), write, say: write };
  await policyCommand(['explain', tool, 'input.json'], { config: await deployment(), ...outside });
  return lines;
}

describe('docs/configure.md', () => {
  it('the page about configuring lists the variables of .env.example and no others', () => {
    const [table = ''] = textOf('configure').split('## The configuration file');
    const example = [...readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

    expect([...firstColumn(table)].sort()).toEqual([...example].sort());
  });

  it('the page about configuring lists the keys of a configuration and no others', () => {
    const [, table = ''] = textOf('configure').split('## The configuration file');

    expect([...firstColumn(table)].sort()).toEqual(Object.keys(ConfigSchema.shape).sort());
  });

  it('the page about configuring shows a configuration that the check takes', async () => {
    const config = await load(folder.save('configured/countersign.config.ts', block('configure', 'ts')));

    expect(config).toMatchObject({
      times: { approvalLifetimeMs: 14_400_000, hotMs: 600_000 },
      limits: { perRun: { cards: 10 }, perRequester: { calls: 200 }, turnsPerRun: 24 },
      model: { maxTokens: 8_000, name: 'claude-sonnet-5-5' },
    });
    expect(config.tools.map(({ name }) => name)).toContain('fetch_listed_page');
  });

  it('the page about configuring quotes what the start says of a mistake', async () => {
    const file = folder.save(
      'mistaken/countersign.config.ts',
      block('configure', 'ts').replace('cards: 10', 'cards: 0'),
    );

    await expect(load(file)).rejects.toThrow(block('configure', 'text').trim());
  });
});

describe('docs/tools.md', () => {
  it('the page about tools shows a tool that the folder loader loads, and that does what its sentences say', async () => {
    const { folderTools } = await deployment();
    const [tool] = folderTools.map((found) => found.tool);
    if (tool === undefined) throw new Error('The loader found no tool.');
    const input = { order: 'A-1001', amount: 15 };
    const call = () => runTool(tool, input, { signal: new AbortController().signal, key: 'k' });

    expect(tool.summarise(input)).toBe('Pay 15 € back for order A-1001.');
    expect(await tool.preview?.(input, { signal: new AbortController().signal })).toContain('40 €');
    expect(await call()).toEqual({ type: 'succeeded', output: 'Paid 15 € back. 25 € of A-1001 are left.' });
    expect(await call()).toEqual({ type: 'succeeded', output: 'Paid 15 € back. 10 € of A-1001 are left.' });
    expect(await call()).toMatchObject({ type: 'failed', output: expect.stringContaining('less than 15 €') });
    expect(tool.parse({ ...input, amount: 501 }).ok).toBe(false);
  });

  it('the page about tools lists the built-in tools with their classes, and no others', async () => {
    const [, section = ''] = textOf('tools').split('## Built-in tools');
    const [table = ''] = section.split('\n## ');
    const { tools } = await load(folder.save('open/countersign.config.ts', block('configure', 'ts')));

    expect([...firstColumn(table)].sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, effect, wants } of tools) {
      const row = table.split('\n').find((line) => line.includes(`\`${name}\``));
      expect(row).toContain(wants === undefined ? `| ${effect} |` : '| question |');
    }
  });

  it('the page about tools shows a list of tool servers that its reader takes', () => {
    const file = folder.save('shop/mcp.json', block('tools', 'json'));

    const { servers, unread } = readServersFile(file, { TICKETS_TOKEN: 'one', WIKI_TOKEN: 'two' });

    expect(unread).toEqual([]);
    expect(servers).toMatchObject([
      { name: 'tickets', type: 'process', env: { TOKEN: 'one' } },
      { name: 'wiki', type: 'http', headers: { Authorization: 'Bearer two' } },
    ]);
  });
});

describe('docs/policy.md', () => {
  const refund = (amount: number, order = 'A-1001') => explained('refund_order', { order, amount });

  it('the page about policy quotes what the command says of a large refund', async () => {
    const input = /echo '(.*)' > input\.json/.exec(block('policy', 'sh'))?.[1] ?? '';

    const lines = await explained('refund_order', JSON.parse(input));

    expect(lines).toEqual(expect.arrayContaining(block('policy', 'text').trim().split('\n')));
  });

  it('the page about policy shows rules that decide real calls as they are named', async () => {
    expect(await refund(3)).toContain('The call runs without a question: the rule "Small change" says so.');
    expect(await refund(20)).toContain(
      'A person is asked, unless the call is trusted: the definition of refund_order says so.',
    );
    expect(await refund(20)).toContain('Who decides: requester or S045FGHIJ.');
    expect((await refund(20)).at(-1)).toContain('with order A-1001 and amount 20, in');
    expect(await refund(3, 'Z-7')).toContain('The call is refused: the rule "Old orders" says so.');
  });

  it('the page about policy shows a function that names the approvers (SURF-2)', async () => {
    const rota = vi.fn(async () => Response.json(['U012ABCDE']));
    vi.stubGlobal('fetch', rota);
    const { tools } = await load(folder.save('rota/countersign.config.ts', block('policy', 'ts', 1)));
    const find = tools.find(({ name }) => name === 'post_to_channel')?.findApprovers;
    const call = { tool: 'post_to_channel', input: {}, requester: 'U0', team: 'T0', channel: 'C0', thread: '1' };

    expect(await find?.(call, { signal: AbortSignal.timeout(1_000) })).toEqual(['U012ABCDE']);
    expect(rota).toHaveBeenCalledWith('https://rota.example.com/on-call?channel=C0', expect.anything());
    vi.unstubAllGlobals();
  });

  it('the page about policy shows caps and a second factor that the check takes', async () => {
    const caps = await load(folder.save('caps/countersign.config.ts', block('policy', 'ts', 2)));
    const second = await load(folder.save('second/countersign.config.ts', block('policy', 'ts', 3)));

    expect(caps.limits).toMatchObject({ perTool: { post_to_channel: { calls: 20 } }, perThread: { calls: 300 } });
    expect(second.tools.find(({ name }) => name === 'post_to_channel')).toMatchObject({ secondFactor: true });
  });
});

describe('docs/slack.md', () => {
  const words = (index: number) =>
    block('slack', 'text', index)
      .trim()
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, ''));

  it('the page about Slack shows words in a thread that the bot understands', () => {
    const read = words(0).map((line) => readThreadWords(line.replace('@Countersign ', '')));

    expect(read.map((wish) => wish?.type.split('-')[0])).toEqual(words(0).map((line) => line.split(' ')[1]));
    expect(read).toContainEqual({ type: 'trust', tool: 'refund_order', scope: 'channel', forMs: 86_400_000 });
    expect(read).toContainEqual({ type: 'trust', tool: 'refund_order', scope: 'requester', forMs: 1_800_000 });
  });

  it('the page about Slack shows each command and each scope of the manifest', () => {
    const Manifest = z.object({
      features: z.object({ slash_commands: z.array(z.object({ command: z.string() })) }),
      oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
    });
    const { features, oauth_config } = Manifest.parse(parse(readFileSync('manifest.yml', 'utf8')));

    const named = new Set(words(1).map((line) => line.split(' ')[0]));
    expect([...named].sort()).toEqual(features.slash_commands.map(({ command }) => command).sort());
    for (const command of ['trust', 'untrust'] as const) {
      const [line = ''] = words(1).filter((one) => one.startsWith(`/${command} `));
      expect(readCommandWords(command, line.replace(`/${command} `, ''))).toMatchObject({ type: command });
    }
    expect([...firstColumn(textOf('slack'))].sort()).toEqual([...oauth_config.scopes.bot].sort());
  });
});

describe('docs/run.md', () => {
  it('the page about running shows a .env and a configuration that the bot takes', async () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const env = parseEnv(block('run', 'sh').replace('DATA_KEY=…', `DATA_KEY=${key}`));

    expect(readEnvironment(env)).toMatchObject({
      slack: { access: { type: 'one' }, door: { type: 'http' } },
      port: 8080,
      redisUrl: expect.stringContaining('redis+sentinel://'),
    });
    expect(await load(folder.save('run/countersign.config.ts', block('run', 'ts')))).toMatchObject({
      durability: 'replica',
      retention: { afterMs: 7_776_000_000 },
    });
  });
});

describe('docs/library.md', () => {
  it('the page about the library shows a program that asks before it runs a tool', async () => {
    const file = folder.save('agent.ts', block('library', 'ts'));
    const said: string[] = [];
    vi.spyOn(console, 'log').mockImplementation(
      (...words: unknown[]) => void said.push(words.map((word) => JSON.stringify(word)).join(' ')),
    );

    await import(pathToFileURL(file).href);

    expect(said).toEqual([
      expect.stringMatching(/^"A person is asked:" .*"tool":"deploy"/),
      '"deploying" {"to":"production"}',
      '"It is live."',
    ]);
  });

  it('the page about the library shows how a real model is made', async () => {
    const file = folder.save('model.ts', `${block('library', 'ts', 1)}\nexport { model };\n`);

    const { model } = await import(pathToFileURL(file).href);

    expect(model).toBeTypeOf('function');
  });
});
