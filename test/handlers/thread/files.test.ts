import nock from 'nock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageFile } from '../../../app/records/index.ts';
import { readFiles } from '../../../handlers/payloads/message-files.ts';
import { kindOf } from '../../../handlers/thread/file-kinds.ts';
import { createFiles, UNREADABLE } from '../../../handlers/thread/files.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { parts } from '../parts.ts';

let api: SlackApi;
let asked: { readonly host: string; readonly token: string | null }[];
beforeEach(() => {
  api = slackApi();
  asked = [];
});

const LIMITS = { picture: 1_000, document: 2_000, text: 500 };

function reader(apiUrl?: string) {
  const { log } = parts();
  const files = createFiles({ client: createSlackClient({ botToken: TOKEN, apiUrl }, log), log, limits: LIMITS });
  return (file: MessageFile) => files.readFile(file, LIMITS.picture);
}

/** What an address answers, and a note of who was told our token. */
function serve(origin: string, status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
  nock(origin)
    .persist()
    .get(/.*/)
    .reply((request: Request) => {
      asked.push({ host: new URL(request.url).host, token: request.headers.get('authorization') });
      return [status, body, { ...headers }];
    });
}

const file = (url: string) => ({ id: 'F1', name: 'notes.txt', url });
const HERE = 'https://files.slack.com';
const PROXY = 'https://slack-proxy.test';

describe('a file', () => {
  it('the bot fetches a file from Slack with its token', async () => {
    serve(HERE, 200, 'Remember the milk.');

    expect(await reader()(file(`${HERE}/files-pri/T1-F1/notes.txt`))).toEqual({
      type: 'read',
      kind: 'document',
      mediaType: 'text/plain',
      base64: Buffer.from('Remember the milk.').toString('base64'),
    });
    expect(asked).toEqual([{ host: 'files.slack.com', token: `Bearer ${TOKEN}` }]);
  });

  it.each([
    'https://evil.test/notes.txt',
    'https://files.slack.com.evil.test/notes.txt',
    'https://evilslack.com/notes.txt',
    'http://files.slack.com/notes.txt',
    'https://files.slack.com:8443/notes.txt',
    'https://me:secret@files.slack.com/notes.txt',
    'https://slack.com/files-pri-not/notes.txt',
    'https://elsewhere.slack.com/files-pri/T1-F1/notes.txt',
    'file:///etc/passwd',
    'no address at all',
  ])('the bot does not fetch a file from %s, and no token is sent there (T15)', async (url) => {
    for (const origin of ['https://evil.test', 'https://files.slack.com.evil.test', 'https://evilslack.com']) {
      serve(origin, 200, 'x');
    }

    expect(await reader()(file(url))).toEqual({ type: 'unreadable', why: UNREADABLE.elsewhere });
    expect(asked).toEqual([]);
  });

  it.each([
    'https://slack.com/api/conversations.history?channel=C1',
    'https://slack.com//api/chat.postMessage?channel=C1&text=x',
    'https://slack.com/files-pri/../api/chat.postMessage?channel=C1&text=x',
    'https://slack.com/files-pri/..%2Fapi%2Fchat.postMessage?channel=C1&text=x',
    'https://slack.com/files-pri/%5c..%5cAPI%5cchat.postMessage?channel=C1&text=x',
    'https://slack.com/files-pri/%E0%A4%A/api/chat.postMessage?channel=C1&text=x',
    'https://files.slack.com/api/conversations.history?channel=C1',
  ])('the bot does not fetch a file from the API address %s (MF-1, T15)', async (url) => {
    for (const origin of ['https://slack.com', HERE]) serve(origin, 200, '{"ok":true}');

    expect(await reader()(file(url))).toEqual({ type: 'unreadable', why: UNREADABLE.elsewhere });
    expect(asked).toEqual([]);
  });

  it('the bot fetches a file from the path of files at the origin that SLACK_API_URL names (MF-1, EDGE-4)', async () => {
    serve(PROXY, 200, 'Remember the milk.');

    const read = await reader(`${PROXY}/slack/api/`)(file(`${PROXY}/files-pri/T1-F1/notes.txt`));

    expect(read).toMatchObject({ type: 'read' });
  });

  it.each([
    [undefined, 'https://slack.com/files-pri/T1-F1/notes.txt'],
    [undefined, `${PROXY}/files-pri/T1-F1/notes.txt`],
    [undefined, `${HERE}/api`],
    [undefined, `${HERE}/api;v=1/chat.postMessage?channel=C1&text=x`],
    [undefined, `${HERE}/files-pri/..%252Fapi%252Fchat.postMessage?channel=C1&text=x`],
    [undefined, `${HERE}/files-pri/%255C..%255C%2561pi%255Cchat.postMessage?channel=C1&text=x`],
    [`${PROXY}/slack/api/`, `${PROXY}/slack/api/chat.postMessage?channel=C1&text=x`],
    [`${PROXY}/slack/api/`, `${PROXY}/files-pri/..%252Fslack%252Fapi%252Fchat.postMessage?channel=C1&text=x`],
    [`${PROXY}/slack/api/`, `${PROXY}/elsewhere/T1-F1/notes.txt`],
    [`${PROXY}/slack/api/`, 'https://slack.com/files-pri/T1-F1/notes.txt'],
  ])('with SLACK_API_URL %s the token is not sent to %s (EDGE-4, T15)', async (apiUrl, url) => {
    for (const origin of [PROXY, HERE, 'https://slack.com']) serve(origin, 200, 'x');

    expect(await reader(apiUrl)(file(url))).toEqual({ type: 'unreadable', why: UNREADABLE.elsewhere });
    expect(asked).toEqual([]);
  });

  it('a file whose name has a percent sign is fetched (EDGE-4)', async () => {
    serve(HERE, 200, 'Remember the milk.');

    expect(await reader()(file(`${HERE}/files-pri/T1-F1/100%25_done.txt`))).toMatchObject({ type: 'read' });
  });

  it.each([
    ['hosted', `${HERE}/api/conversations.history?channel=C1`],
    ['snippet', 'https://slack.com/api/conversations.history?channel=C1'],
    ['hosted', 'https://evil.test/notes.txt'],
  ])('an address that files.info gives of a %s file gets no token if it is %s (EDGE-4, T15)', async (mode, url) => {
    for (const origin of [HERE, 'https://evil.test']) serve(origin, 200, 'x');
    api.next('files.info', { type: 'json', body: { file: { mode, is_external: false, url_private: url } } });

    expect(await reader()({ id: 'F1', name: 'x' })).toEqual({ type: 'unreadable', why: UNREADABLE.elsewhere });
    expect(asked).toEqual([]);
  });

  it.each(['https://evil.test/notes.txt', 'https://slack.com/api/conversations.history', '/files-pri/T1-F2/a.txt'])(
    'the token does not follow a redirect to %s (MF-1, T15)',
    async (location) => {
      serve(HERE, 302, '', { location });
      for (const origin of ['https://evil.test', 'https://slack.com']) serve(origin, 200, 'x');

      expect(await reader()(file(`${HERE}/notes.txt`))).toEqual({ type: 'unreadable', why: UNREADABLE.moved });
      expect(asked.map(({ host }) => host)).toEqual(['files.slack.com']);
    },
  );

  it.each([
    ['is gone', 404, '', UNREADABLE.gone],
    ['is not shown to the bot', 403, '', UNREADABLE.scope],
    ['is a login page', 200, '<!DOCTYPE html><html>Sign in', UNREADABLE.scope],
    ['is empty', 200, '', UNREADABLE.empty],
    ['is neither picture nor text', 200, 'a\0b', UNREADABLE.kind],
    ['is longer than its kind may be', 200, 'x'.repeat(501), UNREADABLE.large(500)],
    ['is longer than anything may be', 200, 'x'.repeat(5_000), UNREADABLE.large(2_000)],
  ])('the run is told that a file %s', async (_what, status, body, why) => {
    serve(HERE, status, body);

    expect(await reader()(file(`${HERE}/notes.txt`))).toEqual({ type: 'unreadable', why });
  });

  it('a fetch is tried again when Slack fails, and then given up with a reason', async () => {
    timeRunsAhead();
    serve(HERE, 500, '');

    expect(await reader()(file(`${HERE}/notes.txt`))).toEqual({ type: 'unreadable', why: UNREADABLE.unreachable });
    expect(asked).toHaveLength(3);
  });

  it('a file is looked up when the event does not say where it lies', async () => {
    serve(HERE, 200, 'hi');
    const body = { file: { mode: 'snippet', url_private: `${HERE}/x`, size: 2 } };
    api.next('files.info', { type: 'json', body });

    expect(await reader()({ id: 'F1', name: 'x' })).toMatchObject({ type: 'read' });
  });

  it.each([
    ['external', { mode: 'external', is_external: true }],
    ['hosted and external', { mode: 'hosted', is_external: true }],
    ['an email', { mode: 'email', is_external: false }],
    ['of no known mode', {}],
  ])('the bot does not fetch a file that files.info calls %s (MF-1, T15)', async (_what, place) => {
    serve(HERE, 200, 'hi');
    api.next('files.info', { type: 'json', body: { file: { ...place, url_private: `${HERE}/x` } } });

    expect(await reader()({ id: 'F1', name: 'x' })).toEqual({ type: 'unreadable', why: UNREADABLE.elsewhere });
    expect(asked).toEqual([]);
  });

  it.each([
    ['missing_scope', UNREADABLE.scope],
    ['file_not_found', UNREADABLE.gone],
    ['fatal_error', UNREADABLE.unreachable],
  ])('the run is told that the look-up of a file met %s', async (error, why) => {
    api.next('files.info', { type: 'json', body: { ok: false, error } });

    expect(await reader()({ id: 'F1', name: 'x' })).toEqual({ type: 'unreadable', why });
  });
});

describe('the kind of a file', () => {
  it.each([
    ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', [...Buffer.from('GIF89a')]],
    ['image/webp', [...Buffer.from('RIFF1234WEBPVP8 ')]],
    ['application/pdf', [...Buffer.from('%PDF-1.7')]],
    ['text/plain', [...Buffer.from('Grüße')]],
    [undefined, [0x50, 0x4b, 0x03, 0x04, 0x00]],
    [undefined, [0xff, 0xfe, 0x41]],
    [undefined, [...Buffer.from(' \n ')]],
  ])('a file is %s by its first bytes', (mediaType, bytes) => {
    const kind = kindOf(Uint8Array.from(bytes));

    expect(kind?.mediaType).toBe(mediaType);
  });
});

describe('the files of an event', () => {
  it('files of an event are read as far as they name one, and never break the message', () => {
    expect(
      readFiles([
        { id: 'F1', name: 'a.png', size: 3, mode: 'hosted', url_private: 'https://files.slack.com/a' },
        { id: 'F2', mode: 'file_access', file_access: 'check_file_info' },
        { id: 'F3', name: 'gone', mode: 'tombstone' },
        { name: 'no id' },
        'nonsense',
      ]),
    ).toEqual([
      { id: 'F1', name: 'a.png', bytes: 3, url: 'https://files.slack.com/a' },
      { id: 'F2', name: 'F2' },
    ]);
    expect(readFiles(undefined)).toEqual([]);
    expect(readFiles({})).toEqual([]);
  });

  it('a picture of an event brings the address of the largest smaller size (EDGE-7)', () => {
    const [url, small, smaller] = ['a', 'b', 'c'].map((path) => `https://files.slack.com/${path}`);
    const place = { id: 'F1', name: 'a', mimetype: 'image/png', mode: 'hosted', url_private: url };

    expect(readFiles([{ ...place, thumb_360: smaller, thumb_480: smaller, thumb_960: small }])).toEqual([
      { id: 'F1', name: 'a', url, smallerUrl: small },
    ]);
    expect(readFiles([{ ...place, is_external: true, thumb_960: small }])).toEqual([{ id: 'F1', name: 'a' }]);
  });

  it.each([{ mode: 'external', is_external: true }, { mode: 'snippet', is_external: true }, { mode: 'post' }, {}])(
    'a file loses its address where Slack does not host it: %j (MF-1, T15)',
    (place) => {
      expect(readFiles([{ ...place, id: 'F1', name: 'a', url_private: 'https://files.slack.com/a' }])).toEqual([
        { id: 'F1', name: 'a' },
      ]);
    },
  );
});
