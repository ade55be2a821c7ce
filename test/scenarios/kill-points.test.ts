import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STEPS, type Step } from '../../app/step.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { Message } from '../../sandbox/records.ts';
import { cardIn, doubtIn, draws, reply, says } from '../support/bot.ts';
import { dyingWalk, type Walked } from '../support/dying-walk.ts';
import { cardsIn, ENDS, PLAIN, type Row, TESTED, witnessesAgree } from '../support/kill-rows.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

/** With another replica, what matters is who goes on. */
const TAKEN_OVER: ReadonlySet<Row['at']> = new Set<Row['at']>([
  'delivery-stored',
  'thread-taken',
  'run-started',
  'turn-answered',
  'call-asked',
  'card-begun',
  'card-posted',
  'call-waiting',
  'call-decided',
  'waiter-woken',
  'call-starting',
  'call-started',
  'tool-returned',
  'call-finished',
  'post-sent:2',
]);

describe.concurrent('a bot that dies and is started again', { timeout: 180_000 }, () => {
  it.each(PLAIN)('$id after $at: $must', async (row) => {
    witnessesAgree(await dyingWalk({ dieAt: [row.at], ends: ENDS }), row);
  });

  it.each<readonly [Step]>([['model-streaming'], ['card-posted'], ['call-starting']])(
    'FK23 after %s twice in a row: it goes on',
    async (at) => {
      const early = at === 'card-posted' ? { onlyLastIsPressed: true as const } : {};
      witnessesAgree(await dyingWalk({ dieAt: [at, at], ends: ENDS, ...early }), {});
    },
  );

  it('FK13 after press-received: the card was live when nobody was there', async () => {
    const { before } = await dyingWalk({ dieAt: ['press-received'], ends: ENDS });
    expect(before[0]?.messages.filter((message) => draws(message, 'approval_deny'))).toHaveLength(1);
    expect(before[0]?.begun).toEqual([]);
  });

  it('FK5 after message-joined: what was written while it waited is said to the model once', async () => {
    const { history } = await dyingWalk({
      dieAt: ['message-joined'],
      meanwhile: async (stage, root) => {
        await stage.world.until(() => stage.world.messages(root).length > 1);
        await stage.world.say(ANN, root.channel, 'hello', { thread: root });
      },
      ends: /Hello!/,
    });
    expect(history.done).toHaveLength(1);
    expect(history.modelRequests).toBe(2);
  });

  it('FK21 after run-finished with a message in the inbox: a new run answers it', async () => {
    const { history } = await dyingWalk({
      dieAt: ['run-finished'],
      meanwhile: async (stage, root) => {
        stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1 });
        stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 3_000 });
        await stage.world.until(() => stage.sandbox.model.requests.length === 2, { withinMs: 60_000 });
        await stage.world.say(ANN, root.channel, 'hello', { thread: root });
      },
      ends: /Hello!/,
    });
    expect(history.runs).toHaveLength(2);
    expect(history.done).toHaveLength(1);
  });

  it('FK22 after call-expired: it did not run, and the thread is told', async () => {
    const { history } = await dyingWalk({
      dieAt: ['call-expired'],
      env: { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' },
      verdict: 'nobody',
      ends: /Understood/,
    });
    expect(history.begun).toEqual([]);
  });

  it('FK22 after run-stopped: it did not run, and the thread is told once who stopped it', async () => {
    const { history } = await dyingWalk({
      dieAt: ['run-stopped'],
      verdict: 'nobody',
      meanwhile: async (stage, root) => {
        await cardIn(stage, root);
        await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
      },
      ends: /Stopped by/,
    });
    expect(history.begun).toEqual([]);
    expect(history.messages.filter((message) => says(message, /Stopped by/))).toHaveLength(1);
  });

  it('P6 FK16 after call-decided, with a stop on its way: the yes is used, or its card says that it was not', async () => {
    const { history } = await dyingWalk({
      dieAt: ['call-decided'],
      meanwhile: async (stage, root) => {
        const card = await cardIn(stage, root);
        await stage.world.until(() => stage.world.deliveries.some(({ payload }) => pressedOn(payload, card)));
        await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
      },
      ends: /Stopped by|Done\. The/,
    });
    const started = history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'call-started'));
    const unused = cardsIn(history.messages).filter((card) => says(card, 'Not run:'));
    expect(started.length + unused.length).toBe(1);
    expect(history.begun).toHaveLength(started.length);
  });

  it('FK22 after call-decided with trust: the trust that was shown is there', async () => {
    const { history } = await dyingWalk({
      dieAt: ['call-decided'],
      verdict: 'trust',
      afterwards: async (stage, root) => {
        await reply(stage, root, 'Done. The payments');
        await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
      },
      ends: /Done\. The mail/,
    });
    expect(history.done).toHaveLength(2);
    expect(cardsIn(history.messages)).toHaveLength(1);
  });

  it('FK22 after trust-used: the call runs once on the trust that covers it', async () => {
    const { history } = await dyingWalk({
      dieAt: ['trust-used'],
      verdict: 'trust',
      meanwhile: async (stage, root) => {
        await reply(stage, root, 'Done. The payments');
        await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
      },
      ends: /Done\. The mail/,
    });
    expect(history.done).toHaveLength(2);
    expect(cardsIn(history.messages)).toHaveLength(1);
  });

  it('FK22 after trust-taken: what somebody has taken back asks again, and they are told', async () => {
    const { history } = await dyingWalk({
      dieAt: ['trust-taken'],
      verdict: 'trust',
      meanwhile: async (stage, root) => {
        await reply(stage, root, 'Done. The payments');
        await stage.world.say(ANN, root.channel, `<@${BOT}> untrust restart_service`, { thread: root });
      },
      afterwards: async (stage, root) => {
        await reply(stage, root, /is not trusted here|Trust ended for/);
        await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
      },
      ends: /Done\. The mail/,
    });
    expect(history.done).toHaveLength(2);
    expect(cardsIn(history.messages)).toHaveLength(2);
    expect(history.messages.filter((message) => says(message, /is not trusted here/))).toHaveLength(1);
  });

  it('FK9 FK14 after card-posted and then call-decided: the card without a receipt loses its buttons', async () => {
    const walked = await dyingWalk({
      dieAt: ['card-posted', 'call-decided'],
      // The second bot is pressed before it has found the card that the first one posted.
      meanwhile: async (stage) => stage.world.faults.set('conversations.replies', { type: 'slow', delayMs: 2_500 }),
      ends: ENDS,
    });
    witnessesAgree(walked, {});
  });

  it('FK25 with three calls at once: one is done, one is unknown, one waits', async () => {
    const { history, before } = await dyingWalk({
      dieAt: ['call-started:2'],
      text: 'restart everything',
      verdict: 'nobody',
      meanwhile: async (stage, root) => {
        const first = await cardIn(stage, root);
        await cardIn(stage, root, 2);
        await stage.world.press(ANN, first, 'approval_approve');
        await stage.world.until(() => says(stage.world.message(first) ?? first, /Ran in/));
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      },
      afterwards: async (stage, root) => {
        await doubtIn(stage, root);
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      },
      ends: /Restarted:/,
    });
    const count = (walked: Walked['history'] | undefined, type: string) =>
      walked?.runs.flatMap(({ entries }) => entries.filter((entry) => entry.type === type)).length;
    expect(['call-asked', 'call-started', 'call-finished'].map((type) => count(before[0], type))).toEqual([3, 2, 1]);
    expect(count(history, 'call-unknown')).toBe(1);
    expect(history.done).toHaveLength(2);
  });
});

/** The same walk with a model that speaks slowly: people read along when the bot dies. */
const READ_ALONG: readonly Row[] = [
  { id: 'FK6', at: 'reply-begun', must: 'nothing stands there, and the answer is begun again' },
  { id: 'FK6', at: 'reply-opened', must: 'the message without words is found and taken back' },
  { id: 'FK6', at: 'reply-placed', must: 'the message is taken back' },
  { id: 'FK6', at: 'reply-grown', must: 'the half answer is taken back' },
  { id: 'FK7', at: 'turn-answered', must: 'the half answer becomes the whole one' },
  { id: 'FK20', at: 'post-sent', must: 'it is told once, where people read along' },
  { id: 'FK20', at: 'post-recorded', must: 'it is told once, where people read along' },
];

describe.concurrent('a bot that dies while people read along', { timeout: 180_000 }, () => {
  it.each(READ_ALONG)('$id after $at: $must', async (row) => {
    const cutTurns = row.at.startsWith('reply-') ? 1 : 0;
    witnessesAgree(await dyingWalk({ dieAt: [row.at], slowly: true, cutTurns, ends: ENDS }), row);
  });
});

describe.concurrent('a bot that dies while another replica is there', { timeout: 180_000 }, () => {
  let redis: RedisServer;
  let database = 0;
  beforeAll(async () => {
    redis = await startRedisServer('--databases', '100');
  });
  afterAll(() => redis.remove());
  const ownDatabase = () => {
    database += 1;
    return `${redis.url}/${database}`;
  };

  it.each(PLAIN.filter(({ at }) => TAKEN_OVER.has(at)))('$id after $at: $must', async (row) => {
    witnessesAgree(await dyingWalk({ dieAt: [row.at], redisUrl: ownDatabase(), ends: ENDS }), row);
  });

  it.each(READ_ALONG.filter(({ at }) => at === 'reply-opened' || at === 'reply-grown' || at === 'turn-answered'))(
    '$id after $at, while people read along: $must',
    async (row) => {
      const cutTurns = row.at.startsWith('reply-') ? 1 : 0;
      const walked = await dyingWalk({
        dieAt: [row.at],
        redisUrl: ownDatabase(),
        slowly: true,
        cutTurns,
        ends: ENDS,
      });
      witnessesAgree(walked, row);
    },
  );

  it('FK23 after card-posted twice in a row: it goes on', async () => {
    const dieAt = ['card-posted', 'card-posted'];
    witnessesAgree(await dyingWalk({ dieAt, redisUrl: ownDatabase(), onlyLastIsPressed: true, ends: ENDS }), {});
  });
});

it('has a test for each step that is named in code', () => {
  expect(STEPS.map(({ name }) => name).filter((name) => !TESTED.includes(name))).toEqual([]);
});

const pressedOn = (payload: unknown, { ts }: Message): boolean =>
  JSON.stringify(payload).includes(`"message_ts":"${ts}"`);
