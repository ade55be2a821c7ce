import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ANN, BOT, directChannel } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, cards, openCards, openStage, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { historyOf, linesOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { entriesOf, keyOf } from '../support/read-history.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

const TEN_MINUTES_MS = 10 * 60_000;
/** As `own-clock.config.ts` has it. */
const REMIND_AFTER_MS = 3_000;
/** A sweep, a painting and a busy computer. A clock that is ten minutes off would take ten minutes. */
const SOON_MS = 60_000;

const OWN_CLOCK = `--import ${join(import.meta.dirname, '../support/own-clock.ts')}`;

/** Redis has the clock of this computer, and so has the pretended Slack; each bot has a wrong one. */
it('questions end by the clock of the store when one replica is ten minutes ahead and too fast and another ten minutes behind and too slow (FT1, D14)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const { world } = stage;
  // Slack limits messages per channel. Waiting for that limit would disturb this test.
  const channels = [...channelsLikeOps(stage, 6)];
  const asks = (bot: RunningBot) => tells(bot, channels.pop() ?? '', `<@${BOT}> restart the payments service`);
  // A bot whose clock is five minutes ahead refuses signed requests of Slack, so this bot has a socket.
  const ahead = await startWith(`${TEN_MINUTES_MS} 1.5`, false);
  const behind = await startWith(`${-TEN_MINUTES_MS} 0.5`, true);
  for (const [bot, wrongByMs] of [
    [ahead, TEN_MINUTES_MS],
    [behind, -TEN_MINUTES_MS],
  ] as const) {
    expect(Math.abs(clockOf(bot) - Date.now() - wrongByMs)).toBeLessThan(TEN_MINUTES_MS / 2);
  }
  const bots = [ahead, behind];
  const otherThan = (bot: RunningBot) => (bot === ahead ? behind : ahead);

  // A trust that one bot stored covers calls of the other bot.
  const trusting: SlackMessage[] = [];
  for (const bot of bots) {
    const root = await asks(bot);
    await press(bot, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'Done. The payments');
    await tells(otherThan(bot), root, 'restart the mail service');
    await reply(stage, root, 'Done. The mail');
    expect(cards(stage, root)).toHaveLength(1);
    trusting.push(root);
  }

  const inTime: SlackMessage[] = [];
  const tooLate: SlackMessage[] = [];
  for (const bot of bots) {
    inTime.push(await asks(bot));
    tooLate.push(await asks(bot));
  }
  for (const root of [...inTime, ...tooLate]) await cardIn(stage, root);

  // Shortly before the end it is open, also when it is over by the fast clock, and a press counts, also with the replica that did not ask.
  for (const [at, root] of inTime.entries()) {
    const { expiresAtMs } = await askedIn(root);
    await storeSays(expiresAtMs - 4_000);
    await press(at === 0 ? behind : ahead, await cardIn(stage, root), 'approval_approve');
  }
  for (const root of inTime) await reply(stage, root, 'Done. The payments');

  // After the end no press counts, with either replica, and the presser is told why.
  for (const root of tooLate) {
    const { approval, atMs, expiresAtMs } = await askedIn(root);
    await world.until(() => openCards(stage, root).length === 0, { withinMs: SOON_MS, what: 'it expires' });
    expect(await storeMs()).toBeGreaterThanOrEqual(expiresAtMs);
    for (const bot of bots)
      expect(await toldBy(bot, cards(stage, root)[0], approval)).toMatch(/^Nobody answered in time/);
    await reply(stage, root, 'Understood');
    const [remindedMs, ...again] = remindersOf(approval);
    expect(remindedMs).toBeGreaterThanOrEqual(atMs + REMIND_AFTER_MS);
    expect(again).toEqual([]);
  }

  // And an expired trust covers no call.
  for (const untilMs of await endsOfTrust()) await storeSays(untilMs);
  for (const [at, root] of trusting.entries()) {
    await tells(at === 0 ? behind : ahead, root, 'restart the search service');
    await press(at === 0 ? ahead : behind, await cardIn(stage, root), 'approval_deny');
    await reply(stage, root, 'Understood');
  }
  for (const root of [...trusting, ...inTime, ...tooLate])
    await world.until(() => world.session(root).status === 'active');
  await Promise.all(bots.map((bot) => bot.kill()));

  const history = await historyOf(stage, ...trusting, ...inTime, ...tooLate);
  expect(brokenRules({ history, before: [], cutTurns: 0 })).toEqual([]);
  expect(history.done).toHaveLength(6);
  const expired = history.runs.flatMap((run) => entriesOf(run, 'call-expired'));
  expect(expired).toHaveLength(2);
  const nowMs = Date.now();
  // Entries have the store's time too, and not that of either bot.
  for (const { atMs } of history.runs.flatMap(({ entries }) => entries)) {
    expect(Math.abs(nowMs - atMs)).toBeLessThan(TEN_MINUTES_MS / 2);
  }
});

function startWith(ownClock: string, http: boolean): Promise<RunningBot> {
  const env = { COUNTERSIGN_CONFIG: 'test/faults/own-clock.config.ts', NODE_OPTIONS: OWN_CLOCK, OWN_CLOCK: ownClock };
  return stage.startBot({ http, env });
}

/** The time of its last log line, by its own clock. */
function clockOf(bot: RunningBot): number {
  const [last = ''] =
    bot
      .log()
      .match(/(?<="time":")[^"]+/g)
      ?.slice(-1) ?? [];
  return Date.parse(last);
}

/** From now on only this bot gets the deliveries of people. */
function via({ port }: RunningBot): void {
  if (port === undefined) stage.sandbox.deliverTo();
  else stage.sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);
}

/** Writes into a thread, or begins a new one in a channel. */
async function tells(bot: RunningBot, where: SlackMessage | string, text: string): Promise<SlackMessage> {
  via(bot);
  const { world } = stage;
  const said =
    typeof where === 'string'
      ? await world.say(ANN, where, text)
      : await world.say(ANN, where.channel, text, { thread: where });
  await Promise.all(world.deliveriesOf(said).map(({ settled }) => settled));
  return said;
}

async function press(bot: RunningBot, card: SlackMessage, action: string): Promise<void> {
  via(bot);
  await stage.world.press(ANN, card, action);
}

/** The answer to a person who still sees the buttons. */
async function toldBy(bot: RunningBot, card: SlackMessage | undefined, approval: string): Promise<string> {
  if (card === undefined) throw new Error('There is a card.');
  via(bot);
  const before = stage.world.ephemerals(ANN).length;
  await stage.world.press(ANN, card, 'approval_approve', { forged: true, value: approval });
  const told = await stage.world.until(() => stage.world.ephemerals(ANN)[before], { what: 'they are told' });
  return told.text;
}

async function askedIn(root: SlackMessage) {
  const { runs } = await historyOf(stage, root);
  const [asked] = runs.flatMap((run) => entriesOf(run, 'call-asked'));
  if (asked === undefined) throw new Error('There is a question.');
  return asked;
}

async function endsOfTrust(): Promise<readonly number[]> {
  const lines = [...(await linesOf(stage)).values()];
  const ends = lines.flatMap((line) => /(?<="type":"grant-given".*"untilMs":)\d+/.exec(line)?.[0] ?? []);
  expect(ends).toHaveLength(2);
  return ends.map(Number);
}

/** When the bot called the person who can decide, by Slack's times. */
const remindersOf = (approval: string): readonly number[] =>
  stage.world
    .channel(directChannel(ANN))
    .filter((message) => keyOf(message) === `reminder:${approval}`)
    .map(({ ts }) => Number(ts) * 1_000);

async function storeMs(): Promise<number> {
  const [seconds, micros] = await redis.client().time();
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}

async function storeSays(ms: number): Promise<void> {
  for (let leftMs = 1; leftMs > 0; leftMs = ms - (await storeMs()))
    await new Promise((resolve) => setTimeout(resolve, leftMs));
}
