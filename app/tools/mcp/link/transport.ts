import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Timers } from '../../../../interventions/index.ts';
import type { Log } from '../../../log.ts';
import { pause } from '../../../time/index.ts';
import type { ServerSettings } from '../file.ts';
import { SERVER_LIMITS } from '../limits.ts';

export interface TransportDeps {
  readonly log: Log;
  readonly timers: Timers;
  readonly onBroken: () => void;
}

/**
 * The transport to a server. A process gets the few variables that every program needs and those that the file names, but
 * none of the bot's own: a tool must not see the token of the workspace.
 */
export function transportTo(
  settings: ServerSettings,
  { log, timers, onBroken }: TransportDeps,
): StdioClientTransport | StreamableHTTPClientTransport {
  switch (settings.type) {
    case 'process': {
      const { command, args, env, cwd } = settings;
      const maxBufferSize = SERVER_LIMITS.messageBytes;
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        env: { ...env },
        cwd,
        stderr: 'pipe',
        maxBufferSize,
      });
      transport.stderr?.on('data', (piece: Buffer) => {
        const text = piece.toString('utf8', 0, SERVER_LIMITS.complaintChars).trim();
        log.debug('A tool server wrote to its error stream.', { server: settings.name, text });
      });
      return transport;
    }
    case 'http':
      return new StreamableHTTPClientTransport(settings.url, {
        requestInit: { headers: { ...settings.headers } },
        fetch: withRests(boundedFetch(onBroken), timers),
      });
  }
}

/** A GET opens a stream of events. The client opens it again when the server says, which may be at once and for ever. */
function withRests(fetchLike: FetchLike, timers: Timers): FetchLike {
  let rest = Promise.resolve();
  return async (url, init) => {
    if (init?.method === 'GET') {
      await rest;
      rest = pause(SERVER_LIMITS.streamEveryMs, { timers });
    }
    return fetchLike(url, init);
  };
}

/**
 * Cuts off a body that is too long, because it would fill the memory of the process. An answer that ends in the middle
 * would leave its call waiting for ever, so `onBroken` gives up the connection.
 */
function boundedFetch(onBroken: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const body = ReadableStream.from(bounded(response.body, init?.method === 'POST' ? onBroken : () => {}));
    const { status, statusText, headers } = response;
    const copy = new Response(body, { status, statusText, headers });
    // A constructed response has no address, and the client compares addresses to find redirects.
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  };
}

async function* bounded(body: AsyncIterable<Uint8Array>, onBroken: () => void): AsyncGenerator<Uint8Array> {
  let left: number = SERVER_LIMITS.messageBytes;
  try {
    for await (const piece of body) {
      left -= piece.byteLength;
      if (left < 0) throw new Error(`The answer has more than ${SERVER_LIMITS.messageBytes} bytes. Ask for less.`);
      yield piece;
    }
    // The answer was too long or broke off. Its call would wait for ever, so the connection is given up.
  } catch (error) {
    onBroken();
    throw error;
  }
}
