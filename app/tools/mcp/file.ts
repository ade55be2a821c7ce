import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { errorText } from '../../log.ts';
import { checkWritten, problemText } from '../index.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Where a tool server is and how it is reached, with all variables replaced. */
export type ServerSettings = ProcessServer | HttpServer;

interface Common {
  readonly name: string;
  /** The limit of one call. */
  readonly timeoutMs: number;
  /** The command or address in the file, before variables. Another one under the same name is another server. */
  readonly identity: string;
}
export interface ProcessServer extends Common {
  readonly type: 'process';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
export interface HttpServer extends Common {
  readonly type: 'http';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** The list of tool servers cannot be used. The message has the file, the place in it, and what is wrong. */
export class ToolServersFileError extends Error {
  override readonly name = 'ToolServersFileError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}.`, options);
    this.file = file;
  }
}

export interface ServerList {
  readonly servers: readonly ServerSettings[];
  /** Settings in the file that this program does not read, with their place. Other programs may read them. */
  readonly unread: readonly string[];
}

/** Reads the list of tool servers in the shape that many programs share, with `${VARIABLE}` from the environment. */
export function readServersFile(file: string, env: Readonly<Record<string, string | undefined>>): ServerList {
  const checked = checkWritten(File, parseJson(file));
  if (!checked.ok) throw new ToolServersFileError(file, checked.problems.map(problemText).join('; '));
  const unread: string[] = [];
  const servers: ServerSettings[] = [];
  for (const [name, entry] of Object.entries(checked.value.mcpServers)) {
    const place = `mcpServers.${name}`;
    unread.push(...Object.keys(entry).flatMap((key) => (KNOWN.has(key) ? [] : [`${place}.${key}`])));
    if (entry.disabled === true) continue;
    const expand = (text: string, key: string) => expanded(text, { file, place: `${place}.${key}`, env });
    servers.push(settingsOf(name, entry, { file, place, expand }));
  }
  return { servers, unread };
}

interface EntryContext {
  readonly file: string;
  readonly place: string;
  readonly expand: (text: string, key: string) => string;
}

function settingsOf(name: string, entry: z.output<typeof Entry>, { file, place, expand }: EntryContext) {
  const { command, url, timeoutMs = SERVER_LIMITS.callMs } = entry;
  const expandAll = (values: Readonly<Record<string, string>> = {}, key: string) =>
    Object.fromEntries(Object.entries(values).map(([each, text]) => [each, expand(text, `${key}.${each}`)]));
  if (command !== undefined && url === undefined) {
    const { args = [], cwd = '.' } = entry;
    return {
      type: 'process',
      name,
      timeoutMs,
      identity: JSON.stringify([command, ...args]),
      command: expand(command, 'command'),
      args: args.map((text, index) => expand(text, `args[${index}]`)),
      env: expandAll(entry.env, 'env'),
      cwd: resolve(dirname(file), expand(cwd, 'cwd')),
    } satisfies ProcessServer;
  }
  if (url === undefined || command !== undefined)
    throw new ToolServersFileError(file, `${place} must have either a command or a url`);
  const address = URL.parse(expand(url, 'url'));
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new ToolServersFileError(file, `${place}.url must begin with https:// or http://`);
  const headers = expandAll(entry.headers, 'headers');
  if (isReadable(address) && Object.keys(headers).length > 0 && entry.plainHttp !== true)
    throw new ToolServersFileError(
      file,
      `${place}.url is http://, so anyone on the way to it could read ${place}.headers. Use https://, or write "plainHttp": true beside it`,
    );
  return { type: 'http', name, timeoutMs, identity: url, url: address, headers } satisfies HttpServer;
}

/** Can others read what is sent to this address? What stays on this machine is sent to no network. */
function isReadable({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Replaces `${NAME}` and `${NAME:-otherwise}`. A missing or empty variable stops the start: a server with half a key fails in odd ways. */
function expanded(
  text: string,
  { file, place, env }: { file: string; place: string; env: Readonly<Record<string, string | undefined>> },
): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_all, variable: string, otherwise?: string) => {
    const value = env[variable] || otherwise;
    if (value !== undefined) return value;
    throw new ToolServersFileError(
      file,
      `${place} needs ${variable}, and it is not set, or empty. Set it, or remove the server`,
    );
  });
}

function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
    // The file is missing or no JSON. The operator hears which file it is.
  } catch (cause) {
    const why = errorText(cause).replace(/\.$/, '');
    throw new ToolServersFileError(file, `cannot be read: ${why}. Correct the file`, { cause });
  }
}

const text = z.string('must be text');
const texts = z.record(z.string(), text, 'must be an object of texts');

const Entry = z.looseObject({
  type: z
    .enum(
      ['stdio', 'http', 'streamable-http', 'streamableHttp'],
      "must be 'stdio' or 'http': the older transports are not spoken here",
    )
    .optional(),
  command: text.min(1, 'must not be empty').optional(),
  args: z.array(text, 'must be a list of texts').optional(),
  env: texts.optional(),
  cwd: text.optional(),
  url: text.optional(),
  headers: texts.optional(),
  /** Headers may be sent without encryption. */
  plainHttp: z.boolean('must be true or false').optional(),
  timeoutMs: z
    .number('must be a number')
    .int('must be a whole number')
    .positive('must be above 0')
    .max(3_600_000, 'must be at most an hour')
    .optional(),
  disabled: z.boolean('must be true or false').optional(),
});
const KNOWN = new Set(Object.keys(Entry.shape));

/** Two underscores separate server and tool, so the name of a server has no two in a row and none at its ends. */
const ServerName = z
  .string()
  .regex(
    /^(?=.{1,30}$)[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*$/,
    'is not a name for a server: use up to 30 letters and digits, with single hyphens or underscores between them',
  );

const File = z.object(
  {
    mcpServers: z
      .record(z.string(), z.unknown(), 'must be an object: { "mcpServers": { "name": { "command": … } } }')
      .superRefine((servers, context) => {
        for (const name of Object.keys(servers)) {
          const checked = ServerName.safeParse(name);
          const message = checked.success ? undefined : checked.error.issues[0]?.message;
          if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
        }
      })
      .pipe(z.record(z.string(), Entry)),
  },
  'must be an object: { "mcpServers": { … } }',
);
