import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../app/clock.ts';
import { LIMITS } from '../../app/limits.ts';
import { silentLog } from '../../app/log.ts';
import { threadKey, type UserId } from '../../app/records/index.ts';
import { openStore } from '../../app/store/open.ts';
import { ANN, BEN, TEAM } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, cardIn, logged, mention, openCards, openStage, reply, type Stage, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { entriesOf } from '../support/read-history.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Messages that were stored while no bot ran: in this order, whenever they were written. */
async function waiting(
  root: SlackMessage,
  messages: readonly { readonly user: string; readonly seconds: number; readonly text: string }[],
) {
  const { dataDir, redisUrl } = stage;
  const store = await openStore({ dataDir, clock: systemClock, log: silentLog, ...(redisUrl ? { redisUrl } : {}) });
  const thread = { team: TEAM, channel: root.channel, ts: root.ts };
  for (const { user, seconds, text } of messages) {
    const ts = (Number(root.ts) + seconds).toFixed(6);
    const item = JSON.stringify({ thread, user, userTeam: TEAM, ts, text });
    await store.take({ key: `m/${TEAM}/${root.channel}/${ts}`, thread: threadKey(thread), item });
  }
  await store.close();
}

const MANY = 5 * LIMITS.messagesAtOnce + 10;
const remarks = Array.from({ length: MANY }, (_, index) => ({
  user: BEN,
  seconds: 1 + index,
  text: `I see it too, ${index}`,
}));

const heard = (history: Awaited<ReturnType<typeof historyOf>>) =>
  history.runs.map((run) => entriesOf(run, 'person-said').map(({ key }) => key));

describe.each(ENGINES)('many messages on %s', (engine) => {
  it('that came while people were asked are all heard, and the run ends (D8, D9)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await first.kill();
    await waiting(root, remarks);

    const second = await stage.startBot();
    await stage.world.press(ANN, card, 'approval_approve');
    // To the last remark, of which it makes nothing.
    await reply(stage, root, 'I am a script');
    await aWhile();
    await second.kill();

    const history = await historyOf(stage, root);
    expect(witnessed(stage)).toHaveLength(1);
    expect(heard(history).map((keys) => keys.length)).toEqual([1 + MANY]);
    expect(brokenRules({ history, before: [], cutTurns: 1 })).toEqual([]);
  });

  it('that wait for a run begin one run, which shows all of them to the model (D8, D9)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'status');
    await reply(stage, root, 'This is what I see');
    await logged(first, 'A run came to its end.');
    await first.kill();
    await waiting(root, remarks);
    const asked = stage.sandbox.model.requests.length;

    const second = await stage.startBot();
    await stage.world.until(() => stage.sandbox.model.requests.length > asked);
    await aWhile(2_000);
    await second.kill();

    const history = await historyOf(stage, root);
    expect(heard(history).map((keys) => keys.length)).toEqual([1, MANY]);
    expect(JSON.stringify(stage.sandbox.model.requests[asked])).toContain(`I see it too, ${MANY - 1}`);
    expect(brokenRules({ history, before: [], cutTurns: 1 })).toEqual([]);
  });
});

describe('deliveries out of order', () => {
  /** A card waits, and of two more messages of its thread nothing has arrived yet. */
  async function twoOnTheirWay() {
    stage = await openStage({ sandbox: { eventRetryMs: [600_000] } });
    const bot = await stage.startBot({ http: true });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.sandbox.deliverTo('http://127.0.0.1:9/slack/events');
    const texts = ['look what is wrong', 'restart the search service'];
    const messages: SlackMessage[] = [];
    for (const text of texts) messages.push(await stage.world.say(BEN, root.channel, text, { thread: root }));
    await aWhile();
    stage.sandbox.deliverTo(`http://127.0.0.1:${bot.port}/slack/events`);
    const deliver = async (text: string) => {
      const about = stage.world.deliveries.filter(({ payload }) => JSON.stringify(payload).includes(text));
      for (const delivery of about) await stage.world.duplicate(delivery);
    };
    const keys = messages.map(({ channel, ts }) => `m/${TEAM}/${channel}/${ts}`);
    return { bot, root, card, keys, deliver, texts: { first: texts[0] ?? '', second: texts[1] ?? '' } };
  }

  const nextCard = (root: SlackMessage, before: SlackMessage) =>
    stage.world.until(() => openCards(stage, root).find(({ ts }) => ts !== before.ts));

  it('bring what was written while a card waited into the run in its order (FS10, D8)', async () => {
    const { bot, root, card, keys, deliver, texts } = await twoOnTheirWay();
    await deliver(texts.second);
    await deliver(texts.first);

    await stage.world.press(ANN, card, 'approval_approve');
    await nextCard(root, card);
    await bot.kill();

    const history = await historyOf(stage, root);
    expect(heard(history).map(([, ...others]) => others)).toEqual([keys]);
    expect(brokenRules({ history, before: [], cutTurns: 1 })).toEqual([]);
  });

  it('bring a late message behind those that were heard before, and none is lost (FS10, D8)', async () => {
    const { bot, root, card, keys, deliver, texts } = await twoOnTheirWay();
    await deliver(texts.second);
    await stage.world.press(ANN, card, 'approval_approve');
    const next = await nextCard(root, card);
    await deliver(texts.first);
    await aWhile();

    await stage.world.press(ANN, next, 'approval_deny');
    await stage.world.until(() => JSON.stringify(stage.sandbox.model.requests.at(-1)).includes(texts.first));
    await aWhile();
    await bot.kill();

    const history = await historyOf(stage, root);
    expect(heard(history).map(([, ...others]) => others)).toEqual([keys.toReversed()]);
    const judged = { history, before: [], cutTurns: 1 };
    expect(brokenRules(judged)).toEqual([expect.stringContaining('out of order')]);
    expect(brokenRules({ ...judged, late: keys.slice(0, 1) })).toEqual([]);
  });

  it('begin a run of the person who wrote first, and messages join it in their order (FS10, D8, P33)', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'status');
    await reply(stage, root, 'This is what I see');
    await logged(first, 'A run came to its end.');
    await first.kill();
    await waiting(root, [
      { user: BEN, seconds: 30, text: 'restart the search service' },
      { user: ANN, seconds: 20, text: 'look what is wrong' },
    ]);

    const second = await stage.startBot();
    await cardIn(stage, root);
    await second.kill();

    const [, run] = (await historyOf(stage, root)).runs;
    const requester: UserId | undefined = run === undefined ? undefined : entriesOf(run, 'run-started')[0]?.requester;
    expect(requester).toBe(ANN);
    const keys = run === undefined ? [] : entriesOf(run, 'person-said').map(({ key }) => key);
    expect(keys).toHaveLength(2);
    expect(keys).toEqual(keys.toSorted());
  });
});
