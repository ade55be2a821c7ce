import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { callSlack, mayHaveArrived } from '../../../handlers/sender/index.ts';
import { clientOptions, createSlackClient, slackLogger, withoutSecrets } from '../../../handlers/workspaces/client.ts';
import { listen } from '../../support/listen.ts';
import { slackApi, TOKEN } from '../../support/slack.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { parts } from '../parts.ts';

describe('the Slack client', () => {
  it('the Slack client never waits for ever and never shares what the library writes into its options', () => {
    const options = clientOptions(undefined, silentLog);

    expect(options).toMatchObject({ timeout: 10_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true });
    expect(options.headers).toBeUndefined();
    expect(clientOptions(undefined, silentLog)).not.toBe(options);
  });

  it('the Slack client tries again when Slack has trouble', async () => {
    timeRunsAhead();
    const api = slackApi();
    api.next('auth.test', { type: 'status', status: 500 }, { type: 'lost' });

    await createSlackClient({ botToken: TOKEN }, silentLog).auth.test();

    expect(api.to('auth.test')).toHaveLength(3);
  });

  it('the Slack client tries once where people would see a second try', async () => {
    const api = slackApi();
    api.next('chat.postMessage', { type: 'status', status: 500 });
    const client = createSlackClient({ botToken: TOKEN }, silentLog);

    await expect(client.chat.postMessage({ channel: 'C', text: 'x' })).rejects.toThrow();

    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it('the Slack client shows no previews of links, for every caller that posts (T15)', async () => {
    const api = slackApi();

    await createSlackClient({ botToken: TOKEN }, silentLog).chat.postMessage({ channel: 'C', text: 'x' });

    expect(api.to('chat.postMessage')[0]?.args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false' });
  });

  it.each([
    ['with a letter behind it', 'a\ud83db', 'a\ufffdb'],
    ['at the end', 'a\ud83d', 'a\ufffd'],
  ])(
    'the Slack client posts a text with half a character %s, and replaces no other (EDGE-7)',
    async (_where, half, posted) => {
      const api = slackApi();

      await createSlackClient({ botToken: TOKEN }, silentLog).chat.postMessage({ channel: 'C', text: half });

      expect(api.to('chat.postMessage')[0]?.args.text).toBe(posted);
    },
  );

  it('the Slack client sends fields as a form, leaves out what is undefined, and uses one connection for calls in turn', async () => {
    const bodies: string[] = [];
    const connections = new Set<unknown>();
    const server = createServer(async (request, response) => {
      connections.add(request.socket);
      bodies.push(await text(request));
      response.end('{"ok":true}');
    });
    const port = await listen(server);
    onTestFinished(() => void server.close());
    const client = createSlackClient({ botToken: TOKEN, apiUrl: `http://127.0.0.1:${port}/api/` }, silentLog);

    for (const inclusive of [true, undefined]) await client.apiCall('some.method', { metadata: { a: 1 }, inclusive });

    expect(bodies).toEqual(['metadata=%7B%22a%22%3A1%7D&inclusive=true', 'metadata=%7B%22a%22%3A1%7D']);
    expect(connections.size).toBe(1);
  });

  it.each([
    ['nothing', undefined],
    ['a part of an answer', '{"ok":'],
  ])('a call that Slack answers with %s is given up in time, and may have been heard', async (_what, part) => {
    const server = createServer((_request, response) => {
      if (part !== undefined) response.write(part);
    });
    const port = await listen(server);
    onTestFinished(() => void server.close());
    const call = { apiUrl: `http://127.0.0.1:${port}/`, token: TOKEN, method: 'some.method', args: {} };

    const error = await callSlack({ ...call, limitMs: 50 }).catch((thrown: unknown) => thrown);

    expect(mayHaveArrived(error)).toBe(true);
  });

  it.each([
    ['a page', { type: 'page', status: 200 }],
    ['no object', { type: 'page', status: 200, text: 'null' }],
    ['a refusal without a cause', { type: 'page', status: 200, text: '{"ok":false}' }],
    ['a way elsewhere', { type: 'status', status: 302, headers: { location: 'https://elsewhere.test/' } }],
    ['a limit without an end', { type: 'status', status: 429 }],
  ] as const)('the Slack client may have been heard where the answer is %s', async (_what, reply) => {
    const api = slackApi();
    api.next('chat.postMessage', reply);

    const error = await createSlackClient({ botToken: TOKEN }, silentLog)
      .chat.postMessage({ channel: 'C', text: 'x' })
      .catch((thrown: unknown) => thrown);

    expect(mayHaveArrived(error)).toBe(true);
  });

  it.each([
    'token xoxb-123-456-abcDEF refused',
    'token xapp-1-A0-123-abc refused',
    'sent to https://hooks.slack.com/actions/T0/1/secret',
  ])('the Slack client keeps secrets out of the log: %s', (said) => {
    const bot = parts();

    slackLogger(bot.log).warn(said);

    expect(JSON.stringify(bot.logged)).not.toMatch(/123|secret/);
    expect(withoutSecrets('nothing to hide')).toBe('nothing to hide');
  });

  it('the Slack client logs no payload', () => {
    const bot = parts();

    slackLogger(bot.log).debug('http request body: everything');

    expect(bot.logged).toEqual([]);
  });
});
