import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BOT, GENERAL, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { mention, reply } from '../support/bot.ts';
import { ENGINES } from '../support/engines.ts';
import { type MeasuredBot, startMeasured } from '../support/stays.ts';

const CONFIG = { policy: { notes__draw: { effect: 'open', because: 'It changes nothing.' } } };

let measured: MeasuredBot;

/** By turns, because a channel takes one message a second. */
const channels = [OPS, GENERAL];

/** Sends a message with so many files, as often as that, and writes into the thread again: the next run reads all of it. */
async function sent(content: Buffer, count: number, times = 1): Promise<void> {
  const { stage } = measured;
  channels.reverse();
  const channel = channels[0] ?? OPS;
  const files = Array.from({ length: count }, (_, at) => ({ name: `${at}.png`, content }));
  let root: SlackMessage | undefined;
  for (let time = 0; time <= times; time += 1) {
    stage.sandbox.model.next(`I have read ${time}.`);
    const message = { ...(root && { thread: root }), ...(time < times && { files }) };
    const said = await stage.world.say(ANN, channel, `<@${BOT}> go`, message);
    root ??= said;
    await reply(stage, root, `I have read ${time}.`);
  }
}

/** Lets a tool server answer with a picture, and writes into the thread again. */
async function drawn(): Promise<void> {
  const { stage } = measured;
  stage.sandbox.model.next({ content: [call('notes__draw', {})] }, 'That is all.', 'I remember.');
  channels.reverse();
  const root = await mention(stage, ANN, 'go', channels[0]);
  await reply(stage, root, 'That is all.');
  await stage.world.say(ANN, root.channel, `<@${BOT}> again`, { thread: root });
  await reply(stage, root, 'I remember.');
}

const beginning = (start: readonly number[], bytes: number): Buffer => {
  const content = Buffer.alloc(bytes, 'a');
  content.set(start);
  return content;
};
const picture = (bytes: number) => beginning([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], bytes);
const pdf = (bytes: number) => beginning([...Buffer.from('%PDF-1.4\n')], bytes);
const text = (bytes: number) => beginning([...Buffer.from('words')], bytes);

const MESSAGES: readonly (readonly [string, () => Promise<void>])[] = [
  ['four pictures of 3.5 MB', () => sent(picture(3_500_000), 4)],
  ['eight pictures of 3.5 MB', () => sent(picture(3_500_000), 8)],
  ['a PDF of 5 MB', () => sent(pdf(5_000_000), 1)],
  ['eight PDFs of 5 MB', () => sent(pdf(5_000_000), 8)],
  ['PDFs of 5 MB in five messages', () => sent(pdf(5_000_000), 1, 5)],
  ['eight texts of 0.4 MB', () => sent(text(400_000), 8)],
  ['a picture of a tool server', drawn],
];

const QUICK_MS = 50;

describe.each(ENGINES)('a message with files (%s)', (engine) => {
  beforeAll(async () => {
    measured = await startMeasured(['draw'], CONFIG, engine);
    // What is compiled at its first use is not measured.
    for (let times = 0; times < 5; times += 1) await sent(picture(100_000), 8);
  });
  afterAll(() => measured.stop());

  it.each(MESSAGES)('never keeps the bot from other work for long, here %s (EDGE-7)', async (what, act) => {
    let least = Number.POSITIVE_INFINITY;
    for (let times = 0; times < 3 && least >= QUICK_MS; times += 1) {
      least = Math.min(least, await measured.longestStay(act));
      process.stdout.write(`Longest stay at ${what} on ${engine}: ${least.toFixed(0)} ms\n`);
    }
    expect(least).toBeLessThan(QUICK_MS);
    expect(measured.bot.isAlive()).toBe(true);
  });
});
