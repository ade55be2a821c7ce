import { lookup as systemLookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { TextDecoder } from 'node:util';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorText } from '../../../log.ts';
import { isPublicAddress } from './address.ts';

/** Name lookup and requests, so that tests can replace them. */
export interface WebGetDeps {
  readonly lookup?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
  readonly request?: (
    url: URL,
    options: RequestOptions,
    answer: (response: IncomingMessage) => void,
  ) => ReturnType<typeof httpsRequest>;
}

export interface GetOptions {
  readonly signal: AbortSignal;
  /** May this redirect be followed? If not, the model is told its address. */
  readonly mayFollow: (from: URL, to: URL) => boolean;
}

export type Got =
  | {
      readonly type: 'page';
      readonly url: URL;
      readonly status: number;
      readonly mediaType: string;
      readonly text: string;
    }
  | { readonly type: 'redirect'; readonly url: URL; readonly to: URL };

const MOST_BYTES = 2_000_000;
const MOST_REDIRECTS = 5;

/**
 * Gets one page. The name is looked up once, all its addresses must be public, and the connection goes to one of them. So
 * a name that changes its address a moment later changes nothing. No cookie or credential is sent.
 */
export async function getPage(first: URL, options: GetOptions, deps: WebGetDeps = {}): Promise<Got> {
  let url = first;
  for (let count = 0; count <= MOST_REDIRECTS; count += 1) {
    const response = await ask(url, options, deps);
    const to = redirectOf(response, url);
    if (to === undefined) return { type: 'page', url, ...(await read(response)) };
    response.destroy();
    whyNotFetched(to);
    if (!options.mayFollow(url, to)) return { type: 'redirect', url, to };
    url = to;
  }
  throw new Error(`${first.host} redirects more than ${MOST_REDIRECTS} times. Try another address.`);
}

/** Throws for an address that is not fetched, with the reason for people. */
function whyNotFetched(url: URL): void {
  const problem = problemWith(url);
  if (problem !== undefined)
    throw new Error(`${url.protocol}//${url.host} is not fetched: ${problem}. Use another address.`);
}

export function problemWith(url: URL): string | undefined {
  if (url.protocol !== 'https:') return 'only https is';
  if (url.port !== '') return 'only the usual port is';
  if (url.username !== '' || url.password !== '') return 'an address that holds a password is not';
  const host = url.hostname;
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return 'a host has a name, not a number';
  return /\.[a-z][a-z0-9-]+\.?$/.test(host) ? undefined : 'its name is not one of the public internet';
}

async function ask(url: URL, { signal }: GetOptions, { lookup = lookupAll, request = httpsRequest }: WebGetDeps) {
  whyNotFetched(url);
  const addresses = await lookup(url.hostname);
  const [chosen] = addresses;
  if (chosen === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
    throw new Error(
      `${url.hostname} is not fetched: it is not, or not only, a part of the public internet. Use another host.`,
    );
  return new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(
      url,
      {
        // No connection is reused: its address was checked for another request.
        agent: false,
        signal,
        headers: { accept: 'text/html, text/plain, application/json;q=0.9, */*;q=0.1', 'user-agent': 'countersign' },
        lookup: (_host, { all }, answer) =>
          all === true ? answer(null, [{ ...chosen }]) : answer(null, chosen.address, chosen.family),
      },
      resolve,
    );
    asked.on('error', (cause) => reject(new Error(`${url.host} did not answer: ${errorText(cause)}`, { cause })));
    asked.end();
  });
}

function lookupAll(host: string) {
  return systemLookup(host, { all: true });
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  const to = URL.parse(headers.location, url.href);
  if (to === null) throw new Error(`${url.host} redirects to something that is no address. Try another page.`);
  return to;
}

async function read(response: IncomingMessage) {
  const { statusCode: status = 0, headers } = response;
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? 'text/plain').toLowerCase().split(';');
  if (!/^(?:text\/|application\/(?:.*\+)?(?:json|xml)$|application\/xhtml)/.test(mediaType.trim())) {
    response.destroy();
    throw new Error(`The page is not text (${mediaType.trim().slice(0, 100)}), and is not read. Try another page.`);
  }
  const charset = /charset\s*=\s*"?([\w-]+)/.exec(parameters.join(';'))?.[1] ?? 'utf-8';
  const pieces: Buffer[] = [];
  let size = 0;
  let cut = false;
  for await (const piece of unpacked(response)) {
    pieces.push(piece);
    size += piece.length;
    cut = size > MOST_BYTES;
    if (cut) break;
  }
  response.destroy();
  const text = decoderFor(charset).decode(Buffer.concat(pieces).subarray(0, MOST_BYTES));
  return { status, mediaType: mediaType.trim(), text: cut ? `${text}\n[cut here: the page is longer]` : text };
}

/** Some servers compress the page although no compression was asked for. The limit is on the unpacked size. */
function unpacked(response: IncomingMessage): AsyncIterable<Buffer> {
  const packing = (response.headers['content-encoding'] ?? 'identity').toLowerCase();
  const opener = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[packing];
  if (opener === undefined && packing !== 'identity')
    throw new Error(`The page is packed as ${packing}, which cannot be read here. Try another page.`);
  if (opener === undefined) return response;
  const open = opener();
  response.on('error', (error) => open.destroy(error));
  return response.pipe(open);
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
    // The page names a charset that Node does not know. Most pages are UTF-8.
  } catch {
    return new TextDecoder();
  }
}
