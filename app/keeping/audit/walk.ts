import { z } from 'zod';
import { hashLine, NewerEntryError, type Seal, type TrustEnd } from '../../journal/index.ts';
import { count, errorText } from '../../log.ts';
import type { JournalName, RunId, TrustId } from '../../records/index.ts';
import { SecretError, type Signer } from '../../secrets/index.ts';
import { isSealed, type JournalPage, type Store } from '../../store/index.ts';
import { newQuestionLists, type QuestionLists } from './lists.ts';
import { brokenChain } from './page.ts';

export type Readable = Pick<Store, 'journals' | 'read' | 'readItems'>;
/** A store with the lists that `verify` compares with the journals. */
export type Verifiable = Readable & Pick<Store, 'members' | 'findApproval' | 'record'>;

/** A use of a trust that a run records. */
export interface Use {
  readonly trust: TrustId;
  readonly run: RunId;
  /** Absent: the run only records that the trust was given. */
  readonly call?: string;
}

/** A fault, unless the journals of the workspaces explain it. */
export interface Suspicion {
  readonly says: string;
  readonly isExplained: () => boolean;
}

/** What the audit has read and found so far. */
export interface Walk {
  readonly store: Verifiable;
  readonly findings: string[];
  readonly notes: string[];
  readonly ends: string[];
  readonly seals: Map<RunId, Seal[]>;
  readonly ended: Map<TrustId, TrustEnd[]>;
  readonly begun: Set<RunId>;
  readonly retired: Set<RunId>;
  /** Looked at again at the end, because a bot at work may write the reason meanwhile. */
  readonly suspicions: Suspicion[];
  readonly uses: Use[];
  /** The hashes that a person kept, and the place of each that was seen. */
  readonly kept: Map<string, string | undefined>;
  /** How signatures are checked (absent: without a key), and how many could not be. */
  readonly signatures: {
    readonly check: Signer['check'] | undefined;
    before: number;
    unknown: number;
    unchecked: number;
  };
  readonly questions: QuestionLists;
  /** `false` when a newer version wrote entries about runs, for example that it removed one. */
  knowsAllRuns: boolean;
  /** `false` when the store has no record of a key, so that no bot can have encrypted an entry of it. */
  mayBeSealed: boolean;
  entries: number;
  /** Entries and items that are encrypted, so that only their position was checked. */
  sealed: number;
  /** Items that no entry has a hash of. */
  unhashed: number;
  /** Runs of versions that did not record beginnings. */
  unrecorded: number;
}

export function newWalk(store: Verifiable, kept: readonly string[] = [], check?: Signer['check']): Walk {
  return {
    store,
    findings: [],
    notes: [],
    ends: [],
    seals: new Map(),
    ended: new Map(),
    begun: new Set(),
    retired: new Set(),
    suspicions: [],
    uses: [],
    signatures: { check, before: 0, unknown: 0, unchecked: 0 },
    kept: new Map(kept.map((hash) => [hash, undefined])),
    questions: newQuestionLists(),
    knowsAllRuns: true,
    mayBeSealed: true,
    entries: 0,
    sealed: 0,
    unhashed: 0,
    unrecorded: 0,
  };
}

/** Reads a journal and checks the chain of its lines. `undefined` when a text of it is not what a bot encrypted there. */
export async function readJournal(walk: Walk, name: JournalName): Promise<JournalPage | undefined> {
  const page = await readable(walk, name);
  if (page === undefined) return undefined;
  walk.entries += page.entries.length;
  if (walk.kept.size > 0) lookForKept(walk, name, page);
  const broken = brokenChain(page);
  if (broken !== undefined) walk.findings.push(`${name}: ${broken}.`);
  return page;
}

/** The journal, unchecked. */
export function readable(walk: Walk, name: JournalName): Promise<JournalPage | undefined> {
  return orFinding(walk, `${name}: cannot be read`, () => walk.store.read(name));
}

function lookForKept({ kept }: Walk, name: JournalName, { entries }: JournalPage): void {
  for (const [position, { text }] of entries.entries()) {
    const hash = hashLine(text);
    // The hash of an entry is over its readable form.
    if (!isSealed(text) && kept.has(hash)) kept.set(hash, `entry ${position} of ${name}`);
  }
}

/** The kept hashes that no line has any more. */
export function lostHashes({ kept, sealed }: Walk): readonly string[] {
  const why =
    sealed > 0 ? 'It may be of an encrypted entry: set DATA_KEY.' : 'What it stood for was removed or written anew.';
  return [...kept].flatMap(([hash, at]) => (at === undefined ? [`No entry has the kept hash ${hash}. ${why}`] : []));
}

/** The kept hashes that were seen, each with its place. */
export function foundHashes({ kept }: Walk): readonly string[] {
  return [...kept].flatMap(([hash, at]) => (at === undefined ? [] : `${hash} is ${at}`));
}

/**
 * Reads each line up to one that cannot be read, and names that one. An entry of a newer version is only noted, because it
 * is no fault; the chain of its lines and its seal are still checked. Without the key, encrypted entries are counted.
 */
export function eachLine(
  walk: Walk,
  name: JournalName,
  page: JournalPage,
  look: (text: string) => void,
  behindNewer: 'stop' | 'go-on' = 'stop',
): 'read' | 'newer' | 'sealed' {
  const { findings, notes } = walk;
  const sealed = page.entries.filter(({ text }) => isSealed(text)).length;
  walk.sealed += sealed;
  if (sealed > 0 && !walk.mayBeSealed)
    findings.push(
      `${name}: has encrypted entries (${sealed}), and the store has no record of a key. No bot wrote them.`,
    );
  let newer: number | undefined;
  for (const [position, { text }] of page.entries.entries()) {
    if (isSealed(text)) break;
    try {
      look(text);
      // The line is damaged, of a newer version, or impossible after the entries before it. The report names it.
    } catch (error) {
      if (error instanceof NewerEntryError) {
        newer ??= position;
        if (behindNewer === 'go-on') continue;
      } else findings.push(`${name}: entry ${position} cannot be used: ${firstLine(error)}`);
      break;
    }
  }
  if (newer === undefined) return sealed > 0 ? 'sealed' : 'read';
  notes.push(`${name}: a newer version of the bot wrote entry ${newer}, and may know more. Have that one verify it.`);
  return 'newer';
}

/** `undefined` when they cannot be read. */
export function readItems(walk: Walk, name: RunId): Promise<readonly string[] | undefined> {
  return orFinding(walk, `${name}: its messages and inputs cannot be read`, () => walk.store.readItems(name));
}

export async function orFinding<Read>(
  { findings }: Walk,
  what: string,
  read: () => Promise<Read>,
): Promise<Read | undefined> {
  try {
    return await read();
    // The report names what cannot be read and goes on. A store that gives no answer ends it.
  } catch (error) {
    if (!(error instanceof SecretError || error instanceof z.ZodError)) throw error;
    findings.push(`${what}: ${firstLine(error)}`);
    return undefined;
  }
}

function firstLine(error: unknown): string {
  // The message of such an error is JSON over many lines, of which the first is a bracket.
  const [issue] = error instanceof z.ZodError ? error.issues : [];
  if (issue !== undefined) return [issue.message, z.core.toDotPath(issue.path)].filter(Boolean).join(', at ');
  const message = errorText(error);
  return message.split('\n')[0] ?? '';
}

/** What could not be checked, and is no sign of a fault. */
export function unchecked({ sealed, unhashed, unrecorded }: Walk): readonly string[] {
  const notes: string[] = [];
  if (sealed > 0) {
    const one = 'entry or item is encrypted, so only its position was checked';
    const many = 'entries and items are encrypted, so only their positions were checked';
    notes.push(`${count(sealed, one, many)}. Set DATA_KEY to check the words.`);
  }
  if (unhashed > 0 || unrecorded > 0) {
    notes.push(
      `An older version wrote ${count(unhashed, 'item')} without a hash, and began ${count(unrecorded, 'run')} without a record. Changes of the one and a removal of the other cannot be found.`,
    );
  }
  return notes;
}
