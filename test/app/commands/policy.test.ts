import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineRule } from '../../../app/authority/policy/rules.ts';
import { policyCommand, USAGE } from '../../../app/commands/policy.ts';
import { checkConfig } from '../../../app/config/check.ts';
import type { ConfigInput } from '../../../app/config/shape.ts';
import { given } from '../../../app/given.ts';
import { defineTool } from '../../../app/tools/index.ts';
import ruled from '../../support/ruled.config.ts';

const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  input: z.object({ to: z.enum(['test', 'live']) }),
  trust: { match: 'fields', fields: ['to'], scope: 'thread', forMs: 60_000 },
  run: () => '',
});
const wipe = defineTool({ name: 'wipe', description: 'Wipes.', input: z.object({}), effect: 'guarded', run: () => '' });

async function policy(input: ConfigInput, args: readonly string[], text = '{}') {
  const lines: string[] = [];
  const said: string[] = [];
  const config = checkConfig(input, { now: Date.now });
  const code = await policyCommand(args, {
    ...{ config, env: {}, read: () => text },
    ...{ write: (line: string) => void lines.push(line), say: (line: string) => void said.push(line) },
  });
  return { code, lines, said };
}

describe('npm run policy -- explain', () => {
  it('says how a call would be judged, by which rule, and what else matches', async () => {
    const mail = await policy(ruled, ['explain', 'restart_service', 'x.json'], '{"service":"mail"}');
    expect(mail).toEqual({
      code: 0,
      said: [],
      lines: [
        'restart_service {"service":"mail"}',
        'The call is refused: the rule "Mail stays up" says so.',
        'Because: People would lose what they write.',
        'The rule "No restarts at all" is on trial and changes nothing yet. It would say deny.',
      ],
    });
    const drop = await policy(ruled, ['explain', 'drop_database', '-'], '{"database":"old"}');
    expect(drop.lines).toContain('A person is asked every time: the rule "Four eyes" says so.');
    expect(drop.lines).toContain('Who decides: 2 of U0BEN00001, U0ZOE00001, but not the person who asked.');
  });

  it('says what one press of Trust would mean for exactly this call (P51)', async () => {
    const { lines } = await policy({ tools: [deploy] }, ['explain', 'deploy', 'x.json'], '{"to":"test"}');

    expect(lines).toEqual([
      'deploy {"to":"test"}',
      'A person is asked, unless the call is trusted: the definition of deploy says so.',
      'Who decides: the person who asked.',
      'One press of Trust covers: deploy with to test and anything else, in this thread, for 1 minute',
    ]);
  });

  it('says of a question to a person that it is asked every time (P50)', async () => {
    const { lines } = await policy({}, ['explain', 'ask_person', 'x.json'], '{"question":"Which one?"}');

    expect(lines).toContain('A person is asked every time: the definition of ask_person says so.');
    expect(lines.join('\n')).not.toContain('Trust');
  });

  it('says of a call that no person may approve why that is so, in the words of the thread (SURF-2)', async () => {
    const two = {
      policy: { deploy: { approvers: ['U0ANN', 'U0BEN'], quorum: 2, selfApproval: false } },
      tools: [deploy],
    };
    const asked = ['explain', 'deploy', 'x.json'];
    const lines = async (input: ConfigInput, requester?: string): Promise<readonly string[]> => {
      const written: string[] = [];
      const config = checkConfig(input, { now: Date.now });
      const write = (line: string) => void written.push(line);
      const read = () => (input === two ? '{"to":"test"}' : '{}');
      await policyCommand(asked, { config, env: {}, read, write, say: write, ...given({ requester }) });
      return written;
    };

    const no = 'But the call is refused without a question: no person can approve it, because';
    expect(await lines(two, 'U0ANN')).toContain(
      `${no} two people have to say yes, two are named, and one of them asked.`,
    );
    expect(await lines(two)).toContain('Who decides: 2 of U0ANN, U0BEN, but not the person who asked.');
    expect((await policy({ tools: [wipe] }, ['explain', 'wipe', 'x.json'])).lines).toEqual([
      'wipe {}',
      'A person is asked every time: the definition of wipe says so.',
      `${no} no approver is named.`,
    ]);
  });

  it('says which file cannot be read, why, and what to do', async () => {
    const said: string[] = [];
    const config = checkConfig({ tools: [deploy] }, { now: Date.now });
    const read = (): string => {
      throw new Error('ENOENT: no such file or directory');
    };
    const [say, write] = [(line: string) => void said.push(line), expect.unreachable];

    expect(await policyCommand(['explain', 'deploy', 'gone.json'], { config, env: {}, read, write, say })).toBe(1);
    expect(said).toEqual([
      'gone.json cannot be read (ENOENT: no such file or directory). Name a file with the input of the call, or - to type it in.',
    ]);
  });

  it('says what is wrong with its arguments', async () => {
    const tools = { tools: [deploy] };
    expect((await policy(tools, ['explain', 'deploy', 'x.json'], '{"to":"x"}')).lines[0]).toContain('does not fit');
    expect(await policy(tools, ['explain', 'deplay', 'x.json'])).toMatchObject({
      ...{ code: 1, lines: [] },
      said: [expect.stringMatching(/^No tool is called "deplay"\. The tools are: .*deploy.*\. Only a running bot/)],
    });
    expect(await policy(tools, ['explain', 'deploy', 'x.json'], 'to: x')).toMatchObject({ code: 1, lines: [] });
  });

  it.each<[readonly string[], string]>([
    [[], `No command was given.\n\n${USAGE}`],
    [['explore'], `There is no command explore.\n\n${USAGE}`],
    [['check', 'deploy'], 'check takes no arguments: deploy is too much.'],
    [['explain'], 'explain needs the name of a tool, and a file with the input of the call.'],
    [['explain', 'deploy'], 'explain needs a file with the input of the call, or - to type it in.'],
    [['explain', 'deploy', 'a.json', 'b.json'], 'explain takes one tool and one file.'],
  ])('says of %j what is wrong, and what to write, where errors belong', async (args, words) => {
    const { code, lines, said } = await policy({ tools: [deploy] }, args);

    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(said).toEqual([words]);
  });
});

describe('npm run policy -- check', () => {
  const live = defineRule({ name: 'live', effect: 'deny', tool: deploy, when: ({ to }) => to === 'live' });
  const none = defineRule({ name: 'none', effect: 'deny', tool: 'deploy' });
  const free = defineRule({ name: 'free', effect: 'allow', tool: 'deploy', because: 'x' });

  it.each<[string, ConfigInput, RegExp]>([
    ['a contradiction', { rules: [free, none] }, /"none" contradicts rule "free"/],
    ['a rule that never counts', { rules: [none, live] }, /"none" makes rule "live" useless.*the same earlier/],
    [
      'a server that is not there',
      { rules: [{ name: 'a', effect: 'deny', server: 'github' }] },
      /the tool server github/,
    ],
    [
      'a tool no server offers',
      { rules: [{ name: 'a', effect: 'deny', tool: 'github__merge' }] },
      /in the list can offer/,
    ],
    [
      'a guarded tool that no person can approve (P35)',
      { tools: [deploy, wipe] },
      /No person can approve wipe, because no approver is named/,
    ],
    [
      'a rule for what is so already',
      { rules: [{ name: 'a', effect: 'allow', tool: 'current_time', because: 'x' }] },
      /runs without asking already/,
    ],
  ])('finds %s', async (_what, input, words) => {
    const { code, lines } = await policy({ tools: [deploy], ...input }, ['check']);

    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(words);
    expect(lines).toHaveLength(1);
  });

  it('finds nothing wrong when each rule has an effect', async () => {
    expect(await policy({ tools: [deploy], rules: [live, free] }, ['check'])).toMatchObject({ code: 0 });
    expect(await policy(ruled, ['check'])).toMatchObject({ code: 0 });
    // On trial it counts for nothing, so it takes nothing away from others either.
    expect(await policy({ tools: [deploy], rules: [{ ...none, shadow: true }, free] }, ['check'])).toMatchObject({
      code: 0,
    });
  });
});
