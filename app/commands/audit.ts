import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { given } from '../given.ts';
import {
  type Altered,
  alterOneByte,
  attentionLines,
  attentionRows,
  exportLines,
  measureAttention,
  readArchive,
  readableOf,
  tailLines,
  verify,
} from '../keeping/index.ts';
import { count, errorText } from '../log.ts';
import { endOf } from '../recorder/index.ts';
import { RunId } from '../records/index.ts';
import type { Signer } from '../secrets/index.ts';
import type { Store } from '../store/index.ts';
import { unknownCommand, unreadOption, withUsage } from './options.ts';

export const USAGE = `Usage: npm run audit -- <command> [options]

  verify                Walks every journal and names what was removed, reordered, altered or cut off.
  export                Writes one line of JSON for each entry.
  attention             Says how often people were asked, how they answered and how long they looked, for each tool and rule.
  tail                  Writes the newest entries, and goes on with new ones until you end it.

  --run ID              Only this run (export, tail).
  --since ISO           Only entries from this time on, as 2026-11-21 or 2026-11-21T09:00:00Z (export, tail, attention).
  --kept HASH           Proves that the entry with this hash is still there. It may be given again (verify).
  --alter HASH          Alters one byte of the entry whose hash begins so in a copy in memory, and walks that copy (verify).
  --archive PATH        The folder of the archives that retention wrote (verify); or one file of it, in place of the store (export).
  --inputs              With the inputs of tool calls and what the agent said of them (export, tail).
  --json                As JSON: one object (verify), or one object on each line (the others).

The store is that of REDIS_URL, or of DATA_DIR. Bots may be running. Nothing in the store is changed.
`;

export type AuditWish =
  | {
      readonly command: 'verify';
      readonly json?: true;
      readonly folder?: string;
      readonly kept?: readonly string[];
      readonly alter?: string;
    }
  | { readonly command: 'attention'; readonly json?: true; readonly sinceMs?: number }
  | {
      readonly command: 'export' | 'tail';
      readonly run?: RunId;
      readonly sinceMs?: number;
      readonly inputs: boolean;
    }
  | { readonly command: 'export'; readonly archive: string; readonly sinceMs?: number; readonly inputs: boolean };

/** What is read in the store. */
export type StoreWish = Exclude<AuditWish, { archive: string }>;

/** The hash of an entry, as `verify` and `export` write it. */
const HASH = /^[\w-]{43}$/;
const BEGINNING = /^[\w-]{4,43}$/;

const TAKES: Readonly<Record<AuditWish['command'], readonly string[]>> = {
  verify: ['kept', 'alter', 'archive', 'json'],
  export: ['run', 'since', 'archive', 'inputs', 'json'],
  attention: ['since', 'json'],
  tail: ['run', 'since', 'inputs', 'json'],
};

/** Names an option that the command would pass over: its reader would believe that it counts. */
function strayOption(command: AuditWish['command'], given: readonly string[]): string | undefined {
  const stray = given.find((option) => !TAKES[command].includes(option));
  return (
    stray && `${command} takes no --${stray}. It takes ${TAKES[command].map((option) => `--${option}`).join(', ')}.`
  );
}

/** Reads the arguments. Returns what is wrong if they cannot be used: a sentence, with the usage where a word is unknown. */
export function readWish(args: readonly string[]): AuditWish | string {
  try {
    const { values, positionals } = parseArgs({
      args: joinHashes(args),
      allowPositionals: true,
      options: {
        run: { type: 'string' },
        since: { type: 'string' },
        archive: { type: 'string' },
        kept: { type: 'string', multiple: true },
        alter: { type: 'string' },
        inputs: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const [command, ...rest] = positionals;
    if (command !== 'verify' && command !== 'export' && command !== 'tail' && command !== 'attention')
      return unknownCommand(command, USAGE);
    if (rest.length > 0) return `One command at a time: ${rest.join(' ')} is too much.`;
    const stray = strayOption(command, Object.keys(values));
    if (stray !== undefined) return stray;
    const json = values.json ? { json: true as const } : {};
    if (command === 'verify') {
      const odd = values.kept?.find((hash) => !HASH.test(hash));
      if (values.alter !== undefined && !BEGINNING.test(values.alter))
        return `${values.alter} is not the hash of an entry, nor its beginning. Write at least 4 of its 43 characters.`;
      if (odd !== undefined)
        return `${odd} is not the hash of an entry. verify and export write them, of 43 characters.`;
      return { command, ...json, ...given({ folder: values.archive, kept: values.kept, alter: values.alter }) };
    }
    const run = values.run === undefined ? undefined : RunId.safeParse(values.run);
    if (run?.success === false)
      return `${values.run} is not the id of a run. It stands in each line of export, under "run".`;
    const sinceMs = values.since === undefined ? undefined : Date.parse(values.since);
    if (Number.isNaN(sinceMs)) return `${values.since} is not a time. Write it as 2026-11-21T09:00:00Z.`;
    const since = given({ sinceMs });
    if (command === 'attention') return { command, ...json, ...since };
    const inputs = values.inputs === true;
    if (command === 'export' && values.archive !== undefined)
      return { command, archive: values.archive, inputs, ...since };
    return {
      command,
      inputs,
      ...given({ run: run?.data }),
      ...since,
    };
    // `parseArgs` throws for an option that it does not know. Its message is shown with the usage.
  } catch (error) {
    return withUsage(unreadOption(errorText(error)) ?? errorText(error), USAGE);
  }
}

/** Writes `--kept HASH` as one argument, because a hash may begin with a dash and would be read as an option. */
function joinHashes(args: readonly string[]): string[] {
  const isHash = (at: number) => {
    const [option, hash = ''] = [args[at - 1], args[at]];
    if (option !== '--kept' && option !== '--alter') return false;
    return HASH.test(hash) || (option === '--alter' && BEGINNING.test(hash) && !hash.startsWith('--'));
  };
  return args.flatMap((arg, at) => (isHash(at) ? [] : isHash(at + 1) ? `${arg}=${args[at + 1]}` : arg));
}

/** Writes the run in a file of retention. Throws with a sentence when the file cannot be read. */
export async function exportArchive(
  { archive, ...options }: Extract<AuditWish, { archive: string }>,
  write: (line: string) => void,
): Promise<void> {
  try {
    const archived = readArchive(await readFile(archive, 'utf8'));
    if (typeof archived === 'string') throw new Error(archived);
    for await (const line of exportLines(readableOf(archived), { ...options, run: archived.run })) write(line);
    // The file is missing, or something else. The operator hears which file it is.
  } catch (cause) {
    const why = errorText(cause);
    throw new Error(`${archive} cannot be exported: ${why}. Name a file that retention wrote.`, { cause });
  }
}

export interface Outside {
  readonly store: Store;
  readonly write: (line: string) => void;
  readonly say: (line: string) => void;
  /** Checks signatures. Absent: there is no key. */
  readonly check?: Signer['check'] | undefined;
  /** Resolves when it is time to look again; `false` ends the command. */
  readonly again: () => Promise<boolean>;
}

/** Runs the command, and returns whether all was well. */
export async function runAudit(wish: StoreWish, { store, write, say, check, again }: Outside): Promise<boolean> {
  if ('run' in wish) await findRun(store, wish.run);
  switch (wish.command) {
    case 'verify':
      return verifyStore(wish, { store, write, say, check });
    case 'attention': {
      const report = await measureAttention(store, wish.sinceMs);
      const rows = wish.json ? attentionRows(report).map((row) => JSON.stringify(row)) : attentionLines(report);
      for (const row of rows) write(row);
      return true;
    }
    case 'export':
      for await (const line of exportLines(store, wish)) write(line);
      return true;
    case 'tail':
      for await (const line of tailLines(store, wish, again)) write(line);
      return true;
  }
}

async function findRun(store: Store, run: RunId): Promise<void> {
  if ((await endOf(store, run)).version > 0) return;
  throw new Error(
    `There is no run ${run} in this store. If retention removed it, export its file: npm run audit -- export --archive FILE.`,
  );
}

async function verifyStore(
  { json, alter, ...options }: Extract<StoreWish, { command: 'verify' }>,
  { store, write, say, check }: Omit<Outside, 'again'>,
): Promise<boolean> {
  const altered = alter === undefined ? undefined : await alterOneByte(store, alter);
  if (altered === 'none')
    throw new Error(
      `No entry has a hash that begins with ${alter}, so no byte was altered. Take one that export writes.`,
    );
  if (altered === 'several')
    throw new Error(`Several hashes begin with ${alter}, so no byte was altered. Write more of the one that you mean.`);
  const report = await verify(altered?.store ?? store, { ...options, check });
  const { counts, findings, notes, ends, kept } = report;
  if (json) {
    write(JSON.stringify(report));
    return findings.length === 0;
  }
  if (altered !== undefined) say(alteredLine(altered));
  for (const finding of findings) write(finding);
  for (const note of notes) say(`Note: ${note}`);
  for (const end of ends) say(`Workspace ${end}`);
  for (const place of kept) say(`Kept ${place}.`);
  const { runs, trusts, workspaces, entries } = counts;
  const result = findings.length === 0 ? 'every one is as it was written' : count(findings.length, 'finding');
  say(
    `Walked ${count(runs, 'run')}, ${count(trusts, 'trust')} and ${count(workspaces, 'workspace')} with ${count(entries, 'entry', 'entries')}: ${result}.`,
  );
  return findings.length === 0;
}

function alteredLine({ journal, position, before, after }: Altered): string {
  return `In a copy in memory, one byte of entry ${position} of ${journal} was altered: ${before} became ${after}.`;
}
