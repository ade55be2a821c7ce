import nock from 'nock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { MessageFile } from '../../../app/records/index.ts';
import { createFiles } from '../../../handlers/thread/files.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { type SlackApi, slackApi, TOKEN } from '../../support/slack.ts';
import { parts } from '../parts.ts';

let api: SlackApi;
beforeEach(() => {
  api = slackApi();
});

const HERE = 'https://files.slack.com';
const PROXY = 'https://slack-proxy.test';

/** How many bytes of a file are read, or why none. */
async function bytesRead(file: MessageFile, most = 1_000, apiUrl?: string): Promise<number | string> {
  const { log } = parts();
  const client = createSlackClient({ botToken: TOKEN, apiUrl }, log);
  const read = await createFiles({ client, log, limits: { picture: 1_000, document: 2_000, text: 500 } }).readFile(
    file,
    most,
  );
  return read.type === 'read' ? Buffer.from(read.base64, 'base64').length : read.why;
}

describe('a large picture', () => {
  const png = (bytes: number) => `\x89PNG\r\n\x1a\n${'x'.repeat(bytes - 8)}`;
  const picture = { id: 'F1', name: 'a.png', bytes: 600, url: `${HERE}/files-pri/T1-F1/a.png` };
  const smallerUrl = `${HERE}/files-tmb/T1-F1-7/a_1024.png`;

  /** Slack's files, of which the smaller picture answers as given. Returns the paths that were fetched. */
  function slackFiles(smaller: readonly [number, string] = [200, png(100)], origin = HERE): readonly string[] {
    const fetched: string[] = [];
    const answers: readonly (readonly [RegExp, readonly [number, string]])[] = [
      [/^\/(?!files-pri)/, smaller],
      [/^\/files-pri\//, [200, png(600)]],
    ];
    for (const [path, [status, body]] of answers) {
      nock(origin)
        .persist()
        .get(path)
        .reply((request: Request) => {
          fetched.push(new URL(request.url).pathname.split('/')[1] ?? '');
          return [status, Buffer.from(body, 'latin1')];
        });
    }
    return fetched;
  }
  it('a picture larger than its share of the message is read in the smaller size that Slack made (EDGE-7)', async () => {
    const fetched = slackFiles();

    expect(await bytesRead({ ...picture, smallerUrl }, 599)).toBe(100);
    expect(await bytesRead({ ...picture, bytes: 9_000, smallerUrl }, 20_000)).toBe(100);
    expect(fetched).toEqual(['files-tmb', 'files-tmb']);
  });

  it.each([
    ['fits', { ...picture, smallerUrl }, 600],
    ['has no smaller size', picture, 599],
  ])('a picture that %s is read as it is (EDGE-7)', async (_what, file, most) => {
    const fetched = slackFiles();

    expect(await bytesRead(file, most)).toBe(600);
    expect(fetched).toEqual(['files-pri']);
  });

  it.each<[string, [number, string]]>([
    ['is gone', [404, '']],
    ['is no picture', [200, '<!DOCTYPE html><html>Sign in']],
    ['is redirected', [302, '']],
  ])('a picture is read as it is if its smaller size %s (EDGE-7)', async (_what, answer) => {
    slackFiles(answer);

    expect(await bytesRead({ ...picture, smallerUrl }, 599)).toBe(600);
  });

  it.each([
    'https://evil.test/a.png',
    `${HERE}/api/conversations.history?channel=C1`,
    `${HERE}/files-tmb/..%2Fapi%2Fchat.postMessage?channel=C1&text=x`,
    'https://slack.com/files-tmb/T1-F1-7/a_1024.png',
  ])('the token is not sent to %s for a smaller picture (EDGE-4, T15)', async (elsewhere) => {
    const fetched = slackFiles();
    const others = ['https://evil.test', 'https://slack.com'].map((origin) => slackFiles([200, png(100)], origin));

    expect(await bytesRead({ ...picture, smallerUrl: elsewhere }, 599)).toBe(600);
    expect(fetched).toEqual(['files-pri']);
    expect(others).toEqual([[], []]);
  });

  it('a smaller picture is fetched from its path at the origin that SLACK_API_URL names (EDGE-4)', async () => {
    slackFiles([200, png(100)], PROXY);
    const there = { ...picture, smallerUrl: `${PROXY}/files-tmb/T1-F1-7/a.png` };

    expect(await bytesRead(there, 599, `${PROXY}/api/`)).toBe(100);
  });

  it.each([
    ['image/png', 100],
    ['application/pdf', 600],
  ])(
    'files.info tells of the smaller size of a picture, and that of another file is not read: %s (EDGE-7)',
    async (mimetype, bytes) => {
      slackFiles();
      const file = { mode: 'hosted', mimetype, size: 600, url_private: picture.url, thumb_480: smallerUrl };
      api.next('files.info', { type: 'json', body: { file } });

      expect(await bytesRead({ id: 'F1', name: 'a.png' }, 599)).toBe(bytes);
    },
  );
});
