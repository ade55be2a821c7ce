import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { type Approval, type Card, type CardReceipt, UserId } from '../../../app/records/index.ts';
import { ClosedChannelError, RefusedPostError, StalePostError } from '../../../app/surface.ts';
import { createSurface } from '../../../handlers/thread/thread.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { parts } from '../parts.ts';
import { textOf } from '../views/fits.ts';
import { ANN, approved, pending, THREAD } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  timeRunsAhead();
  api = slackApi();
});

const rateLimited: Reply = { type: 'status', status: 429, headers: { 'retry-after': '0' } };
const failed: Reply = { type: 'status', status: 500 };
const refused = (error: string): Reply => ({ type: 'json', body: { ok: false, error } });
const holding = (...keys: readonly string[]): Reply => holdingBy('B0BOT00001', ...keys);
const holdingBy = (bot_id: string, ...keys: readonly string[]): Reply => ({
  type: 'json',
  body: {
    messages: keys.map((key, index) => ({
      bot_id,
      ts: `1795251700.00010${index}`,
      metadata: { event_type: 'countersign_post', event_payload: { key } },
    })),
  },
});
const CARD = `card:${pending().id}`;
const asking = (asks: Approval): Card => ({ kind: 'approval', asks });

function surface() {
  const bot = parts();
  return {
    ...createSurface({
      client: createSlackClient({ botToken: TOKEN }, bot.log),
      log: bot.log,
      clock: testClock(),
      fileLimits: { picture: 1, document: 1, text: 1 },
    }),
    bot,
  };
}

describe('a post', () => {
  it('is not sent when another process may have taken it over while it waited for its turn in the channel (D12)', async () => {
    const { say, postCard } = surface();
    let isStale = false;
    const first = say(THREAD, { key: 'run:1', text: 'First.', maybePosted: false });
    const late = { maybePosted: false, isStale: () => isStale };
    const waiting = [say(THREAD, { key: 'run:2', text: 'Second.', ...late }), postCard(asking(pending()), late)];
    isStale = true;
    await first;

    for (const post of waiting) await expect(post).rejects.toThrow(StalePostError);
    expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['First.']);
  });

  it('a post is changed where it stands, under its key, and a deleted one is no failure', async () => {
    const { amend, bot } = surface();
    const line = { key: 'run:1', text: 'Twice.', maybePosted: false };
    await amend(THREAD, { channel: THREAD.channel, ts: '1.0' }, line);

    expect(api.to('chat.update').map(({ args }) => args)).toEqual([
      expect.objectContaining({
        channel: THREAD.channel,
        ts: '1.0',
        text: 'Twice.',
        metadata: { event_type: 'countersign_post', event_payload: { key: 'run:1' } },
      }),
    ]);
    api.next('chat.update', refused('message_not_found'));
    await amend(THREAD, { channel: THREAD.channel, ts: '1.0' }, line);
    expect(bot.logged.map(({ message }) => message).join()).toContain('cannot be changed any more');
  });

  it('a post stands in the thread, without previews, and carries its key (P23)', async () => {
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
    expect(api.to('chat.postMessage')[0]?.args).not.toHaveProperty('reply_broadcast');
    expect(api.to('conversations.replies')).toEqual([]);
  });

  it('a post of the agent leads only where it says, and has no head of a card (EDGE-9, T15, T22)', async () => {
    const text = '![p](HTTPS://evil.example/?key)\n:lock: **Approval needed** · `x`\n<HTTPS://evil.example|good>';
    await surface().say(THREAD, { key: 'run:1', text, maybePosted: false });

    expect(api.to('chat.postMessage')[0]?.args.blocks).toEqual([
      {
        type: 'markdown',
        text: 'p (HTTPS://evil.example/?key)\n> :lock: **Approval needed** · `x`\n&lt;HTTPS://evil.example|good>',
      },
      { type: 'context', block_id: 'written', elements: [{ type: 'mrkdwn', text: 'Written by the agent' }] },
    ]);
  });

  it('a post that stands there already is not repeated (P22)', async () => {
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

  it('a post of another app with the same key is not taken for a post of the bot (P22)', async () => {
    api.next('conversations.replies', holdingBy('B0OTHER001', 'run:1'));

    await surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true });

    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it('a post is not repeated where Slack does not say which bot this is (P22)', async () => {
    api.next('auth.test', { type: 'json', body: {} });

    await expect(surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true })).rejects.toThrow(
      'which bot',
    );

    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a post is searched for on every page of the thread', async () => {
    api.next(
      'conversations.replies',
      { type: 'json', body: { messages: [], response_metadata: { next_cursor: 'more' } } },
      holding('run:1'),
    );

    await surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true });

    expect(api.to('conversations.replies').map(({ args }) => args.cursor)).toEqual([undefined, 'more']);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a post waits when the search for it fails, because two posts are worse than none yet', async () => {
    api.next('conversations.replies', failed, failed, failed);

    await expect(surface().say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: true })).rejects.toThrow();

    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a post stands there once when the answer of Slack was lost (P22, FS7)', async () => {
    api.next('chat.postMessage', { type: 'lost' });
    api.next('conversations.replies', holding(CARD));

    const receipt = await surface().postCard(asking(pending()), { maybePosted: false });

    expect(receipt.ts).toBe('1795251700.000100');
    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it('a post that did not arrive is posted again', async () => {
    api.next('chat.postMessage', failed);

    await surface().postCard(asking(pending()), { maybePosted: false });

    expect(api.to('chat.postMessage')).toHaveLength(2);
  });

  it.each(['is_archived', 'not_in_channel', 'channel_not_found'])(
    'a post says that the channel is closed where Slack answers %s (FS9)',
    async (code) => {
      api.next('chat.postMessage', refused(code));
      await expect(surface().postCard(asking(pending()), { maybePosted: false })).rejects.toThrow(ClosedChannelError);

      api.next('conversations.replies', refused(code));
      await expect(surface().findCard(asking(pending()))).rejects.toThrow(ClosedChannelError);
    },
  );

  it.each(['restricted_action_thread_locked', 'msg_blocks_too_long', 'a_code_of_tomorrow'])(
    'a post or a search that Slack answers with %s is refused for good (MF-11)',
    async (code) => {
      api.next('chat.postMessage', refused(code));
      await expect(surface().postCard(asking(pending()), { maybePosted: false })).rejects.toThrow(RefusedPostError);

      api.next('conversations.replies', refused(code));
      await expect(surface().findCard(asking(pending()))).rejects.toThrow(RefusedPostError);
    },
  );

  it('a post that Slack answers with internal_error each time fails, and is not refused for good (MF-11)', async () => {
    api.next('chat.postMessage', ...Array.from({ length: 3 }, () => refused('internal_error')));
    const posted = surface().postCard(asking(pending()), { maybePosted: false });

    await expect(posted).rejects.toThrow('internal_error');
    await expect(posted).rejects.not.toBeInstanceOf(RefusedPostError);
  });

  it.each([
    ['a page of a proxy', { type: 'page', status: 200 }],
    ['JSON that is no object', { type: 'page', status: 200, text: 'null' }],
    ['internal_error', refused('internal_error')],
  ] as const)(
    'a post that Slack answers with %s is searched for, and posted again if it does not stand (EDGE-3)',
    async (_what, answer) => {
      api.next('chat.postMessage', answer, answer);
      api.next('conversations.replies', holding(), holding('another'));

      await surface().postCard(asking(pending()), { maybePosted: false });

      expect(api.calls.map(({ method }) => method)).toEqual([
        'chat.postMessage',
        'auth.test',
        'conversations.replies',
        'chat.postMessage',
        'auth.test',
        'conversations.replies',
        'chat.postMessage',
      ]);
    },
  );

  it('a post that cannot be made rejects (P38)', async () => {
    api.next('chat.postMessage', refused('is_archived'));

    await expect(surface().postCard(asking(pending()), { maybePosted: false })).rejects.toThrow('is_archived');
  });

  it('a post waits out a rate limit (FS5)', async () => {
    api.next('chat.postMessage', rateLimited, rateLimited);

    await surface().postCard(asking(pending()), { maybePosted: false });

    expect(api.to('chat.postMessage')).toHaveLength(3);
  });

  it('a post takes as many messages as it needs, each with a key of its own', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `${at} ${'word '.repeat(100)}`).join('\n\n');

    await surface().say(THREAD, { key: 'run:1', text, maybePosted: false });

    const keys = api.to('chat.postMessage').map(({ args }) => JSON.stringify(args.metadata));
    expect(keys.map((key) => /"key":"(.*?)"/.exec(key)?.[1])).toEqual(['run:1', 'run:1#2', 'run:1#3']);
  });

  it('posts to one channel keep their order', async () => {
    const { say } = surface();
    api.next('chat.postMessage', rateLimited);

    await Promise.all(['one', 'two', 'three'].map((text) => say(THREAD, { key: text, text, maybePosted: false })));

    expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['one', 'one', 'two', 'three']);
  });
});

describe('a second card that a person pressed', () => {
  const pressed = { channel: THREAD.channel, ts: '1795251700.000100' };

  it('a second card goes when its metadata names the same approval (P22)', async () => {
    api.next('conversations.replies', holding(CARD));

    await surface().takeBackSecond(pending(), pressed);

    expect(api.to('chat.delete').map(({ args }) => args)).toEqual([expect.objectContaining(pressed)]);
  });

  it.each([['card:another'], ['run:1']])(
    'a second card stays when its metadata says that it is %s (P42)',
    async (key) => {
      api.next('conversations.replies', holding(key));

      await surface().takeBackSecond(pending(), pressed);

      expect(api.to('chat.delete')).toEqual([]);
    },
  );
});

describe('a painting', () => {
  const STANDS: CardReceipt = { channel: 'C0OPS00001', ts: '1795251601.000200' };
  const paintings = () => {
    const { paintCard, bot } = surface();
    return { bot, paint: (revision: number) => paintCard(asking({ ...approved(), revision }), STANDS) };
  };
  const painted = () =>
    api.to('chat.update').map(({ args }) => Number(/"head:[^:]+:(\d+)"/.exec(JSON.stringify(args.blocks))?.[1]));

  it('a painting replaces the card in its place', async () => {
    await surface().paintCard(asking(approved()), STANDS);

    const args = api.to('chat.update')[0]?.args;
    expect(args).toMatchObject({
      ...STANDS,
      metadata: { event_payload: { key: CARD } },
    });
    expect(textOf(args?.blocks)).toMatch(/Approved\n · /);
  });

  it('a painting of an older revision never follows a newer one (P17)', async () => {
    const { paint } = paintings();

    await paint(5);
    await paint(4);
    await paint(6);

    expect(painted()).toEqual([5, 6]);
  });

  it('a waiting painting gives way to a newer one (P17, B10)', async () => {
    const { paint } = paintings();
    api.next('chat.update', rateLimited);

    await Promise.all([paint(5), paint(6)]);

    expect(painted().at(-1)).toBe(6);
    expect(painted().slice(1)).not.toContain(5);
  });

  it('a painting may be tried again after it failed', async () => {
    const { paint } = paintings();
    api.next('chat.update', refused('update_failed'));

    await expect(paint(5)).rejects.toThrow('update_failed');
    await paint(5);

    expect(painted()).toEqual([5, 5]);
  });

  it.each(['block_mismatch', 'is_inactive', 'ekm_access_denied', 'a_code_of_tomorrow'])(
    'a painting that Slack answers with %s is given up with one warning, which has the code (MF-11)',
    async (code) => {
      const { paint, bot } = paintings();
      api.next('chat.update', refused(code));

      expect(await paint(5)).toBe('refused');
      const warned = bot.logged.filter(({ message }) => message.includes('cannot be repainted any more'));
      expect(JSON.stringify(warned)).toContain(code);
      expect(warned).toHaveLength(1);
    },
  );

  it.each(['message_not_found', 'cant_update_message', 'is_archived'])(
    'a painting that meets %s is logged, and is no failure (B9, FS9)',
    async (code) => {
      const { paint, bot } = paintings();
      api.next('chat.update', refused(code));

      const painting = await paint(5);

      expect(painting).toBe(code === 'message_not_found' ? 'gone' : 'refused');
      expect(bot.logged.map(({ message }) => message).join()).toContain('cannot be repainted any more');
    },
  );
});

describe('a status', () => {
  const told = () => api.to('agents.sessions.setStatus').map(({ args }) => args.status);

  it('a status is set for the thread', async () => {
    await surface().status(THREAD, 'suspended');
    await api.until(() => told().length === 1);

    expect(api.to('agents.sessions.setStatus')[0]?.args).toMatchObject({
      channel_id: THREAD.channel,
      thread_ts: THREAD.ts,
      status: 'suspended',
    });
  });

  it.each([
    ['a rate limit', { type: 'status', status: 429, headers: { 'retry-after': '60' } }],
    ['a refusal', refused('missing_scope')],
  ] as const)('a status is cosmetic: %s is neither waited for nor an error', async (_what, reply) => {
    const { status, bot } = surface();
    api.next('agents.sessions.setStatus', reply);

    await status(THREAD, 'processing');
    await api.until(() => bot.logged.some(({ message }) => message.includes('could not be shown')));

    expect(told()).toHaveLength(1);
  });

  it('a status names the session when it begins, and does without where Slack takes no name', async () => {
    const session = { title: 'Restart payments', initiator: UserId.parse(ANN) };
    api.next('agents.sessions.setStatus', { type: 'json', body: { ok: true } }, refused('user_not_in_channel'));

    await surface().status(THREAD, 'processing', session);
    await surface().status(THREAD, 'processing', session);

    const named = { title: 'Restart payments', initiator_user_id: ANN };
    await api.until(() => told().length === 3);
    const calls = api.to('agents.sessions.setStatus').map(({ args }) => args);
    expect(calls).toEqual([
      expect.objectContaining(named),
      expect.objectContaining(named),
      expect.not.objectContaining({ title: 'Restart payments' }),
    ]);
  });

  it.each([
    ['an outage', failed],
    ['a lost reply', { type: 'lost' }],
  ] as const)('a status arrives after %s (P29)', async (_what, reply) => {
    api.next('agents.sessions.setStatus', reply);

    await surface().status(THREAD, 'active');

    await api.until(() => told().length === 2);
  });

  it.each([
    ['is shown', undefined, true],
    ['is refused, as it will always be', refused('channel_not_found'), true],
    ['is refused while its channel is archived', refused('is_archived'), false],
    ['is refused while its channel moves', refused('external_channel_migrating'), false],
    ['has to wait', { ...rateLimited, headers: { 'retry-after': '30' } }, false],
  ] as const)('the status that the work is over %s (FK21)', async (_what, reply, known) => {
    if (reply !== undefined) api.next('agents.sessions.setStatus', reply);

    expect(await surface().workEnds(THREAD)).toBe(known);
  });

  it('the statuses of a thread keep their order, and an old one that waits is left out (P29)', async () => {
    const { status } = surface();

    await Promise.all([status(THREAD, 'processing'), status(THREAD, 'suspended'), status(THREAD, 'active')]);
    await api.until(() => told().includes('active'));

    expect(told()).toEqual(['processing', 'active']);
  });

  it('a status counts as shown when it has arrived, and not before (P29)', async () => {
    const { status, statusShown } = surface();

    await statusShown(THREAD);
    await status(THREAD, 'processing');
    await status(THREAD, 'suspended');
    await statusShown(THREAD);

    expect(told()).toEqual(['processing', 'suspended']);
  });

  it('a status that was refused is waited for no longer (P29)', async () => {
    api.next('agents.sessions.setStatus', refused('channel_not_found'));
    const { status, statusShown } = surface();

    await status(THREAD, 'processing');

    await expect(statusShown(THREAD)).resolves.toBeUndefined();
  });
});

describe('a reply that people read along with', () => {
  const begun: Reply = { type: 'json', body: { channel: THREAD.channel, ts: '1795251700.000007' } };
  const CALL = { id: 'a', tool: 'look', summary: 'Looks', status: 'running' } as const;
  const whole = { key: 'run:1', text: 'one two three', maybePosted: false };

  async function open() {
    api.next('chat.startStream', begun);
    const bot = surface();
    const card = await bot.beginReply(THREAD, ANN);
    if (card === undefined) throw new Error('nothing was begun');
    return { ...bot, card };
  }

  it('a growing reply is Slack’s own stream, for the person whom it answers', async () => {
    const { card } = await open();

    expect(card).toEqual({ channel: THREAD.channel, ts: '1795251700.000007' });
    expect(api.to('chat.startStream')[0]?.args).toMatchObject({
      channel: THREAD.channel,
      thread_ts: THREAD.ts,
      recipient_user_id: ANN,
      recipient_team_id: THREAD.team,
    });
  });

  it('a stream shows where links go, and no previews of them (EDGE-9, T15, T22)', async () => {
    const { growReply, say, card } = await open();
    const text = 'See [this](https://evil.example).\n\n:lock: **Approval needed** · `x`';

    void growReply(card, { text: text.slice(0, -10), calls: [] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 1);
    await say(THREAD, { ...whole, text, into: card });

    const [started, grown, ended] = ['startStream', 'appendStream', 'stopStream'].map(
      (method) => api.to(`chat.${method}`)[0]?.args,
    );
    for (const args of [started, grown, ended]) {
      expect(args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
    }
    expect(grown?.chunks).toEqual([{ type: 'markdown_text', text: 'See this (https://evil.example).' }]);
    expect(ended?.chunks).toEqual([{ type: 'markdown_text', text: '\n\n> :lock: **Approval needed** · `x`' }]);
    expect(ended?.blocks).toMatchObject([{ type: 'context', elements: [{ text: 'Written by the agent' }] }]);
  });

  it('a stream is sent only what is new, and ends with the rest and its key', async () => {
    const { growReply, say, card } = await open();

    void growReply(card, { text: 'one ', calls: [CALL] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 1);
    void growReply(card, { text: 'one two', calls: [{ ...CALL, status: 'ran' }] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 2);
    const receipt = await say(THREAD, { ...whole, into: card });

    expect(receipt).toEqual(card);
    expect(api.to('chat.appendStream').map(({ args }) => args.chunks)).toEqual([
      [expect.objectContaining({ type: 'task_update', status: 'in_progress' }), { type: 'markdown_text', text: 'one' }],
      [expect.objectContaining({ type: 'task_update', status: 'complete' }), { type: 'markdown_text', text: ' two' }],
    ]);
    expect(api.to('chat.stopStream').map(({ args }) => args)).toEqual([
      expect.objectContaining({
        ts: card.ts,
        chunks: [{ type: 'markdown_text', text: ' three' }],
        metadata: { event_type: 'countersign_post', event_payload: { key: 'run:1' } },
      }),
    ]);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a stream ends with how its calls came out, also where its pace was too slow to show it', async () => {
    const { growReply, say, card } = await open();

    await growReply(card, { text: 'one ', calls: [CALL] }, THREAD);
    const calls = [{ ...CALL, status: 'ran' } as const, { ...CALL, id: 'b', status: 'failed' } as const];
    void growReply(card, { text: 'one two', calls }, THREAD);
    await say(THREAD, { ...whole, into: card });

    expect(api.to('chat.appendStream')).toHaveLength(1);
    expect(api.to('chat.stopStream')[0]?.args.chunks).toEqual([
      expect.objectContaining({ type: 'task_update', id: 'a', status: 'complete' }),
      expect.objectContaining({ type: 'task_update', id: 'b', status: 'error' }),
      { type: 'markdown_text', text: ' two three' },
    ]);
  });

  it('a growing reply counts as shown before the pause that follows', async () => {
    const { growReply, dropReply, card } = await open();
    const order: string[] = [];

    const first = growReply(card, { text: 'one', calls: [] }, THREAD).then(() => order.push('shown'));
    await first;
    void growReply(card, { text: 'one two', calls: [] }, THREAD).then(() => order.push('shown more'));

    expect(order).toEqual(['shown']);
    expect(api.to('chat.appendStream')).toHaveLength(1);
    // What is to follow would be sent after the pause, into the middle of another test.
    await dropReply(THREAD, card);
  });

  it('a growing reply is written anew when the answer turned out otherwise', async () => {
    const { growReply, say, card } = await open();

    void growReply(card, { text: 'something else', calls: [] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 1);
    await say(THREAD, { ...whole, into: card });

    expect(api.to('chat.update').map(({ args }) => args)).toEqual([
      expect.objectContaining({ ts: card.ts, blocks: [{ type: 'markdown', text: 'one two three' }] }),
    ]);
  });

  it('a growing reply of another process is written anew', async () => {
    await surface().say(THREAD, { ...whole, into: { channel: THREAD.channel, ts: '1795251700.000007' } });

    expect(api.to('chat.update')).toHaveLength(1);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a growing reply is not written again when it was posted before (P22)', async () => {
    api.next('conversations.replies', holding('run:1'));

    const into = { channel: THREAD.channel, ts: '1795251700.000007' };
    const receipt = await surface().say(THREAD, { ...whole, into, maybePosted: true });

    expect(receipt.ts).toBe('1795251700.000100');
    expect([...api.to('chat.update'), ...api.to('chat.postMessage'), ...api.to('chat.stopStream')]).toEqual([]);
  });

  it('a reply is posted when a person has deleted the growing one', async () => {
    const { say, card } = await open();
    api.next('chat.stopStream', refused('message_not_found'), refused('message_not_found'));
    api.next('chat.update', refused('message_not_found'));

    await say(THREAD, { ...whole, into: card });

    expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['one two three']);
  });

  it('a growing reply becomes the first part of a long answer, and the others follow it', async () => {
    const { growReply, say, card } = await open();
    const text = Array.from({ length: 40 }, (_, at) => `${at} ${'word '.repeat(100)}`.trim()).join('\n\n');

    void growReply(card, { text: text.slice(0, 12_000), calls: [] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 1);
    const receipt = await say(THREAD, { ...whole, text, into: card });

    const keys = api.to('chat.postMessage').map(({ args }) => /"key":"(.*?)"/.exec(JSON.stringify(args.metadata))?.[1]);
    expect(receipt).toEqual(card);
    expect(api.to('chat.stopStream')).toHaveLength(1);
    expect(keys).toEqual(['run:1#2', 'run:1#3']);
  });

  it('a growing reply whose end was lost is written whole', async () => {
    const { say, card } = await open();
    api.next('chat.stopStream', { type: 'lost' });

    await say(THREAD, { ...whole, into: card });

    expect(api.to('chat.update')).toHaveLength(1);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a growing reply goes on by edits in the same message when its stream has ended', async () => {
    const { growReply, card } = await open();
    api.next('chat.appendStream', refused('message_not_in_streaming_state'));

    void growReply(card, { text: 'one two', calls: [] }, THREAD);
    await api.until(() => api.to('chat.update').length > 0);

    expect(api.to('chat.update')[0]?.args).toMatchObject({
      ts: card.ts,
      blocks: [{ type: 'markdown', text: 'one two' }],
    });
  });

  it('a growing reply whose stream has ended is written whole at the end, and is not stopped once more (B19)', async () => {
    const { growReply, say, card } = await open();
    void growReply(card, { text: 'one two', calls: [] }, THREAD);
    await api.until(() => api.to('chat.appendStream').length === 1);
    api.next('chat.stopStream', refused('message_not_in_streaming_state'));

    await say(THREAD, { ...whole, into: card });

    expect(api.to('chat.stopStream')).toHaveLength(1);
    expect(api.to('chat.update')[0]?.args).toMatchObject({
      ts: card.ts,
      blocks: [{ type: 'markdown', text: 'one two three' }],
    });
  });

  it('an edited reply stops no stream, because none was begun', async () => {
    api.next('chat.startStream', refused('method_not_supported_for_channel_type'));
    const at = (ts: string): Reply => ({ type: 'json', body: { channel: THREAD.channel, ts } });
    api.next('chat.postMessage', at('1795251700.000008'), at('1795251700.000009'));
    const { beginReply, say, dropReply } = surface();
    const [one, other] = [await beginReply(THREAD, ANN), await beginReply(THREAD, ANN)];

    if (one !== undefined) await say(THREAD, { ...whole, into: one });
    await dropReply(THREAD, other);

    expect(api.to('chat.stopStream')).toEqual([]);
    expect(api.to('chat.update')).toHaveLength(1);
    expect(api.to('chat.delete')).toHaveLength(1);
  });

  it('a growing reply is an edited message where streams are refused, and no stream is tried there again', async () => {
    api.next('chat.startStream', refused('method_not_supported_for_channel_type'));
    const { beginReply } = surface();

    await beginReply(THREAD, ANN);
    await beginReply(THREAD, ANN);

    expect(api.to('chat.startStream')).toHaveLength(1);
    expect(api.to('chat.postMessage')).toHaveLength(2);
  });

  it.each(['internal_error', 'fatal_error', 'request_timeout'])(
    'a growing reply is edited once where a stream is refused with %s, and the next one is a stream again',
    async (code) => {
      api.next('chat.startStream', refused(code));
      const { beginReply } = surface();

      await beginReply(THREAD, ANN);
      await beginReply(THREAD, ANN);

      expect(api.to('chat.startStream')).toHaveLength(2);
      expect(api.to('chat.postMessage')).toHaveLength(1);
    },
  );

  it.each([
    ['a rate limit', rateLimited],
    ['a channel that takes nothing', refused('is_archived')],
  ] as const)('no reply grows at %s, and nothing stands there', async (_what, reply) => {
    api.next('chat.startStream', reply);

    expect(await surface().beginReply(THREAD, ANN)).toBeUndefined();

    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a growing reply may stand there when Slack’s answer was lost', async () => {
    api.next('chat.startStream', { type: 'lost' });

    await expect(surface().beginReply(THREAD, ANN)).rejects.toThrow();
  });

  it('a growing reply is taken back, even when it is gone already', async () => {
    const { dropReply, card } = await open();
    api.next('chat.delete', refused('message_not_found'));

    await dropReply(THREAD, card);

    expect(api.to('chat.delete').map(({ args }) => args.ts)).toEqual([card.ts]);
  });

  it('a growing reply of an unknown place is found because it has no text, and no other message is touched', async () => {
    const by = { bot_id: 'B0BOT00001' };
    const keyed = { metadata: { event_type: 'countersign_post', event_payload: { key: 'card:1' } } };
    api.next('conversations.replies', {
      type: 'json',
      body: {
        messages: [
          { ts: '1.1', text: '', user: ANN },
          { ts: '1.2', text: '', ...by },
          { ts: '1.3', text: '', ...by, ...keyed },
          { ts: '1.4', text: 'Nothing is running in this thread.', ...by },
          { ts: '1.5', text: '', ...by, files: [{ id: 'F1' }] },
          { ts: '1.6', text: '', bot_id: 'B0OTHER001' },
        ],
      },
    });

    await surface().dropReply(THREAD, undefined);

    expect(api.to('chat.delete').map(({ args }) => args.ts)).toEqual(['1.2']);
  });
});
