import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiObject } from '../../sandbox/json.ts';
import { type Answer, call, text } from '../../sandbox/model/answer.ts';
import { ANN, BEN, BOT, GENERAL, OPS } from '../../sandbox/people.ts';
import { cardIn, draws, mention, reply, type Stage } from '../support/bot.ts';
import { type MeasuredBot, startMeasured, TOLD_FROM_MS } from '../support/stays.ts';

const TOOLS = ['echo', 'fail-at-length', 'refuse-at-length', 'large', 'nested', 'drop', 'repeat'];
const CONFIG = {
  policy: {
    notes__drop: { effect: 'guarded', approvers: [BEN], secondFactor: true },
    notes__repeat: { effect: 'open', because: 'It changes nothing.' },
  },
  signOn: { header: 'x-forwarded-email', people: { 'ben@example.com': BEN } },
};

let measured: MeasuredBot;
let stage: Stage;
beforeAll(async () => {
  measured = await startMeasured(TOOLS, CONFIG);
  ({ stage } = measured);
  // What is compiled at its first use is not measured.
  for (let times = 0; times < 5; times += 1) await asked({ text: 'hello\n'.repeat(100_000) });
});
afterAll(() => measured.stop());

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

/** Opens the page on which a call is decided outside of Slack, and denies it there. */
async function onWeb(input: ApiObject): Promise<void> {
  stage.sandbox.model.next({ content: [call('notes__drop', input)] }, 'That is all.');
  channels.reverse();
  const root = await mention(stage, ANN, 'go', channels[0]);
  const card = await stage.world.until(() => stage.world.messages(root).find((one) => draws(one, 'approval_on_web')));
  const before = stage.world.ephemerals(BEN).length;
  await stage.world.press(BEN, card, 'approval_on_web');
  await stage.world.until(() => stage.world.ephemerals(BEN).length > before);
  const told = JSON.stringify(stage.world.ephemerals(BEN).at(-1));
  const link = /https:\/\/decide[^|"\\]+/.exec(told)?.[0]?.replaceAll('&amp;', '&') ?? '';
  const address = `http://127.0.0.1:${measured.bot.port}/decide`;
  const headers = { 'x-forwarded-email': 'ben@example.com', origin: 'https://decide.example.com' };
  const page = await fetch(`${address}${new URL(link).search}`, { headers });
  const [, form = ''] = /name="form" value="([^"]+)"/.exec(await page.text()) ?? [];
  await fetch(address, { method: 'POST', headers, body: new URLSearchParams({ form, verdict: 'deny', reason: '' }) });
  await reply(stage, root, 'That is all.');
}

/** Sends a message with files of this name, and one at an address of it. */
async function named(name: string): Promise<void> {
  stage.sandbox.model.next('That is all.');
  channels.reverse();
  const at = (path: string) => `${new URL(`/files-pri/${path}`, stage.sandbox.slackApiUrl)}`;
  const files = ['none', 'none', name].map((path) => ({ name, content: '', hostedUrl: at(path) }));
  const root = await stage.world.say(ANN, channels[0] ?? OPS, `<@${BOT}> go`, { files });
  await reply(stage, root, 'That is all.');
}

/** Lets an open tool answer, and writes into the thread again: the next run reads all of it. */
async function remembered(inputs: readonly ApiObject[]): Promise<void> {
  stage.sandbox.model.next({ content: inputs.map((input) => call('notes__repeat', input)) }, 'That is all.');
  channels.reverse();
  const root = await mention(stage, ANN, 'go', channels[0]);
  await reply(stage, root, 'That is all.');
  stage.sandbox.model.next('I remember.');
  await stage.world.say(ANN, root.channel, `<@${BOT}> again`, { thread: root });
  await reply(stage, root, 'I remember.');
}

const replied = (words: string) => run('go', [{ content: [text(words), call('none', {})] }]);
const listOf = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));
const repeated = (part: string, chars: number): string => `a${part.repeat(chars / part.length)}! end`;

/** Signs of the hostile texts that take the longest to read, each in its own way. */
const SLOWEST = ['eyJaaaaaaaa.', '-----BEGIN PRIVATE KEY-----\n', '<a:|', '[a](https://'];

/** Signs that are slow to draw. */
const DRAWN = [' ', '`', '| a |', '<@U0000000A> ', '\u202E', '\u0301', '\uD800'];

const tokens = (part: number) => listOf(part * 4_900, (at) => `xoxb-1234567890-${at}`);

/** One kind for each of these signs. */
const each = (
  what: string,
  signs: readonly string[],
  act: (sign: string, part: number) => Promise<void>,
): (readonly [string, (part: number) => Promise<void>])[] =>
  signs.map((sign) => [`${what} of ${JSON.stringify(sign)}`, (part) => act(sign, part)] as const);

/** As many of a sign as fit into the largest input, where JSON writes some of them longer. */
const filled = (sign: string, part: number): string =>
  sign.repeat((part * 900_000) / (Buffer.byteLength(JSON.stringify(sign)) - 2));

/** What one message of others may hold at most, and what it causes. `part` is a half of it, or all. */
const MESSAGES: readonly (readonly [string, (part: number) => Promise<void>])[] = [
  // Slack takes no longer ones.
  ...each('a message', SLOWEST, (sign, part) => run(repeated(sign, part * 39_900), [])),
  // About the most that the model answers with 16,000 tokens.
  ...each(
    'a reply',
    ['a\n', 'Approved\n', '漢字漢字漢字漢字\n', '```\n', '| a |\n', '<@U1', '\u202E', '\uD800'],
    (sign, part) => replied(repeated(sign, part * 64_000)),
  ),
  ...each('an input', SLOWEST, (sign, part) => asked({ text: repeated(sign, part * 900_000) })),
  ...each('an input', DRAWN, (sign, part) => asked({ text: filled(sign, part) })),
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
  ...each('a page outside of Slack', ['\u0301', '\u202E', '<', '\n'], (sign, part) =>
    onWeb({ text: filled(sign, part) }),
  ),
  ...each('file names', [...SLOWEST, '\u0301', '%25', '../api'], (sign, part) => named(repeated(sign, part * 39_900))),
  ...each('a memory of results', SLOWEST, (sign, part) =>
    remembered(listOf(part * 60, () => ({ text: sign, times: 20_000 / sign.length }))),
  ),
  ['a memory of a large input', (part) => remembered([{ text: filled('\u0301', part), times: 0 }])],
  [
    'words beside many tokens',
    (part) =>
      run(
        'go',
        [{ content: [text(tokens(part).join(' ').slice(0, 64_000)), call('notes__echo', { tokens: tokens(part) })] }],
        'approval_deny',
      ),
  ],
  ...each('what a tool server says', ['fail-at-length', 'refuse-at-length', 'large', 'nested'], (tool, part) =>
    run('go', [{ content: [call(`notes__${tool}`, { part })] }], 'approval_approve'),
  ),
];

/** What stays below the promise is not measured at half of it. */
const QUICK_MS = 50;
const MOST_GROWTH = 2.8;

it.each(MESSAGES)('the bot turns to other work soon, whatever it is sent, here: %s (EDGE-7)', async (what, act) => {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3 && least >= MOST_GROWTH; times += 1) {
    const whole = await measured.longestStay(() => act(1));
    process.stdout.write(`Longest stay at ${what}: ${whole.toFixed(0)} ms\n`);
    least = whole < QUICK_MS ? 1 : whole / Math.max(await measured.longestStay(() => act(0.5)), TOLD_FROM_MS);
  }
  expect(least).toBeLessThan(MOST_GROWTH);
  expect(measured.bot.isAlive()).toBe(true);
});
