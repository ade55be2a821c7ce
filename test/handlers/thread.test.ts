import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../app/clock.ts';
import { createSlackClient } from '../../handlers/client.ts';
import { createSurface } from '../../handlers/thread.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../support/slack.ts';
import { parts } from './parts.ts';
import { textOf } from './views/fits.ts';
import { approved, pending, THREAD } from './views/records.ts';

let api: SlackApi;
beforeEach(() => {
  api = slackApi();
});

const rateLimited: Reply = { type: 'status', status: 429, headers: { 'retry-after': '0' } };
const failed: Reply = { type: 'status', status: 500 };
const refused = (error: string): Reply => ({ type: 'json', body: { ok: false, error } });
const holding = (...keys: readonly string[]): Reply => ({
  type: 'json',
  body: {
    messages: keys.map((key, index) => ({
      ts: `1795251700.00010${index}`,
      metadata: { event_type: 'countersign_post', event_payload: { key } },
    })),
  },
});
const CARD = `card:${pending().id}`;

function surface() {
  const bot = parts();
  return {
    ...createSurface({ client: createSlackClient({ botToken: TOKEN }, bot.log), log: bot.log, clock: testClock() }),
    bot,
  };
}

describe('a post', () => {
  it('P23 stands in the thread, without previews, and carries its key', async () => {
    const receipt = await surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: false });

    expect(receipt).toEqual({ channel: THREAD.channel, ts: '1795251700.000001' });
    expect(api.to('chat.postMessage').map(({ args }) => args)).toEqual([
      expect.objectContaining({
        channel: THREAD.channel,
        thread_ts: THREAD.ts,
        text: 'Done.',
        blocks: [{ type: 'markdown', text: 'Done.' }],
        metadata: { event_type: 'countersign_post', event_payload: { key: 'run:1' } },
        unfurl_links: 'false',
        unfurl_media: 'false',
      }),
    ]);
    expect(api.to('conversations.replies')).toEqual([]);
  });

  it('P22 is not repeated when it stands there already', async () => {
    api.next('conversations.replies', holding('run:0', 'run:1', 'run:2'));

    const receipt = await surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true });

    expect(receipt.ts).toBe('1795251700.000101');
    expect(api.to('conversations.replies')[0]?.args).toMatchObject({
      channel: THREAD.channel,
      ts: THREAD.ts,
      include_all_metadata: 'true',
    });
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('is searched for on every page of the thread', async () => {
    api.next(
      'conversations.replies',
      { type: 'json', body: { messages: [], response_metadata: { next_cursor: 'more' } } },
      holding('run:1'),
    );

    await surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true });

    expect(api.to('conversations.replies').map(({ args }) => args.cursor)).toEqual([undefined, 'more']);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('waits when the search fails: twice is worse than not yet', async () => {
    api.next('conversations.replies', failed);

    await expect(surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true })).rejects.toThrow();

    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('P22 stands there once when its reply was lost', async () => {
    api.next('chat.postMessage', { type: 'lost' });
    api.next('conversations.replies', holding(CARD));

    const receipt = await surface().postCard(pending(), { maybePosted: false });

    expect(receipt.ts).toBe('1795251700.000100');
    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it('is posted again when it did not arrive', async () => {
    api.next('chat.postMessage', failed);

    await surface().postCard(pending(), { maybePosted: false });

    expect(api.to('chat.postMessage')).toHaveLength(2);
  });

  it('P38 rejects when it cannot be posted', async () => {
    api.next('chat.postMessage', refused('is_archived'));

    await expect(surface().postCard(pending(), { maybePosted: false })).rejects.toThrow('is_archived');
  });

  it('waits out a rate limit', async () => {
    api.next('chat.postMessage', rateLimited, rateLimited);

    await surface().postCard(pending(), { maybePosted: false });

    expect(api.to('chat.postMessage')).toHaveLength(3);
  });

  it('is as many messages as it takes, each with a key of its own', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `${at} ${'word '.repeat(100)}`).join('\n\n');

    await surface().say(THREAD, { key: 'run:1', text, maybePosted: false });

    const keys = api.to('chat.postMessage').map(({ args }) => JSON.stringify(args.metadata));
    expect(keys.map((key) => /"key":"(.*?)"/.exec(key)?.[1])).toEqual(['run:1', 'run:1#2', 'run:1#3']);
  });

  it('keeps the order in which a channel was spoken to', async () => {
    const { say } = surface();
    api.next('chat.postMessage', rateLimited);

    await Promise.all(['one', 'two', 'three'].map((text) => say(THREAD, { key: text, text, maybePosted: false })));

    expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['one', 'one', 'two', 'three']);
  });
});

describe('a painting', () => {
  const at = (revision: number) => ({ ...approved(), revision });
  const painted = () =>
    api.to('chat.update').map(({ args }) => Number(/"head:[^:]+:(\d+)"/.exec(JSON.stringify(args.blocks))?.[1]));

  it('replaces the card in its place', async () => {
    await surface().paintCard(approved());

    const args = api.to('chat.update')[0]?.args;
    expect(args).toMatchObject({
      channel: 'C0OPS00001',
      ts: '1795251601.000200',
      metadata: { event_payload: { key: CARD } },
    });
    expect(textOf(args?.blocks)).toContain('*Approved*');
  });

  it('P17 of an older revision never follows a newer one', async () => {
    const { paintCard } = surface();

    await paintCard(at(5));
    await paintCard(at(4));
    await paintCard(at(6));

    expect(painted()).toEqual([5, 6]);
  });

  it('P17 gives way to a newer one while it waits', async () => {
    const { paintCard } = surface();
    api.next('chat.update', rateLimited);

    await Promise.all([paintCard(at(5)), paintCard(at(6))]);

    expect(painted().at(-1)).toBe(6);
    expect(painted().slice(1)).not.toContain(5);
  });

  it('may be tried again after it failed', async () => {
    const { paintCard } = surface();
    api.next('chat.update', refused('fatal_error'));

    await expect(paintCard(at(5))).rejects.toThrow('fatal_error');
    await paintCard(at(5));

    expect(painted()).toEqual([5, 5]);
  });

  it.each(['message_not_found', 'cant_update_message', 'is_archived'])(
    'that meets %s is logged and no failure',
    async (code) => {
      const { paintCard, bot } = surface();
      api.next('chat.update', refused(code));

      await paintCard(at(5));

      expect(bot.logged.map(({ message }) => message).join()).toContain('cannot be repainted any more');
    },
  );

  it('of a card that was never posted does nothing', async () => {
    const { card: _none, ...unposted } = approved();

    await surface().paintCard(unposted);

    expect(api.calls).toEqual([]);
  });
});

describe('a status', () => {
  it('is told for the thread', async () => {
    await surface().status(THREAD, 'suspended');

    expect(api.to('agents.sessions.setStatus')[0]?.args).toMatchObject({
      channel_id: THREAD.channel,
      thread_ts: THREAD.ts,
      status: 'suspended',
    });
  });

  it.each([
    ['a rate limit', { type: 'status', status: 429, headers: { 'retry-after': '60' } }],
    ['a refusal', refused('missing_scope')],
    ['an outage', failed],
    ['a lost reply', { type: 'lost' }],
  ] as const)('is cosmetic: %s is neither waited for nor an error', async (_what, reply) => {
    api.next('agents.sessions.setStatus', reply);

    await surface().status(THREAD, 'processing');

    expect(api.to('agents.sessions.setStatus')).toHaveLength(1);
  });

  it('P29 keeps the order of a thread', async () => {
    const { status } = surface();

    await Promise.all([status(THREAD, 'processing'), status(THREAD, 'suspended'), status(THREAD, 'active')]);

    expect(api.to('agents.sessions.setStatus').map(({ args }) => args.status)).toEqual([
      'processing',
      'suspended',
      'active',
    ]);
  });
});
