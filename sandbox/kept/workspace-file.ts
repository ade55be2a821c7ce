import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { given } from '../../app/given.ts';
import type { SessionState, SlackMessage, StoredFile, View } from '../records.ts';
import type { State } from '../state.ts';

/**
 * What of a workspace outlasts the sandbox: messages, sessions, Home tabs, files, and which channels are archived. What a person
 * has open does not.
 */
export interface KeptWorkspace extends Pick<State, 'messages' | 'sessions' | 'homes' | 'files'> {
  readonly archived: readonly string[];
}

const entries = <Value extends z.ZodType>(value: Value) => z.array(z.tuple([z.string(), value]));
const list = z.array(z.unknown());
const File = z.looseObject({ id: z.string(), url: z.string(), bytes: z.instanceof(Uint8Array) });
const Stored = z.object({
  version: z.literal(1),
  messages: entries(
    z.looseObject({
      ...{ channel: z.string(), ts: z.string(), user: z.string(), text: z.string() },
      ...{ blocks: list, reactions: list, files: z.array(File), earlier: list },
    }),
  ),
  sessions: entries(z.looseObject({})),
  homes: entries(z.looseObject({ id: z.string(), content: z.looseObject({ blocks: list }) })),
  files: entries(File),
  // A file from before channels were kept has no such list.
  archived: z.array(z.string()).optional(),
});

/**
 * Reads the file. `undefined` if there is none, `broken` if it is no workspace. Files of messages are then found at `address`,
 * which may have been another one.
 */
export function readWorkspace(file: string, address: string): KeptWorkspace | undefined | 'broken' {
  if (!existsSync(file)) return undefined;
  const stored = parsed(readFileSync(file, 'utf8'), address);
  if (!Stored.safeParse(stored).success) return 'broken';
  return {
    messages: new Map<string, SlackMessage>(stored.messages),
    sessions: new Map<string, SessionState>(stored.sessions),
    homes: new Map<string, View>(stored.homes),
    files: new Map<string, StoredFile>(stored.files),
    archived: stored.archived ?? [],
  };
}

export function workspaceAsText({ messages, sessions, homes, files, channels }: State): string {
  return JSON.stringify({
    version: 1,
    messages: [...messages].map(([name, message]) => [name, settled(message)]),
    sessions: [...sessions],
    homes: [...homes],
    files: [...files].map(([name, file]) => [name, asText(file)]),
    archived: [...channels.values()].flatMap(({ id, isArchived }) => (isArchived ? [id] : [])),
  });
}

/** Replaces the file in one step, so that a process that dies meanwhile leaves the old one. */
export function writeInOneStep(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

/** The process that wrote an answer is gone when it is read again, so no stream is open. Old paintings keep their words. */
function settled({ stream, ...message }: SlackMessage): object {
  return {
    ...message,
    ...given({ stream: stream && { ...stream, open: false } }),
    earlier: message.earlier.map(({ text }) => ({ text, blocks: [] })),
    files: message.files.map(asText),
  };
}

function asText(file: StoredFile): object {
  return { ...file, bytes: Buffer.from(file.bytes).toString('base64') };
}

/** The schema checks what this gives. */
// biome-ignore lint/suspicious/noExplicitAny: a reviver can return anything.
function parsed(text: string, address: string): any {
  try {
    return JSON.parse(text, (key, value) => {
      if (typeof value !== 'string') return value;
      if (key === 'bytes') return Buffer.from(value, 'base64');
      return key === 'url' ? value.replace(OWN_FILE, `${address}$1`) : value;
    });
    // The text is not JSON.
  } catch {
    return undefined;
  }
}

const OWN_FILE = /^http:\/\/127\.0\.0\.1:\d+(\/files-(?:pri|tmb)\/)/;
