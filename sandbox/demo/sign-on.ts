import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerText, readBody } from '../http.ts';

/**
 * Stands in for the sign-on of a company in front of the bot's own pages. It asks each visitor who they are, believes it,
 * and says it to the bot in a header. A real one asks for more than a press.
 */
export interface DemoSignOn {
  readonly url: string;
  readonly close: () => void;
}

/** Signs the links of the demo, and encrypts its store. It keeps nothing secret: everyone can read it here. */
export const DEMO_KEY = Buffer.alloc(32, 'no secret').toString('base64');

const HEADER = 'x-forwarded-email';
const PEOPLE = ['ann', 'ben', 'zoe'].map((name) => `${name}@example.com`);

/** `behind` is the address of the bot. */
export async function startSignOn(behind: string): Promise<DemoSignOn> {
  const server: Server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://localhost');
    const url = Object.assign(new URL(behind), { pathname: asked.pathname, search: asked.search });
    const chosen = url.searchParams.get('signed-on') ?? undefined;
    if (request.method === 'GET' && chosen === undefined) {
      return answerText(response, 200, question(url), 'text/html');
    }
    // Each link asks anew, because one browser plays several people. The form of the page then says it by cookie.
    const person = chosen ?? /(?:^|; )signed-on=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    handOn(request, url, decodeURIComponent(person)).then(
      ({ status, headers, html }) => {
        const cookie = `signed-on=${encodeURIComponent(person)}; HttpOnly; SameSite=Strict`;
        response.writeHead(status, { ...headers, 'set-cookie': cookie }).end(html);
      },
      () =>
        answerText(response, 502, 'The bot is not there at the moment. Nothing was decided. Try again.', 'text/plain'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port and not on a path, so the address is an object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function handOn(request: IncomingMessage, url: URL, person: string) {
  const sent = Object.entries(request.headers).flatMap(([name, value]) =>
    ['content-type', 'origin', 'sec-fetch-site'].includes(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  const answer = await fetch(url, {
    method: request.method ?? 'GET',
    headers: { ...Object.fromEntries(sent), [HEADER]: person },
    ...(request.method === 'POST' ? { body: await readBody(request) } : {}),
    redirect: 'manual',
  });
  const { 'content-length': _, 'transfer-encoding': __, ...headers } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, html: await answer.text() };
}

function question(url: URL): string {
  const kept = [...url.searchParams]
    .map(([name, value]) => `<input type="hidden" name="${attribute(name)}" value="${attribute(value)}">`)
    .join('');
  const buttons = PEOPLE.map(
    (person) => `<p><button name="signed-on" value="${attribute(person)}">${attribute(person)}</button></p>`,
  ).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign-on of the demo</title>
<style>body{font:16px/1.5 system-ui;max-width:26rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}
button{font:inherit;width:100%;min-height:44px}</style>
<main><h1>Who are you?</h1><p>This stands for the sign-on of your company. It believes what you press.</p>
<form action="${attribute(url.pathname)}">${kept}${buttons}</form></main></html>`;
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
