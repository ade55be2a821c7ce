import { beforeEach, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { UserId } from '../../../app/records/index.ts';
import { createSurface } from '../../../handlers/thread/thread.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { parts } from '../parts.ts';
import { ANN, THREAD } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  timeRunsAhead();
  api = slackApi();
});

const refused = (error: string): Reply => ({ type: 'json', body: { ok: false, error } });
const STREAM = '1795251700.000009';
const methods = () => api.calls.map(({ method }) => method);

/** A reply is begun as a stream. */
async function begun() {
  const { log } = parts();
  const client = createSlackClient({ botToken: TOKEN }, log);
  const fileLimits = { picture: 1, document: 1, text: 1 };
  const surface = createSurface({ client, log, clock: testClock(), fileLimits });
  api.next('chat.startStream', { type: 'json', body: { channel: THREAD.channel, ts: STREAM } });
  const card = await surface.beginReply(THREAD, UserId.parse(ANN));
  if (card === undefined) throw new Error('No reply was begun.');
  const grow = (text: string) => surface.growReply(card, { text, calls: [] }, THREAD);
  const say = () => surface.say(THREAD, { key: 'run:1', text: 'Done.', into: card, maybePosted: false });
  return { grow, say };
}

it.each([
  ['chat.appendStream', 'stopped_by_user'],
  ['chat.appendStream', 'message_not_found'],
  ['chat.appendStream', 'is_archived'],
  ['chat.appendStream', 'account_inactive'],
])('nothing more is written to a reply once %s answers %s (SURF-3)', async (method, code) => {
  const { grow } = await begun();
  api.next(method, refused(code));
  await grow('One');
  const before = methods();
  await grow('One and two');
  await grow('One and two and three');

  expect(methods()).toEqual(before);
  expect(before).toEqual(['chat.startStream', 'chat.appendStream']);
});

it('a reply whose stream ended and whose edits Slack refuses is edited no more while it grows (SURF-3)', async () => {
  const { grow } = await begun();
  api.next('chat.appendStream', refused('message_not_in_streaming_state'));
  api.next('chat.update', refused('streaming_state_conflict'));
  await grow('One');
  await grow('One and two');

  expect(api.to('chat.update')).toHaveLength(1);
});

it.each(['streaming_state_conflict', 'is_inactive', 'cant_update_message', 'block_mismatch', 'edit_window_closed'])(
  'a stopped stream whose edit Slack refuses with %s becomes one new message, and goes (SURF-3)',
  async (code) => {
    const { grow, say } = await begun();
    api.next('chat.appendStream', refused('message_not_in_streaming_state'));
    await grow('Half of');
    api.next('chat.update', refused(code));
    const where = await say();

    expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['Done.']);
    expect(api.to('chat.delete').map(({ args }) => args)).toEqual([
      expect.objectContaining({ channel: THREAD.channel, ts: STREAM }),
    ]);
    expect(where.ts).not.toBe(STREAM);
  },
);

it('a stream that is gone becomes one new message, and nothing is deleted (SURF-3)', async () => {
  const { say } = await begun();
  api.next('chat.stopStream', refused('message_not_found'), refused('message_not_found'));
  api.next('chat.update', refused('message_not_found'));
  await say();

  expect(api.to('chat.postMessage').map(({ args }) => args.text)).toEqual(['Done.']);
  expect(api.to('chat.delete')).toEqual([]);
});

it('nothing that waited for the pace of a reply is written once the reply has become its message (SURF-3)', async () => {
  const { grow, say } = await begun();
  await grow('One');
  const waiting = grow('One and two');
  await say();
  await waiting;

  expect(methods()).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update']);
});

it('a reply that is written by edits is not edited when only its calls changed, which no edit shows (SURF-3)', async () => {
  const { grow } = await begun();
  api.next('chat.appendStream', refused('message_not_in_streaming_state'));
  await grow('One');
  await grow('One');
  await grow('One and two');

  expect(api.to('chat.update').map(({ args }) => JSON.stringify(args.blocks))).toEqual([
    expect.stringContaining('"One"'),
    expect.stringContaining('"One and two"'),
  ]);
});
