import { afterEach, expect, it, vi } from 'vitest';
import { SERVER_LIMITS } from '../../../../../app/tools/mcp/limits.ts';
import { PATIENCE_MS } from '../../../../support/patience.ts';
import { startRawToolServer } from '../../../../support/raw-tool-server.ts';
import { atEnd, connect, endAll } from '../setup.ts';

afterEach(endAll);

it.each([
  ['says that it may be opened again at once', 'retry: 0\n\n'],
  ['says that it may be opened again after longer than a timer can wait', 'retry: 99999999999\n\n'],
])(
  'a stream of a tool server that ends and %s is opened no more often than the bot allows (T20)',
  async (_what, words) => {
    let streams = 0;
    const server = await startRawToolServer({
      list: '{"tools":[{"name":"report","inputSchema":{"type":"object"}}]}',
      call: '{"content":[]}',
      stream: (response) => {
        streams += 1;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(words);
      },
    });
    atEnd(server.stop);
    const { run, time } = await connect({ url: server.url });
    await vi.waitFor(() => expect(streams).toBe(1), PATIENCE_MS);

    for (let opened = 1; opened < 4; opened += 1) {
      for (let calls = 0; calls < 20; calls += 1) expect(await run('report')).toMatchObject({ type: 'succeeded' });
      expect(streams).toBe(opened);
      time.advance(SERVER_LIMITS.streamEveryMs);
      await vi.waitFor(() => expect(streams).toBe(opened + 1), PATIENCE_MS);
    }
  },
);
