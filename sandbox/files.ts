import type { IncomingMessage, ServerResponse } from 'node:http';
import { given } from '../app/given.ts';
import type { Faults } from './faults.ts';
import { answerText, readBody } from './http.ts';
import type { ApiObject } from './json.ts';
import type { StoredFile } from './records.ts';
import type { State } from './state.ts';

/** Files of messages, and the address at which a caller with the token gets what is in them. */

export interface NewFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** The kind that its sender claims, which Slack believes. Found by its name unless given. */
  readonly mediaType?: string;
  /** The event says only that there is one, as in a shared channel. */
  readonly stub?: true;
  /** The address of a file that Slack only links to, as the person who shared it chose it. */
  readonly externalUrl?: string;
  /** The same picture in the size that Slack makes of a large one. The sandbox makes none by itself. */
  readonly smaller?: Uint8Array;
  /** The address that the event names for a file that Slack hosts, in place of the one where it is. */
  readonly hostedUrl?: string;
}

export function storeFile(
  state: State,
  address: string,
  { name, content, smaller, mediaType, stub, externalUrl, hostedUrl }: NewFile,
): StoredFile {
  const id = state.nextId('F');
  const file: StoredFile = {
    ...{ id, name, title: name },
    ...contentOf(content),
    mediaType: mediaType ?? mediaTypeOf(name),
    url: externalUrl ?? hostedUrl ?? `${address}/files-pri/${id}/${encodeURIComponent(name)}`,
    isExternal: externalUrl !== undefined,
    ...given({ stub }),
    ...(smaller && { smaller: { bytes: smaller, url: `${address}/files-tmb/${id}/${encodeURIComponent(name)}` } }),
  };
  state.files.set(id, file);
  return file;
}

function contentOf(content: string | Uint8Array): Pick<StoredFile, 'content' | 'bytes'> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { bytes, content: bytes.includes(0) ? `(${bytes.length} bytes)` : Buffer.from(bytes).toString() };
}

export function fileOnWire({ id, name, title, mediaType, bytes, url, smaller, isExternal }: StoredFile): ApiObject {
  return {
    ...{ id, name, title, mimetype: mediaType, filetype: name.split('.').at(-1) ?? 'text', size: bytes.length },
    ...{ mode: isExternal ? 'external' : 'hosted', is_external: isExternal, file_access: 'visible' },
    ...{ url_private: url, url_private_download: url, ...given({ thumb_1024: smaller?.url }) },
  };
}

export function stubOnWire({ id }: StoredFile): ApiObject {
  return { id, mode: 'file_access', file_access: 'check_file_info' };
}

/** Stores what was uploaded for an announced file. */
export async function receiveFile(
  state: State,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = state.files.get(id);
  if (file === undefined) return answerText(response, 404, 'file_not_found');
  const content = uploaded(await readBody(request), request.headers['content-type']);
  state.files.set(id, { ...file, ...contentOf(content) });
  answerText(response, 200, `OK - ${file.name}`);
}

/** A file comes as it is, or as the one part of a form. */
function uploaded(body: Buffer, contentType = ''): Buffer {
  const boundary = /boundary=(.+)$/.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(`\r\n--${boundary}`));
}

interface FileReading {
  readonly state: State;
  readonly faults: Faults;
  readonly botToken: string;
  readonly scopes: readonly string[] | undefined;
}

/** Without the token or the scope Slack answers 200 all the same, with its login page. */
export function answerFile(
  { state, faults, botToken, scopes }: FileReading,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  state.requests.push({ method: 'url_private', arguments: { id }, token, atMs: state.now(), answer: undefined });
  const fault = faults.take('url_private');
  const file = state.files.get(id);
  const bytes = request.url?.startsWith('/files-tmb/') ? file?.smaller?.bytes : file?.bytes;
  if (fault?.type === 'status') return void response.writeHead(fault.status).end();
  if (fault?.type === 'lost') return void response.destroy();
  if (token !== botToken || scopes?.includes('files:read') === false)
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(LOGIN_PAGE);
  if (file === undefined || bytes === undefined) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': file.mediaType, 'content-length': bytes.length }).end(bytes);
}

const LOGIN_PAGE =
  '<!DOCTYPE html><html><head><title>Slack</title></head><body>Sign in to your workspace</body></html>';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  json: 'application/json',
  csv: 'text/csv',
  zip: 'application/zip',
};

function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/plain';
}
