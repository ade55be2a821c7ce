import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiObject } from '../../sandbox/json.ts';
import { call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, cards, mention, type RunningBot, reply, type Stage, says } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { type HttpToolServer, startHttpToolServer } from '../support/mcp-server.ts';

/** What tool servers and models send to stop a real bot: schemas that take for ever, and inputs that no person can review. */

let stage: Stage;
let server: HttpToolServer;
let folder: string;
afterEach(async () => {
  await stage?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Each definition refers twice to the next: 1.6 KB, and the last is reached 2^24 times. */
const doubled = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { anyOf: [next, next] }];
  }),
);
const bomb = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: { ...doubled, d24: { type: 'number' } },
};
/** 60 KB: the compiled check of it took seconds, and so did the search for secrets in each item. */
const lists = Array.from({ length: 1_200 }, () => ({ type: 'array', items: { type: 'null' } }));
const wide = {
  type: 'object',
  properties: { a: { items: { anyOf: [...lists, { type: 'string' }] } } },
};
/** The failure of a check that ends later is awaited by no caller, so that it ended the process. */
const later = { $async: true, type: 'object', properties: { a: { type: 'null' } } };

/** Generators of schemas encode the name of a definition in the references to it. */
const login = {
  type: 'object',
  properties: { user: { type: 'string' }, code: { $ref: '#/$defs/Key%3Cstring%3E' } },
  $defs: { 'Key<string>': { type: 'string', writeOnly: true } },
};

async function open(engine: (typeof ENGINES)[number]): Promise<RunningBot> {
  stage = await stageOn(engine);
  server = await startHttpToolServer([
    { name: 'bomb', inputSchema: bomb },
    { name: 'wide', inputSchema: wide },
    { name: 'later', inputSchema: later },
    { name: 'login', inputSchema: login },
    { name: 'echo' },
  ]);
  folder = mkdtempSync(join(tmpdir(), 'countersign-schemas-'));
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { url: server.url } } }));
  writeFileSync(join(folder, 'countersign.config.mjs'), 'export default {};');
  return startBot();
}

const startBot = (): Promise<RunningBot> =>
  stage.startBot({ env: { COUNTERSIGN_CONFIG: join(folder, 'countersign.config.mjs') } });

/** Lets the model call a tool, and returns the thread. */
function calls(name: string, input: ApiObject): Promise<SlackMessage> {
  stage.sandbox.model.next({ content: [call(name, input)] }, `I called ${name}.`);
  return mention(stage, ANN, `please use ${name}`);
}

const heard = () => (stage.sandbox.model.requests.at(-1)?.results ?? []).map(({ isError, text }) => [isError, text]);

async function echoes(): Promise<void> {
  const root = await calls('notes__echo', { text: 'hello' });
  const card = await cardIn(stage, root);
  expect(says(card, 'notes__echo')).toBe(true);
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'I called notes__echo.');
  expect(heard()).toEqual([[false, expect.stringContaining('hello')]]);
}

async function denied(name: string, input: ApiObject): Promise<void> {
  const root = await calls(name, input);
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
  await reply(stage, root, `I called ${name}.`);
}

async function refused(name: string, input: ApiObject, why: string): Promise<void> {
  const root = await calls(name, input);
  await reply(stage, root, `I called ${name}.`);
  expect(heard()).toEqual([[true, expect.stringContaining(why)]]);
  expect(cards(stage, root)).toEqual([]);
}

describe.each(ENGINES)('on %s', (engine) => {
  it('schemas of a tool server that take for ever stop neither the bot nor its restart, and its other tools run (EDGE-7, T20)', async () => {
    const before = await open(engine);
    for (const bot of [before, undefined]) {
      if (bot === undefined) await before.stop();
      const running = bot ?? (await startBot());

      await echoes();
      await refused('notes__bomb', { a: 'x' }, 'There is no tool called "notes__bomb"');
      await refused('notes__wide', { a: Array.from({ length: 2_000 }, () => [1]) }, 'data/a/0/0 must be null');
      await refused('notes__wide', { a: Array.from({ length: 2_000 }, () => 'x') }, 'takes too long to check');
      await denied('notes__wide', { a: Array.from({ length: 2_000 }, () => []) });
      await refused('notes__later', { a: 'x' }, 'data/a must be null');
      await echoes();

      expect(running.log()).toMatch(
        /A tool of a server is left out\..*bomb.*100000 parts once its references are followed/,
      );
    }
    expect(server.calls.map(({ name }) => name)).toEqual(['echo', 'echo', 'echo', 'echo']);
  });

  it('an input of more bytes or values than people can review makes no card, and the model hears why (EDGE-7, T20)', async () => {
    await open(engine);

    await refused(
      'notes__echo',
      { text: 'x'.repeat(1_000_001) },
      'bytes, and people can review at most 1000000. Send less',
    );
    await refused('notes__echo', { list: Array.from({ length: 5_001 }, () => 1) }, 'has more than 5000 values');
    await echoes();

    expect(server.calls.map(({ name }) => name)).toEqual(['echo']);
  });

  it('a secret that a tool server declares behind an encoded reference stands on no card and in no log (T16)', async () => {
    const bot = await open(engine);

    const root = await calls('notes__login', { user: 'ann', code: 'horse-42-battery' });
    const card = await cardIn(stage, root);
    expect(says(card, 'ann')).toBe(true);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'I called notes__login.');

    expect(server.calls).toMatchObject([{ input: { code: 'horse-42-battery' } }]);
    expect(JSON.stringify(stage.world.messages(root))).not.toContain('horse-42-battery');
    expect(bot.log()).not.toContain('horse-42-battery');
  });
});
