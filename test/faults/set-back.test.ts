import { afterEach, expect, it } from 'vitest';
import { WORDS } from '../../app/runs/telling/words.ts';
import { ANN, BEN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  draws,
  mention,
  openCards,
  openStage,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { historyOf, linesOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

let stage: Stage;
let redis: RedisServer;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
});

it.each([
  ['that lives through it', false],
  ['that is started after it', true],
] as const)(
  'a Redis that is set back by some seconds, with a bot %s: a card it does not know loses its buttons (FR15)',
  async (_, restarts) => {
    redis = await startRedisServer();
    stage = await openStage({ redisUrl: redis.url });
    let bot = await stage.startBot();
    // The answer of the model that asks for the call is on its way.
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    redis.keep();
    const lost = await cardIn(stage, root);
    const before = await historyOf(stage, root);
    expect(before.runs[0]?.entries.map(({ type }) => type)).toContain('call-asked');

    if (restarts) await bot.kill();
    await redis.kill();
    await redis.setBack();
    await redis.start();
    if (restarts) bot = await stage.startBot();
    const asked = await stage.world.until(() => openCards(stage, root).find(({ ts }) => ts !== lost.ts), {
      what: 'it is asked again',
    });

    await stage.world.press(ANN, lost, 'approval_approve');
    await whisper(stage, ANN, 'I do not know this request');
    await stage.world.until(() => !draws(stage.world.message(lost) ?? lost, 'approval_deny'));
    expect(says(stage.world.message(lost) ?? lost, 'No longer on record')).toBe(true);
    if (!restarts) await reply(stage, root, WORDS.setBack);

    await stage.world.press(ANN, asked, 'approval_approve');
    await reply(stage, root, 'Done.');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    await bot.kill();
    const history = await historyOf(stage, root);
    // The lost card shows a decision that no journal has, and a text is posted again. All other rules hold, D1 above all.
    expect(brokenRules({ history, before: [], cutTurns: 1 })).toEqual([
      expect.stringMatching(/^D5: the card of \S+ shows an end that is not in the journal$/),
      `D12: ${history.runs[0]?.run}/turn/1 was posted twice`,
    ]);
    expect(history.done).toHaveLength(1);
  },
);

it('a run whose last answer the store has lost ends only after a new answer is recorded, and the thread hears of it once (MF-5, EDGE-3)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const bot = await stage.startBot();
  stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
  stage.sandbox.model.next('The first answer.', 'The second answer.');
  // The answer is on record while it is on its way to the thread.
  stage.world.faults.set('chat.postMessage', { type: 'slow', delayMs: 4_000 });
  const root = await mention(stage, ANN, 'what is up');
  await stage.world.until(() => stage.sandbox.model.requests.length === 1);
  redis.keep();
  await stage.world.until(() => stage.world.requests.some(({ method }) => method === 'chat.postMessage'), {
    what: 'the answer is on its way',
  });
  await redis.kill();
  await redis.setBack();
  await redis.start();

  await stage.world.until(() => stage.sandbox.model.requests.length === 2, { what: 'a new answer' });
  await reply(stage, root, 'The second answer');
  await stage.world.until(() => stage.world.session(root).status === 'active');
  expect(stage.world.messages(root).filter((message) => says(message, WORDS.setBack))).toHaveLength(1);
  await bot.kill();
  const { runs } = await historyOf(stage, root);
  expect(runs.map(({ entries }) => entries.map(({ type }) => type).filter((type) => ENDS.includes(type)))).toEqual([
    ['turn-answered', 'run-finished'],
  ]);
});

const ENDS: readonly string[] = ['turn-answered', 'run-finished', 'run-stopped'];

it('a thread hears that an answer in it is lost when the store was set back between two lives of the bot (EDGE-3)', async () => {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  const first = await stage.startBot();
  stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
  stage.sandbox.model.next('The first answer.', 'The second answer.');
  const root = await mention(stage, ANN, 'what is up');
  await stage.world.until(() => stage.sandbox.model.requests.length === 1);
  redis.keep();
  await reply(stage, root, 'The first answer');
  await first.kill();
  await redis.kill();
  await redis.setBack();
  await redis.start();
  await stage.startBot();

  await reply(stage, root, WORDS.setBack);
  await reply(stage, root, 'The second answer');
  await stage.world.until(() => stage.world.session(root).status === 'active');
  expect(stage.world.messages(root).filter((message) => says(message, WORDS.setBack))).toHaveLength(1);
});

it('a trust that a person ended stays ended when the store is set back below the bot that ended it (D1, EDGE-3)', async () => {
  const root = await trustKept();
  const say = (words: string) => stage.world.say(ANN, root.channel, `<@${BOT}> ${words}`, { thread: root });
  await say('untrust all');
  await reply(stage, root, 'the next call asks again');
  await setBack();

  await say('restart the payments service');

  await stage.world.until(() => openCards(stage, root).length > 0 || witnessed(stage).length > 1);
  expect(witnessed(stage)).toHaveLength(1);
});

it('a trust that two people ended at once stays ended in the name of the first when the store is set back (D5, EDGE-3)', async () => {
  const root = await trustKept();
  const card = stage.world.messages(root).find((message) => draws(message, 'trust_end'));
  if (card === undefined) throw new Error('No card ends the trust.');
  await Promise.all([ANN, BEN].map((user) => stage.world.press(user, card, 'trust_end')));
  const ended = await reply(stage, root, /Trust ended by/);
  await aWhile();
  await setBack();

  await stage.world.say(ANN, root.channel, `<@${BOT}> trusted`, { thread: root });

  await reply(stage, root, 'Nothing is trusted in this thread');
  const revoked = [...(await linesOf(stage)).values()].flatMap(
    (text) => /"grant-revoked".*?"by":"(\w+)"/.exec(text)?.[1] ?? [],
  );
  expect(revoked).toHaveLength(1);
  expect(says(ended, `Trust ended by <@${revoked[0]}>`)).toBe(true);
});

/** A thread in which a call ran on the yes to a trust, and a copy of the store in which that trust is in force. */
async function trustKept(): Promise<SlackMessage> {
  redis = await startRedisServer();
  stage = await openStage({ redisUrl: redis.url });
  // To draw a Home page, the bot looks at each trust, and would end it before the run does.
  stage.world.faults.set('views.publish', { type: 'platform', error: 'not_enabled' });
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
  await reply(stage, root, 'Done.');
  await stage.world.until(() => stage.world.session(root).status === 'active');
  redis.keep();
  return root;
}

async function setBack(): Promise<void> {
  await redis.kill();
  await redis.setBack();
  await redis.start();
}

it.each([
  ['that lives through it', false],
  ['that is started after it', true],
] as const)(
  'a call that a trust covers waits for a person in a run of which the store has lost a part, with a bot %s (D1, EDGE-3)',
  async (_, restarts) => {
    redis = await startRedisServer();
    stage = await openStage({ redisUrl: redis.url });
    let bot = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'Done.');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    const asked = stage.sandbox.model.requests.length;
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
    await stage.world.say(ANN, root.channel, `<@${BOT}> restart the payments service`, { thread: root });
    await stage.world.until(() => stage.sandbox.model.requests.length > asked);
    redis.keep();
    await stage.world.until(() => witnessed(stage).length === 2, { what: 'the trusted call ran' });
    await reply(stage, root, /without asking/);

    if (restarts) await bot.kill();
    await redis.kill();
    await redis.setBack();
    await redis.start();
    if (restarts) bot = await stage.startBot();

    await reply(stage, root, WORDS.setBack);
    await stage.world.until(() => openCards(stage, root).length > 0 || witnessed(stage).length > 2);
    expect(witnessed(stage)).toHaveLength(2);
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    expect(witnessed(stage)).toHaveLength(2);
  },
);
