import { createServer, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { listen } from './listen.ts';

/** What a tool server answers, as JSON. No honest one writes all of this. */
export interface RawAnswers {
  /** Several lists are answered one after the other, the last for ever. */
  readonly list: string | readonly [string, ...string[]];
  /** A function answers a call in its own way, or not. */
  readonly call: string | ((response: ServerResponse, id: number) => unknown);
  /** Answers each request for a stream of events. Without it the server has none. */
  readonly stream?: (response: ServerResponse) => unknown;
}

const Sent = z.object({ id: z.number().optional(), method: z.string().default('') });

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
};

/** A tool server over HTTP whose answers are sent as they are written. */
export async function startRawToolServer({ list, call, stream }: RawAnswers) {
  const answers = new Map([
    ['initialize', JSON.stringify(HELLO)],
    ...(typeof call === 'string' ? [['tools/call', call] as const] : []),
  ]);
  const lists = [list].flat();
  const http = createServer(async (request, response) => {
    if (request.method === 'GET' && stream !== undefined) return void stream(response);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    // Each request has a connection of its own, so none is sent over one that is gone.
    response.setHeader('connection', 'close');
    const body = Buffer.concat(await request.toArray()).toString();
    const { id, method } = Sent.parse(JSON.parse(body));
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call' && typeof call !== 'string') return void call(response, id);
    response.writeHead(200, { 'content-type': 'application/json' });
    const answer = method === 'tools/list' ? (lists.length > 1 ? lists.shift() : lists[0]) : answers.get(method);
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${answer ?? '{}'}}`);
  });
  const port = await listen(http);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () => {
      http.close();
      http.closeAllConnections();
    },
  };
}
