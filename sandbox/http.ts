import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiObject, isObject, parseJson } from './json.ts';

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** The fields of a request, sent as a form or as JSON. */
export async function readFields(request: IncomingMessage): Promise<ApiObject> {
  const body = (await readBody(request)).toString();
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const inQuery = Object.fromEntries(query);
  if (request.headers['content-type']?.includes('json') === true) {
    const parsed = parseJson(body);
    return isObject(parsed) ? { ...inQuery, ...parsed } : inQuery;
  }
  return { ...inQuery, ...Object.fromEntries(new URLSearchParams(body)) };
}

export function answerJson(response: ServerResponse, body: ApiObject): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}

export function answerText(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(body);
}
