import { afterEach, describe, expect, it } from 'vitest';
import { startRawToolServer } from '../../../support/raw-tool-server.ts';
import { atEnd, connect, endAll } from './setup.ts';

afterEach(endAll);

const TOOL = '{"name":"report","inputSchema":{"type":"object"}}';
const listOf = (entries: string) => `{"tools":[${entries}]}`;
const repeated = (count: number, json: string) => Array(count).fill(json).join();
const nested = (levels: number, json: string) => `${'{"a":'.repeat(levels)}${json}${'}'.repeat(levels)}`;

async function answering({ list = listOf(TOOL), call = '{}' }: { readonly list?: string; readonly call?: string }) {
  const server = await startRawToolServer({ list, call });
  atEnd(server.stop);
  return connect({ url: server.url });
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

it('a list of a tool server with more entries than can be counted keeps its first tools (EDGE-7)', async () => {
  const { servers } = await answering({ list: listOf(`${TOOL},${repeated(200_000, '1')}`) });

  expect(servers.tools().map(({ name }) => name)).toEqual(['test__report']);
});
