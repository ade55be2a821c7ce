import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiObject } from '../../sandbox/json.ts';
import { type Answer, call, text } from '../../sandbox/model/answer.ts';
import { ANN, GENERAL, OPS } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { type HttpToolServer, startHttpToolServer } from '../support/mcp-server.ts';

let stage: Stage;
let bot: RunningBot;
let server: HttpToolServer;
let folder: string;
beforeAll(async () => {
  stage = await stageOn('sqlite');
  server = await startHttpToolServer(['echo', 'fail-at-length', 'refuse-at-length', 'large'].map((name) => ({ name })));
  folder = mkdtempSync(join(tmpdir(), 'countersign-stays-'));
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { notes: { url: server.url } } }));
  writeFileSync(join(folder, 'countersign.config.mjs'), 'export default {};');
  const preload = join(import.meta.dirname, '../support/longest-stay.ts');
  bot = await stage.startBot({
    http: true,
    env: {
      COUNTERSIGN_CONFIG: join(folder, 'countersign.config.mjs'),
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import=${preload}`,
    },
  });
  // What is compiled at its first use is not measured.
  for (let times = 0; times < 5; times += 1) await asked({ text: 'hello\n'.repeat(100_000) });
});
afterAll(async () => {
  await bot.stop();
  await stage.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As long as `longest-stay.ts` keeps to itself. */
const TOLD_FROM_MS = 15;

/** The longest that the thread of the bot worked at one thing while this happened, in milliseconds; 0 below what it tells. */
async function longestStay(act: () => Promise<unknown>): Promise<number> {
  const from = bot.log().length;
  await act();
  await aWhile(200);
  return Math.max(
    0,
    ...[
      ...bot
        .log()
        .slice(from)
        .matchAll(/stayed for ([\d.]+) ms/g),
    ].map(([, ms]) => Number(ms)),
  );
}

/** By turns, because a channel takes one message a second. */
const channels = [OPS, GENERAL];

async function run(text: string, answers: readonly Answer[], press?: string): Promise<void> {
  stage.sandbox.model.next(...answers, 'That is all.');
  channels.reverse();
  const root = await mention(stage, ANN, text, channels[0]);
  if (press !== undefined) await stage.world.press(ANN, await cardIn(stage, root), press);
  await reply(stage, root, 'That is all.');
}

const asked = (input: ApiObject) => run('go', [{ content: [call('notes__echo', input)] }], 'approval_deny');

/** Opens the full view of a call, or the form to deny it with a reason, and denies it. */
async function seen(input: ApiObject, reason?: string): Promise<void> {
  stage.sandbox.model.next({ content: [call('notes__echo', input)] }, 'That is all.');
  channels.reverse();
  const root = await mention(stage, ANN, 'go', channels[0]);
  const card = await cardIn(stage, root);
  const views = () => stage.world.views(ANN);
  const press = reason === undefined ? 'approval_view' : 'approval_more';
  await stage.world.press(ANN, card, press, reason === undefined ? {} : { option: 'Deny with a reason…' });
  await stage.world.until(() =>
    (reason === undefined ? /approval_page_next/ : /plain_text_input/).test(JSON.stringify(views().at(-1) ?? '')),
  );
  const form = views().at(-1);
  if (reason === undefined) await stage.world.press(ANN, card, 'approval_deny');
  else if (form !== undefined) await stage.world.submit(ANN, form, { reason });
  await reply(stage, root, 'That is all.');
}

const replied = (words: string) => run('go', [{ content: [text(words), call('none', {})] }]);
const listOf = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));
const repeated = (part: string, chars: number): string => `a${part.repeat(chars / part.length)}! end`;

/** Signs of the hostile texts that take the longest to read, each in its own way. */
const SLOWEST = ['eyJaaaaaaaa.', '-----BEGIN PRIVATE KEY-----\n', '<a:|', '[a](https://'];

/** Signs that are slow to draw, and how many bytes each takes in the JSON of an input. */
const DRAWN: readonly (readonly [string, number])[] = [
  [' ', 1],
  ['`', 1],
  ['| a |', 5],
  ['<@U0000000A> ', 13],
  ['\u202E', 3],
  ['\u0301', 2],
  ['\uD800', 6],
];

const tokens = (part: number) => listOf(part * 4_900, (at) => `xoxb-1234567890-${at}`);

/** What one message of others may hold at most, and what it causes. `part` is a half of it, or all. */
const MESSAGES: readonly (readonly [string, (part: number) => Promise<void>])[] = [
  // Slack takes no longer ones.
  ...SLOWEST.map(
    (sign) =>
      [`a message of ${JSON.stringify(sign)}`, (part: number) => run(repeated(sign, part * 39_900), [])] as const,
  ),
  // About the most that the model answers with 16,000 tokens.
  ...['a\n', 'Approved\n', '漢字漢字漢字漢字\n', '```\n', '| a |\n', '<@U1', '\u202E', '\uD800'].map(
    (sign) => [`a reply of ${JSON.stringify(sign)}`, (part: number) => replied(repeated(sign, part * 64_000))] as const,
  ),
  ...SLOWEST.map(
    (sign) =>
      [
        `an input of ${JSON.stringify(sign)}`,
        (part: number) => asked({ text: repeated(sign, part * 900_000) }),
      ] as const,
  ),
  ...DRAWN.map(
    ([sign, bytes]) =>
      [
        `an input of ${JSON.stringify(sign)}`,
        (part: number) => asked({ text: sign.repeat((part * 900_000) / bytes) }),
      ] as const,
  ),
  // Deeper ones are refused as no JSON.
  ['a nested input', (part) => asked({ deep: JSON.parse(`${'['.repeat(part * 490)}${']'.repeat(part * 490)}`) })],
  ['an input of many values', (part) => asked({ wide: listOf(part * 4_900, (at) => `a${at}`) })],
  [
    'an input of many names',
    (part) => asked(Object.fromEntries(listOf(part * 4_900, (at) => [`the${at}Password2`, `v${at}`]))),
  ],
  ['an input of many tokens', (part) => asked({ tokens: listOf(part * 4_900, (at) => `xoxb-1234567890-${at}`) })],
  ['an input of a long name', (part) => asked({ ['n'.repeat(part * 900_000)]: 1 })],
  ['an input of many lists', (part) => asked({ lists: listOf(part * 1_600, () => [[[]]]) })],
  ['a full view of marks', (part) => seen({ text: '\u0301\u0302'.repeat(part * 220_000) })],
  ['a reason beside many tokens', (part) => seen({ tokens: tokens(part) }, tokens(part).join(' ').slice(0, 1_000))],
  [
    'words beside many tokens',
    (part) =>
      run(
        'go',
        [{ content: [text(tokens(part).join(' ').slice(0, 64_000)), call('notes__echo', { tokens: tokens(part) })] }],
        'approval_deny',
      ),
  ],
  ...['fail-at-length', 'refuse-at-length', 'large'].map(
    (tool) =>
      [
        `a tool server in ${tool}`,
        (part: number) => run('go', [{ content: [call(`notes__${tool}`, { part })] }], 'approval_approve'),
      ] as const,
  ),
];

/** What stays below the promise is not measured at half of it. */
const QUICK_MS = 50;
const MOST_GROWTH = 2.8;

it.each(MESSAGES)('the bot turns to other work soon, whatever it is sent, here: %s (EDGE-7)', async (what, act) => {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3 && least >= MOST_GROWTH; times += 1) {
    const whole = await longestStay(() => act(1));
    process.stdout.write(`Longest stay at ${what}: ${whole.toFixed(0)} ms\n`);
    least = whole < QUICK_MS ? 1 : whole / Math.max(await longestStay(() => act(0.5)), TOLD_FROM_MS);
  }
  expect(least).toBeLessThan(MOST_GROWTH);
  expect(bot.isAlive()).toBe(true);
});
