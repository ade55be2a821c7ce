import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Log } from '../../app/log.ts';
import type { MessageFile } from '../../app/records/index.ts';
import type { ReadFile } from '../../app/surface.ts';
import { createTurns, nextTurn, pause } from '../../app/time/index.ts';
import { contentOf, FileContent, FilePlace, isHostedBySlack } from '../payloads/index.ts';
import { isSlackError } from '../sender/index.ts';
import { kindOf, looksLikePage } from './file-kinds.ts';

/**
 * Files that people send, fetched with our token. The token goes only to addresses at which Slack keeps files: an
 * address of an API method would act in the bot's name. What a file is follows from its content and not from its name.
 */
export interface FilesDeps {
  readonly client: WebClient;
  readonly log: Log;
  readonly limits: FileLimits;
}

/** In bytes. */
export interface FileLimits {
  readonly picture: number;
  readonly document: number;
  readonly text: number;
}

const ATTEMPTS = 3;
const TIMEOUT_MS = 20_000;

export const UNREADABLE = {
  gone: 'is gone, or Slack does not show it to me',
  scope: 'is not shown to me by Slack: the app needs the scope files:read',
  elsewhere: 'lies outside of Slack, and I fetch nothing from there',
  moved: 'is redirected by Slack to another address, and my token follows no redirect',
  unreachable: 'could not be fetched from Slack',
  kind: 'is of a kind that I cannot read: I take pictures, PDFs and text',
  empty: 'is empty',
  large: (bytes: number) => `is too large: I read up to ${Math.floor(bytes / 100_000) / 10} MB of its kind`,
} as const;

export function createFiles({ client, log, limits }: FilesDeps) {
  const oneByOne = createTurns();
  const longest = Math.max(limits.picture, limits.document, limits.text);

  const readAt = async (address: string, name: string): Promise<ReadFile> => {
    const url = URL.parse(address);
    if (url === null || !isSlackFile(url, client)) return unreadable(UNREADABLE.elsewhere);
    const pieces = await download(url, { client, most: longest });
    if ('why' in pieces) return pieces;
    // Several files of a message may arrive at the same time. Other work has its turn between them.
    return oneByOne('files', async () => {
      await nextTurn();
      return judge(Buffer.concat(pieces), name, limits);
    });
  };

  const read = async (file: MessageFile, most: number): Promise<ReadFile> => {
    const found = file.url === undefined ? await lookUp(client, file) : file;
    if ('why' in found) return found;
    const { url = '', smallerUrl, bytes = 0 } = found;
    if (smallerUrl !== undefined && bytes > Math.min(most, limits.picture)) {
      const smaller = await readAt(smallerUrl, file.name);
      if (smaller.type === 'read') return smaller;
    }
    return bytes > longest ? unreadable(UNREADABLE.large(longest)) : readAt(url, file.name);
  };

  return {
    readFile: async (file: MessageFile, most: number): Promise<ReadFile> => {
      // Slack may be out of reach. The agent is told that the file could not be fetched.
      const tried = await read(file, most).catch((error: unknown) => {
        log.warn('A file of a message could not be fetched', { file: file.id, error });
        return unreadable(UNREADABLE.unreachable);
      });
      if (tried.type === 'unreadable') log.info('A file of a message is not read', { file: file.id, why: tried.why });
      return tried;
    },
  };
}

type Pieces = readonly Uint8Array[];
type Unreadable = Extract<ReadFile, { readonly type: 'unreadable' }>;
const unreadable = (why: string): Unreadable => ({ type: 'unreadable', why });

const Info = z.object({ file: FilePlace.extend(FileContent.shape) });

/** In a channel that is shared with another company, the event says only that there is a file. */
async function lookUp(client: WebClient, file: MessageFile): Promise<MessageFile | Unreadable> {
  try {
    const info = Info.parse(await client.files.info({ file: file.id })).file;
    if (!isHostedBySlack(info)) return unreadable(UNREADABLE.elsewhere);
    return { ...file, ...contentOf(info) };
    // Slack refuses for good where the scope is missing or the file is gone. Any other error is thrown.
  } catch (error) {
    if (isSlackError(error, 'missing_scope')) return unreadable(UNREADABLE.scope);
    if (isSlackError(error, 'file_not_found') || isSlackError(error, 'file_deleted'))
      return unreadable(UNREADABLE.gone);
    throw error;
  }
}

/** Is it `files.slack.com`, or a path of files at the address that `SLACK_API_URL` gives Slack? */
function isSlackFile(url: URL, { slackApiUrl }: WebClient): boolean {
  if (url.username !== '' || url.password !== '' || namesApi(url)) return false;
  if (url.origin === 'https://files.slack.com') return true;
  // Slack itself keeps no files beside its API.
  if (url.origin === 'https://slack.com') return false;
  return url.origin === URL.parse(slackApiUrl)?.origin && /^\/files-(?:pri|tmb)\//.test(url.pathname);
}

/** A server may decode a path more often than `URL` does, so a path that is escaped twice counts as one of the API. */
function namesApi({ pathname }: URL): boolean {
  try {
    return /[/\\]api(?:[/\\;]|$)|%[0-9a-f]{2}/i.test(decodeURIComponent(pathname));
    // The path has a malformed escape. Slack writes no such address.
  } catch {
    return true;
  }
}

async function download(
  url: URL,
  { client, most }: { readonly client: WebClient; readonly most: number },
): Promise<Pieces | Unreadable> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await downloadOnce(url, { client, most });
      // The network or Slack may fail for a moment.
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await pause(300 * attempt);
    }
  }
}

async function downloadOnce(
  url: URL,
  { client, most }: { readonly client: WebClient; readonly most: number },
): Promise<Pieces | Unreadable> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${client.token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return readUpTo(response, most);
  await response.body?.cancel();
  // The token follows no redirect, not even inside Slack.
  if (response.status >= 300 && response.status < 400) return unreadable(UNREADABLE.moved);
  if (response.status === 404 || response.status === 410) return unreadable(UNREADABLE.gone);
  if (response.status === 401 || response.status === 403) return unreadable(UNREADABLE.scope);
  throw new Error(`Slack answered ${response.status} for a file, so it was not read. Send it again later.`);
}

/** Counts the bytes that arrive, because a header may name a wrong length. */
async function readUpTo(response: Response, most: number): Promise<Pieces | Unreadable> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    // Leaving the loop closes the connection.
    if (bytes > most) return unreadable(UNREADABLE.large(most));
    pieces.push(piece);
  }
  return pieces;
}

function judge(content: Uint8Array, name: string, limits: FileLimits): ReadFile {
  if (content.length === 0) return unreadable(UNREADABLE.empty);
  // Without the right to read a file Slack answers 200 and shows its login page.
  if (looksLikePage(content) && !/\.x?html?$/i.test(name)) return unreadable(UNREADABLE.scope);
  const kind = kindOf(content);
  if (kind === undefined) return unreadable(UNREADABLE.kind);
  const most = limits[kind.is];
  if (content.length > most) return unreadable(UNREADABLE.large(most));
  return {
    type: 'read',
    kind: kind.is === 'picture' ? 'image' : 'document',
    mediaType: kind.mediaType,
    base64: Buffer.from(content).toString('base64'),
  };
}
