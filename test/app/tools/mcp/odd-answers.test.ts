import nock from 'nock';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawAnswers, startRawToolServer } from '../../../support/raw-tool-server.ts';
import { atEnd, connect, endAll } from './setup.ts';

// Only some of these tests play the network.
nock.restore();

afterEach(async () => {
  nock.cleanAll();
  nock.restore();
  await endAll();
});

const TOOL = '{"name":"report","inputSchema":{"type":"object"}}';
const listOf = (entries: string) => `{"tools":[${entries}]}`;
const repeated = (count: number, json: string) => Array(count).fill(json).join();
const JSON_TYPE = { 'content-type': 'application/json' };
const errorOf = (id: number, code: number) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'Request timed out' } });
const nested = (levels: number, json: string) => `${'{"a":'.repeat(levels)}${json}${'}'.repeat(levels)}`;

async function answering({ list = listOf(TOOL), call = '{}' }: Partial<RawAnswers>) {
  const server = await startRawToolServer({ list, call });
  atEnd(server.stop);
  return { ...(await connect({ url: server.url })), stop: server.stop, url: server.url };
}

/** A server whose network fails as a call is sent. */
async function breaking(error: Error) {
  const started = await answering({});
  nock.activate();
  nock(new URL(started.url).origin, { allowUnmocked: true })
    .post('/mcp', ({ method }) => method === 'tools/call')
    .replyWithError(error);
  return started;
}

describe('an answer of a tool server', () => {
  it('is longer by no more than a note when it is nested deeply and long (EDGE-7)', async () => {
    const structured = nested(2_000, `[${repeated(5_000, '0')}]`);
    const { run } = await answering({ call: `{"structuredContent":${structured}}` });

    const { output } = await run('report');

    expect(output).toMatchObject([{ text: expect.stringContaining(`cut here: ${structured.length - 20_000} more`) }]);
  });

  it('that is nested too deeply to be written is left out, and its call is no failure (EDGE-7)', async () => {
    const { run } = await answering({
      call: `{"content":[{"type":"text","text":"it ran"}],"structuredContent":${nested(100_000, '0')}}`,
    });

    expect(await run('report')).toEqual({
      type: 'succeeded',
      output: [
        { type: 'text', text: 'it ran' },
        { type: 'text', text: '[left out: structured content that is nested too deeply]' },
      ],
    });
  });

  it('is read once where it says its structured content as text too, however that is spaced', async () => {
    const { run } = await answering({
      call: '{"content":[{"type":"text","text":"{ \\"open\\" : 3 }"}],"structuredContent":{"open":3}}',
    });

    expect(await run('report')).toMatchObject({ output: [{ text: '{ "open" : 3 }' }] });
  });

  it.each([
    ['its text alone', '[{"type":"text","text":"it ran"}]', [{ type: 'text', text: 'it ran' }]],
    ['that it had nothing to say', '[]', 'It ran, and had nothing to say.'],
  ])('whose structured content is null says %s (EDGE-7)', async (_, content, output) => {
    const { run } = await answering({ call: `{"content":${content},"structuredContent":null}` });

    expect(await run('report')).toEqual({ type: 'succeeded', output });
  });

  it('with parts that are none names them, and keeps the others', async () => {
    const { run } = await answering({ call: '{"content":[7,{"type":"text","text":"it ran"}]}' });

    expect(await run('report')).toMatchObject({
      type: 'succeeded',
      output: [{ text: '[left out: a part of a kind that is not known here]' }, { text: 'it ran' }],
    });
  });
});

describe('a call over HTTP', () => {
  it.each([400, 403, 404, 429])(
    'that the server refuses with %i did not run, and its result says so (EDGE-3)',
    async (status) => {
      const { run } = await answering({ call: (response) => response.writeHead(status).end() });

      expect(await run('report')).toMatchObject({
        type: 'failed',
        output: expect.stringContaining('Nothing was sent'),
      });
    },
  );

  it('did not run where the server is gone before it is sent (EDGE-3)', async () => {
    const { run, stop } = await answering({});
    stop();

    expect(await run('report')).toMatchObject({
      type: 'failed',
      output: expect.stringContaining('Nothing was sent'),
    });
  });

  it.each([
    ['fails inside the server', (response) => response.writeHead(500).end()],
    ['takes too long for a proxy that answers with 408', (response) => response.writeHead(408).end()],
    ['a proxy gives up with 499', (response) => response.writeHead(499).end()],
    ['is said to conflict with another', (response) => response.writeHead(409).end()],
    ['a gateway waits for in vain', (response, id) => response.writeHead(200, JSON_TYPE).end(errorOf(id, -32_001))],
    ['a gateway loses', (response, id) => response.writeHead(200, JSON_TYPE).end(errorOf(id, -32_000))],
    ['gets no answer', (response) => response.destroy()],
    [
      'gets half an answer',
      (response) => {
        response.writeHead(200, JSON_TYPE);
        response.write('{"jsonrpc":', () => response.destroy());
      },
    ],
  ] satisfies [string, RawAnswers['call']][])(
    'that %s may have run, so its outcome is unknown (EDGE-3)',
    async (_, call) => {
      const { run } = await answering({ call });

      expect(await run('report')).toMatchObject({
        type: 'abandoned',
        output: expect.stringContaining('Whether it had an effect is not known'),
      });
    },
  );

  it.each([
    ['the network is lost in the middle of it', Object.assign(new Error(), { code: 'EHOSTUNREACH', syscall: 'read' })],
    [
      'its connection times out in the middle of it',
      Object.assign(new Error(), { code: 'ETIMEDOUT', syscall: 'read' }),
    ],
  ])('may have run where %s, so its outcome is unknown (EDGE-3)', async (_, error) => {
    const { run } = await breaking(error);

    expect(await run('report')).toMatchObject({ type: 'abandoned' });
  });

  it.each([
    ['no connection was made', ['ETIMEDOUT']],
    ['no connection was made to any of its addresses', ['ECONNREFUSED', 'ENETUNREACH']],
  ])('did not run where %s (EDGE-3)', async (_, codes) => {
    const [first = new Error(), ...others] = codes.map((code) =>
      Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' }),
    );
    const { run } = await breaking(others.length === 0 ? first : new AggregateError([first, ...others]));

    expect(await run('report')).toMatchObject({
      type: 'failed',
      output: expect.stringContaining('Nothing was sent'),
    });
  });

  it('did not run where a connection took longer than Node waits for one (EDGE-3)', async () => {
    const { run } = await breaking(Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }));

    expect(await run('report')).toMatchObject({ type: 'failed', output: expect.stringContaining('Nothing was sent') });
  });

  it('whose result is no result ran, and the model is told not to repeat it (EDGE-7)', async () => {
    const { run } = await answering({ call: '{"content":7}' });

    expect(await run('report')).toEqual({
      type: 'failed',
      output: expect.stringContaining('ran it, and its result cannot be read. Do not run it again because of this'),
    });
  });
});

it('a list of a tool server with more entries than can be counted keeps its first tools (EDGE-7)', async () => {
  const { servers } = await answering({ list: listOf(`${TOOL},${repeated(200_000, '1')}`) });

  expect(servers.tools().map(({ name }) => name)).toEqual(['test__report']);
});

it('a tool that changes is found out beside an entry that is nested too deeply to be compared (EDGE-7, T12)', async () => {
  const deep = `{"name":"deep","inputSchema":${nested(100_000, '0')}}`;
  const changed = '{"name":"report","description":"Another one.","inputSchema":{"type":"object"}}';
  const { tool, runTool, time } = await answering({ list: [listOf(`${deep},${TOOL}`), listOf(`${deep},${changed}`)] });
  const approved = tool('report');
  time.advance(6 * 60 * 1000);

  expect(await runTool(approved)).toMatchObject({
    type: 'failed',
    output: expect.stringContaining('is not what it was when this call was asked for'),
  });
});
