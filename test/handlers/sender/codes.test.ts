import { beforeEach, describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { ClosedChannelError, RefusedPostError, RefusingWorkspaceError } from '../../../app/surface.ts';
import { KNOWN_CODES, meaningOf } from '../../../handlers/sender/codes.ts';
import { KNOWN_METHODS } from '../../../handlers/sender/rates.ts';
import { createSurface } from '../../../handlers/thread/thread.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { DOCUMENTED } from '../../../sandbox/web-api/documented.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { parts } from '../parts.ts';
import { THREAD } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  timeRunsAhead();
  api = slackApi();
});

const refused = (error: string): Reply => ({ type: 'json', body: { ok: false, error } });

function surface() {
  const { log, logged } = parts();
  const errors: string[] = [];
  const loud = {
    ...log,
    error: (message: string, fields = {}) => void errors.push(`${message} ${JSON.stringify(fields)}`),
  };
  const client = createSlackClient({ botToken: TOKEN }, loud);
  const fileLimits = { picture: 1, document: 1, text: 1 };
  const made = createSurface({ client, log: loud, clock: testClock(), fileLimits });
  const say = () => made.say(THREAD, { key: 'run:1', text: 'Done.', maybePosted: false });
  return { say, errors, logged };
}

describe('the codes of Slack', () => {
  it('each code that Slack documents has a row in the table (SURF-3)', () => {
    const documented = new Set([...DOCUMENTED.values()].flat());
    expect([...documented].filter((code) => !KNOWN_CODES.includes(code))).toEqual([]);
  });

  it('the table has no code twice, and each method that the sender knows is documented (SURF-3)', () => {
    expect(new Set(KNOWN_CODES).size).toBe(KNOWN_CODES.length);
    expect(KNOWN_METHODS.filter((method) => !DOCUMENTED.has(method))).toEqual([]);
  });

  it('a code that Slack invents tomorrow is an answer to the post, and not an outage (SURF-3)', () => {
    expect(meaningOf('a_code_of_tomorrow')).toBe('post');
  });

  it.each([
    [RefusedPostError.name, 'restricted_action_thread_locked', RefusedPostError],
    [RefusedPostError.name, 'cannot_reply_to_message', RefusedPostError],
    [RefusedPostError.name, 'invalid_blocks', RefusedPostError],
    [RefusedPostError.name, 'msg_too_long', RefusedPostError],
    [ClosedChannelError.name, 'restricted_action', ClosedChannelError],
    [ClosedChannelError.name, 'restricted_action_read_only_channel', ClosedChannelError],
    [ClosedChannelError.name, 'restricted_action_non_threadable_channel', ClosedChannelError],
    [ClosedChannelError.name, 'restricted_action_thread_only_channel', ClosedChannelError],
    [ClosedChannelError.name, 'messages_tab_disabled', ClosedChannelError],
    [RefusingWorkspaceError.name, 'ekm_access_denied', RefusingWorkspaceError],
    [RefusingWorkspaceError.name, 'team_access_not_granted', RefusingWorkspaceError],
    [RefusingWorkspaceError.name, 'org_login_required', RefusingWorkspaceError],
    [RefusingWorkspaceError.name, 'account_inactive', RefusingWorkspaceError],
    [RefusingWorkspaceError.name, 'token_expired', RefusingWorkspaceError],
  ])('throws %s for a post that Slack answers with %s, and sends it once (SURF-3)', async (_name, code, final) => {
    api.next('chat.postMessage', refused(code));
    await expect(surface().say()).rejects.toThrow(final);
    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it.each(['invalid_blocks', 'msg_too_long', 'invalid_arguments'])(
    'the log has an error with the method and the problems where Slack cannot read a call: %s (SURF-3)',
    async (error) => {
      const { say, errors } = surface();
      const response_metadata = { messages: ['[ERROR] must be shorter [json-pointer:/text]'] };
      api.next('chat.postMessage', { type: 'json', body: { ok: false, error, response_metadata } });
      await expect(say()).rejects.toThrow(RefusedPostError);
      const ours = errors.filter((line) => line.includes('a bug of the bot'));
      expect(ours).toHaveLength(1);
      expect(ours[0]).toContain('"method":"chat.postMessage"');
      expect(ours[0]).toContain(error);
      expect(ours[0]).toContain('must be shorter');
    },
  );

  it('the log has one error for a workspace that keeps the bot out, and another after the bot was let in again (SURF-3)', async () => {
    const { say, errors } = surface();
    const out = refused('ekm_access_denied');
    api.next('chat.postMessage', out, out, { type: 'json', body: { channel: 'C1', ts: '1.0' } }, out);
    const told: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      await say().catch(() => {});
      told.push(errors.length);
    }
    expect(told).toEqual([1, 1, 1, 2]);
  });
});
