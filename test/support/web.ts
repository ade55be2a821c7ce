import { createServer, request as plainRequest } from 'node:http';
import type { WebGetDeps } from '../../app/tools/built-in/web/get.ts';
import { listen } from './listen.ts';

export interface TestPage {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/**
 * A small internet: names with addresses, and pages behind them. Only the last metre is other than in the real one:
 * whatever address is dialled, a server on this computer answers, without encryption.
 */
export async function startWeb(
  pages: Readonly<Record<string, TestPage>>,
  addresses: Readonly<Record<string, readonly string[]>> = {},
) {
  const dialled: string[] = [];
  const lookedUp: string[] = [];
  const sent: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    sent.push(request.headers);
    const page = pages[`https://${request.headers.host}${request.url}`] ?? { status: 404, body: 'not here' };
    response.writeHead(page.status ?? 200, { 'content-type': 'text/html', ...page.headers });
    response.end(page.body ?? '');
  });
  const port = await listen(server);

  const web: WebGetDeps = {
    lookup: async (host) => {
      lookedUp.push(host);
      return (addresses[host] ?? ['93.184.216.34']).map((each) => ({
        address: each,
        family: each.includes(':') ? 6 : 4,
      }));
    },
    request: (url, { lookup, headers, signal }, answer) => {
      lookup?.(url.hostname, { all: false }, (_error, chosen) => dialled.push(String(chosen)));
      const path = `${url.pathname}${url.search}`;
      const options = { host: '127.0.0.1', port, path, headers: { ...headers, host: url.host } };
      return plainRequest(signal === undefined ? options : { ...options, signal }, answer);
    },
  };
  return { web, dialled, lookedUp, sent, stop: () => new Promise((resolve) => server.close(resolve)) };
}
