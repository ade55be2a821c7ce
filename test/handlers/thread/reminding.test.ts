import { beforeEach, describe, expect, it } from 'vitest';
import { createReminding } from '../../../handlers/thread/reminding.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { type Reply, type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { parts } from '../parts.ts';
import { approved, BEN, pending, ZOE } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  api = slackApi();
});

const answers = (body: Readonly<Record<string, unknown>>): Reply => ({ type: 'json', body });
const refused = (error: string): Reply => answers({ ok: false, error });
const key = `notice:${pending().id}`;
const metadata = { event_type: 'countersign_direct', event_payload: { key } };
const copy = { to: BEN, what: 'notice', card: { channel: 'D1', ts: '5.0' } } as const;

function reminding(inThread: Parameters<typeof createReminding>[0]['inThread'] = async () => {}) {
  const { log } = parts();
  return createReminding({ client: createSlackClient({ botToken: TOKEN }, log), log, inThread });
}

/** Their conversation with the bot, and what stands in it. */
function conversation(channel: string, ...messages: readonly object[]): void {
  api.next('conversations.open', answers({ ok: true, channel: { id: channel } }));
  api.next('conversations.history', answers({ ok: true, messages }));
}

describe('people who are told directly', () => {
  it('a person is told once, in the own conversation of that person, and the run learns where (P23, P36)', async () => {
    conversation('D1');
    const first = await reminding().remind(pending(), 'notice', [BEN]);
    conversation('D1', { ts: '5.0', metadata });
    const again = await reminding().remind(pending(), 'notice', [BEN]);

    expect(api.to('conversations.open').map(({ args }) => args.users)).toEqual([BEN, BEN]);
    expect(api.to('chat.postMessage').map(({ args }) => args.channel)).toEqual(['D1']);
    expect(first).toMatchObject({ copies: [{ to: BEN, card: { channel: 'D1' } }], found: false });
    expect(again).toEqual({ copies: [{ to: BEN, card: { channel: 'D1', ts: '5.0' } }], found: true });
  });

  it.each([
    ['no line in the thread where each person who can decide is told directly', {}, []],
    [
      'one line in the thread where Slack lets the bot write to none of them',
      { ok: false, error: 'cannot_dm_bot' },
      ['reminder'],
    ],
  ])('a reminder makes %s (P61)', async (_how, body, lines) => {
    const said: string[] = [];
    conversation('D1');
    if ('error' in body) api.next('chat.postMessage', answers(body));
    await reminding(async (_approval, told) => void said.push(told.split(':')[0] ?? '')).remind(
      pending(),
      'reminder',
      [],
    );

    expect(said).toEqual(lines);
    expect(api.to('chat.postMessage').map(({ args }) => args.channel)).toEqual(['D1']);
  });

  it('a direct message is found where it was posted, and the search posts none', async () => {
    conversation('D1', { ts: '5.0', metadata });
    conversation('D1', { ts: '6.0' });

    const found = await reminding().findCopies(approved(), 'notice', [BEN, ZOE]);
    expect(found).toHaveLength(1);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it.each(['account_inactive', 'message_not_found', 'channel_not_found', 'cant_update_message'])(
    'a direct message is given up where Slack says %s (P14)',
    async (error) => {
      api.next('chat.update', refused(error));

      await reminding().paintCopy(approved(), copy);
      expect(api.to('chat.update').map(({ args }) => args)).toEqual([
        expect.objectContaining({ ...copy.card, metadata }),
      ]);
    },
  );

  it.each(['internal_error', 'service_unavailable'])(
    'a direct message stays owed where Slack says %s (P14)',
    async (error) => {
      api.next('chat.update', refused(error), refused(error), refused(error));

      await expect(reminding().paintCopy(approved(), copy)).rejects.toThrow(error);
    },
  );
});
