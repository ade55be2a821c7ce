import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BEN, BOT, OPS, ZOE } from '../../sandbox/people.ts';
import {
  aWhile,
  cardIn,
  cards,
  mention,
  openCards,
  openStage,
  pressUntilRecorded,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { startRedisServer } from '../support/redis.ts';

let stage: Stage;
afterEach(() => stage?.close());

const ONCE_TRIES = { env: { COUNTERSIGN_CONFIG: 'test/support/impatient.config.ts' } };

describe('the model', () => {
  it.each([
    ['says that it is overloaded', { type: 'platform', error: 'overloaded_error' } as const],
    ['answers 500', { type: 'status', status: 500 } as const],
    ['breaks off half-way', { type: 'cut', afterEvents: 4 } as const],
    ['refuses the key', { type: 'platform', error: 'authentication_error' } as const],
  ])('%s: the thread is told in words, nothing runs, and a later message works (FM1)', async (_what, fault) => {
    stage = await stageOn('sqlite');
    await stage.startBot(ONCE_TRIES);
    stage.sandbox.model.faults.set('messages', fault);

    const root = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, root, 'I could not get an answer from the model');
    expect(witnessed(stage, 'begun')).toEqual([]);

    stage.sandbox.model.faults.clear();
    await stage.world.say(ANN, root.channel, 'restart the payments service', { thread: root });
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
  });

  it('fails after the tool ran: the tool is not run again, and the thread says so', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot(ONCE_TRIES);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.sandbox.model.faults.set('messages', { type: 'status', status: 500 });

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'I could not get an answer from the model');

    expect(witnessed(stage)).toHaveLength(1);
  });
});

describe('Slack', () => {
  it('refuses the card: the tool does not run, and the requester is told why (P38)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    // No text before the call, so the first post is the card.
    stage.sandbox.model.next({ content: [call('restart_service', { service: 'payments' })] });
    stage.world.faults.set('chat.postMessage', { type: 'platform', error: 'invalid_blocks' });

    const root = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, root, 'could not show the approval card');

    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(cards(stage, root)).toEqual([]);
    await stage.world.until(() => /did not run/.test(JSON.stringify(stage.sandbox.model.requests.at(-1))));
  });

  it('loses the reply to the card’s post: there is one live card (P22, FS7)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    stage.world.faults.set('chat.postMessage', { type: 'lost' }, 2);

    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await aWhile(1500);
    expect(openCards(stage, root)).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(1);

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('cannot repaint the card: the decision counts, and the card is painted later (P14, P21)', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.world.faults.set('chat.update', { type: 'status', status: 500 }, Number.POSITIVE_INFINITY);

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    expect(openCards(stage, root)).toHaveLength(1);
    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, /already/);

    await first.kill();
    stage.world.faults.clear();
    await stage.startBot();
    await stage.world.until(() => openCards(stage, root).length === 0);
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('hangs at the address for the private answer: the presser is told another way, soon (P14)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.world.faults.set('response_url', { type: 'hang' });

    await stage.world.press(ZOE, card, 'approval_approve');

    await whisper(stage, ZOE, 'can decide');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it.each(['/trusted', '/approvals'])(
    'hangs at the address for the answer to %s: its writer is told another way, and nothing else (SURF-3)',
    async (name) => {
      stage = await stageOn('sqlite');
      await stage.startBot();
      stage.world.faults.set('response_url', { type: 'hang' });

      await stage.world.command(ANN, OPS, name);

      await whisper(stage, ANN, /^Nothing/);
      expect(stage.world.ephemerals(ANN)).toHaveLength(1);
    },
  );

  it('has deleted the card before the press arrives: the decision counts (P14, B9, FS9)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    const pressing = stage.world.press(ANN, card, 'approval_approve');
    await stage.world.remove(card);
    await pressing;

    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('has deleted a card that waits: it is shown once more, and its new buttons decide (B9)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.remove(card);
    const again = await stage.world.until(() => openCards(stage, root).find(({ ts }) => ts !== card.ts));
    await aWhile();

    expect(openCards(stage, root)).toHaveLength(1);
    await stage.world.press(ANN, again, 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    await stage.world.until(() => openCards(stage, root).length === 0);
    // What is decided needs no card any more.
    await stage.world.remove(stage.world.message(again) ?? again);
    await aWhile();
    expect(cards(stage, root)).toHaveLength(0);
  });

  it('has deleted a card with many calls: what waits is shown once more, with what was decided (B9)', async () => {
    stage = await stageOn('redis');
    await stage.startBot();
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the fleet');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_deny');
    await stage.world.until(() => says(stage.world.message(card) ?? card, '1. Denied'));
    await stage.world.remove(card);
    const again = await cardIn(stage, root);

    expect(says(again, '1. Denied')).toBe(true);
    await stage.world.press(ANN, again, 'list_approve_all');
    await reply(stage, root, 'The fleet: 3 of 4');
    expect(cards(stage, root)).toHaveLength(1);
    await stage.world.until(() => openCards(stage, root).length === 0);
  });

  it('has deleted a card that waits without an event: the next repaint finds out, and shows it once more (B9, FS9)', async () => {
    stage = await stageOn('redis');
    const env = { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' };
    await stage.startBot({ env });
    await stage.startBot({ env });
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    const pressing = stage.world.press(BEN, card, 'approval_approve');
    await stage.world.remove(card, { untold: true });
    await pressing;
    const again = await cardIn(stage, root);
    await aWhile();

    expect(says(again, '1 of 2')).toBe(true);
    expect(openCards(stage, root)).toHaveLength(1);
    await stage.world.press(ZOE, again, 'approval_approve');
    await reply(stage, root, 'The old database is gone.');
    expect(witnessed(stage)).toHaveLength(1);
    await stage.world.until(() => openCards(stage, root).length === 0);
  });

  it('has deleted a card with many calls without an event: what waits is shown once more (B9, FS9)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the fleet');
    const card = await cardIn(stage, root);
    const pressing = stage.world.press(ANN, card, 'approval_deny');
    await stage.world.remove(card, { untold: true });
    await pressing;
    const again = await cardIn(stage, root);

    expect(says(again, '1. Denied')).toBe(true);
    await stage.world.press(ANN, again, 'list_approve_all');
    await reply(stage, root, 'The fleet: 3 of 4');
    expect(cards(stage, root)).toHaveLength(1);
    await stage.world.until(() => openCards(stage, root).length === 0);
  });

  it('wrongly says that a card is gone: no second one is posted, and its buttons decide (B9, FS9)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' } });
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    stage.world.faults.set('chat.update', { type: 'platform', error: 'message_not_found' });
    await stage.world.press(BEN, card, 'approval_approve');
    await aWhile();

    expect(openCards(stage, root).map(({ ts }) => ts)).toEqual([card.ts]);
    await stage.world.press(ZOE, card, 'approval_approve');
    await reply(stage, root, 'The old database is gone.');
    await stage.world.until(() => openCards(stage, root).length === 0);
    expect(cards(stage, root)).toHaveLength(1);
  });

  it('answers 500 to each method of the walk, one after the other: nothing runs without a decision (FS6)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const methods = ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'agents.sessions.setStatus'];
    for (const method of methods) {
      stage.world.faults.set(method, { type: 'status', status: 500 }, 1);
      const before = witnessed(stage, 'begun').length;
      const root = await mention(stage, ANN, 'restart the payments service');
      const card = await cardIn(stage, root);
      expect(witnessed(stage, 'begun')).toHaveLength(before);
      await stage.world.press(ANN, card, 'approval_approve');
      await reply(stage, root, 'Done.');
      expect(witnessed(stage)).toHaveLength(before + 1);
      stage.world.faults.clear();
    }
  });

  it('refuses every post: nothing runs, and the thread is told when posts work again (FS6)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    stage.world.faults.set('chat.postMessage', { type: 'status', status: 500 }, Number.POSITIVE_INFINITY);
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(
      () => stage.world.requests.filter(({ method }) => method === 'chat.postMessage').length >= 3,
    );
    await aWhile(8_000);
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(stage.world.messages(root).filter(({ user }) => user === BOT)).toEqual([]);

    stage.world.faults.clear();
    await reply(stage, root, /could not show the approval card|Understood/);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

describe('the store', () => {
  it('cannot record a press: the card stays, the presser hears so, and pressing again works (P1, B16, D5)', async () => {
    const redis = await startRedisServer();
    try {
      stage = await openStage({ redisUrl: redis.url });
      await stage.startBot();
      const root = await mention(stage, ANN, 'restart the payments service');
      const card = await cardIn(stage, root);

      await redis.kill();
      await stage.world.press(ANN, card, 'approval_approve');
      await whisper(stage, ANN, /not recorded/);
      expect(openCards(stage, root)).toHaveLength(1);
      expect(witnessed(stage, 'begun')).toEqual([]);

      await redis.start();
      await pressUntilRecorded(stage, root, card);
      await reply(stage, root, 'Done.');
      expect(witnessed(stage)).toHaveLength(1);
    } finally {
      await redis.remove();
    }
  });

  it('cannot keep a message: its writer hears so, and Slack’s next delivery is taken', async () => {
    const redis = await startRedisServer();
    try {
      stage = await openStage({ redisUrl: redis.url, sandbox: { eventRetryMs: [1_000, 2_000, 4_000, 8_000, 16_000] } });
      await stage.startBot();
      await redis.kill();
      const root = await mention(stage, ANN, 'restart the payments service');
      await whisper(stage, ANN, 'could not save your message');

      await redis.start();
      await pressUntilRecorded(stage, root, await cardIn(stage, root));
      await reply(stage, root, 'Done.');
      expect(witnessed(stage)).toHaveLength(1);
    } finally {
      await redis.remove();
    }
  });

  it('goes away while the tool runs: the tool ran once, and the thread gets the truth', async () => {
    const redis = await startRedisServer();
    try {
      stage = await openStage({ redisUrl: redis.url });
      await stage.startBot({ env: { EXAMPLE_TOOL_MS: '1500' } });
      const root = await mention(stage, ANN, 'restart the payments service');
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      await stage.world.until(() => witnessed(stage, 'begun').length === 1);

      await redis.kill();
      await aWhile(3_000);
      await redis.start();
      await reply(stage, root, /Done\.|do not know whether it finished/);
      await aWhile(2_000);
      expect(witnessed(stage, 'begun')).toHaveLength(1);
    } finally {
      await redis.remove();
    }
  });
});

describe('a stop', () => {
  it('cancels all open questions and names the person who stopped the run', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
    await reply(stage, root, `Stopped by <@${ANN}>`);
    expect(stage.world.messages(root).filter((message) => says(message, /^Stopped/))).toHaveLength(1);

    await stage.world.until(() => openCards(stage, root).length === 0);
    expect(says(stage.world.message(card) ?? card, /cancel|stopped/i)).toBe(true);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});
