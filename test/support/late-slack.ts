import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './listen.ts';
import { PATIENCE_MS } from './patience.ts';

/** A long way to Slack for one process: what it asks for arrives when the test says, also after that process has died. */
export interface LateSlack {
  /** For `SLACK_API_URL`. */
  readonly url: string;
  /** From now on calls of this method wait on the way. */
  readonly hold: (method: string) => void;
  /** Resolves as soon as one waits. */
  readonly untilHeld: () => Promise<void>;
  /** Those that wait arrive, and resolves when Slack has answered them; later ones wait on. */
  readonly letThrough: () => Promise<void>;
  /** The same, and nothing waits any more. */
  readonly heal: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startLateSlack(slackApiUrl: string): Promise<LateSlack> {
  let method: string | undefined;
  let waiting: (() => Promise<void>)[] = [];
  const onHeld: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL((request.url ?? '/').slice(1), slackApiUrl);
    const body = await bodyOf(request);
    const headers = Object.entries(request.headers).filter(([name]) => PASSED.includes(name));
    const pass = async (): Promise<void> => {
      const answer = await fetch(url, { method: 'POST', headers: headers.map(([k, v]) => [k, `${v}`]), body });
      const text = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
    };
    if (method === undefined || !url.pathname.endsWith(`/${method}`)) await pass();
    else {
      waiting.push(pass);
      for (const tell of onHeld.splice(0)) tell();
    }
  });
  const port = await listen(server);

  const letThrough = async (): Promise<void> => {
    const now = waiting;
    waiting = [];
    await Promise.all(now.map((pass) => pass()));
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    hold: (name) => {
      method = name;
    },
    untilHeld: () =>
      waiting.length > 0 ? Promise.resolve() : withLimit(new Promise<void>((resolve) => onHeld.push(resolve)), method),
    letThrough,
    heal: () => {
      method = undefined;
      return letThrough();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function withLimit(held: Promise<void>, method = 'no method'): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Not seen within ${PATIENCE_MS} ms: a call of ${method} on its way to Slack`));
    const timer = setTimeout(late, PATIENCE_MS);
    void held.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const PASSED = ['authorization', 'content-type'];

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}
