import {
  type Entry,
  EntryBody,
  evolve,
  evolveTrust,
  hashLine,
  type RunState,
  readLine,
  type Seal,
  TrustEntryBody,
  type TrustState,
  WorkspaceBody,
} from '../../journal/index.ts';
import { count } from '../../log.ts';
import { endOf } from '../../recorder/index.ts';
import type { RunId, TrustId, WorkspaceId } from '../../records/index.ts';
import type { Signer } from '../../secrets/index.ts';
import { isSealed, type JournalPage } from '../../store/index.ts';
import { missBeginning, missRun, missSeal, suspectIfGone, unexplained } from './beginnings.ts';
import { compareContents } from './contents.ts';
import { isAsShown, textOf } from './inputs.ts';
import { compareLists, noteQuestions } from './lists.ts';
import { brokenPromises } from './promises.ts';
import { verifyRetired } from './retired/archives.ts';
import { uncheckedSignatures, verifySignatures } from './signed.ts';
import {
  eachLine,
  foundHashes,
  lostHashes,
  newWalk,
  orFinding,
  readable,
  readItems,
  readJournal,
  type Use,
  unchecked,
  type Verifiable,
  type Walk,
} from './walk.ts';

export interface Report {
  readonly counts: { readonly runs: number; readonly trusts: number; readonly workspaces: number; entries: number };
  /** Each fault in one sentence; empty when every journal is as it was written. */
  readonly findings: readonly string[];
  /** What could not be checked, and is no sign of a fault. */
  readonly notes: readonly string[];
  /** The last entry of each workspace's journal. A copy kept elsewhere shows later whether the journal was cut or rewritten. */
  readonly ends: readonly string[];
  /** Where each kept hash was found. */
  readonly kept: readonly string[];
}

export interface VerifyOptions {
  /** Where the archives of retention are. Absent: where the configuration on record says. */
  readonly folder?: string;
  /** Hashes of lines that a person kept. Each must still be there. */
  readonly kept?: readonly string[];
  /** Checks signatures. Absent: they are counted. */
  readonly check?: Signer['check'] | undefined;
}

/**
 * Checks every journal that exists or that another journal names: the chain of its lines, its seal in the journal of the
 * workspace, the promises its entries must keep, its inputs against their digests, and the trusts it used.
 */
export async function verify(store: Verifiable, { folder, kept, check }: VerifyOptions = {}): Promise<Report> {
  const walk = newWalk(store, kept, check);
  const { findings, notes, ends, seals, ended, begun, uses } = walk;
  walk.mayBeSealed = (await store.record('sealing')) !== undefined;

  const workspaces: WorkspaceId[] = [];
  for (const name of await store.journals('workspace')) if (await verifyWorkspace(walk, name)) workspaces.push(name);

  const runs = union(await store.journals('run'), [...seals.keys(), ...begun]);
  for (const name of runs) await suspectIfGone(walk, name, () => verifyRun(walk, name));
  await learnAgain(walk, workspaces);
  await verifyRetired(walk, { workspaces, folder, verifyRun });

  const trusts = union(await store.journals('grant'), [...uses.map(({ trust }) => trust), ...ended.keys()]);
  for (const name of trusts) await verifyTrust(walk, name);

  const compare = () => compareLists(store, walk.questions);
  findings.push(...((await orFinding(walk, 'The lists of questions cannot be read', compare)) ?? []));
  findings.push(...unexplained(walk));
  notes.push(...unchecked(walk), ...uncheckedSignatures(walk));
  const { entries } = walk;
  const counts = { runs: runs.length, trusts: trusts.length, workspaces: workspaces.length, entries };
  findings.push(...lostHashes(walk));
  return { counts, findings, notes, ends, kept: foundHashes(walk) };
}

/** Answers whether the journal can be read. */
async function verifyWorkspace(walk: Walk, name: WorkspaceId): Promise<boolean> {
  const page = await readJournal(walk, name);
  const read = page === undefined ? 'refused' : learn(walk, name, page);
  if (read !== 'read') walk.knowsAllRuns = false;
  if (page === undefined) return false;
  verifySignatures(walk, name, page);
  // The hash of a line is over its readable form.
  if (read === 'sealed') return true;
  walk.ends.push(`${name}: ${entriesOf(page)}, the last is ${hashLine(page.entries.at(-1)?.text ?? '')}`);
  return true;
}

/** Notes what the journal of a workspace says of runs. */
function learn(walk: Walk, name: WorkspaceId, page: JournalPage): ReturnType<typeof eachLine> {
  const { seals, ended, begun, retired } = walk;
  const lookAt = (text: string) => {
    const { entry } = readLine(WorkspaceBody, text);
    if (entry.type === 'run-begun') begun.add(entry.run);
    if (entry.type === 'trust-ended') ended.set(entry.grant, [...(ended.get(entry.grant) ?? []), entry]);
    if (entry.type === 'run-retired') retired.add(entry.run);
    if (entry.type === 'run-sealed') seals.set(entry.run, [...(seals.get(entry.run) ?? []), entry]);
  };
  // No entry depends on an earlier one, so the walk goes on after an entry of a newer version.
  return eachLine(walk, name, page, lookAt, 'go-on');
}

/** A bot at work may have begun or removed runs since the journals of the workspaces were read, so they are read once more. */
async function learnAgain(walk: Walk, workspaces: readonly WorkspaceId[]): Promise<void> {
  if (walk.suspicions.length === 0) return;
  // What these lines are was reported or noted at the first reading.
  const again: Walk = { ...walk, findings: [], notes: [], seals: new Map(), ended: new Map() };
  for (const name of union(workspaces, await walk.store.journals('workspace'))) {
    const page = await readable(again, name);
    if (page === undefined || learn(again, name, page) !== 'read') walk.knowsAllRuns = false;
  }
  for (const [run, known] of again.seals) if (!walk.seals.has(run)) walk.seals.set(run, known);
}

async function verifyRun(walk: Walk, name: RunId): Promise<void> {
  const { findings, seals, retired, knowsAllRuns } = walk;
  const page = await readJournal(walk, name);
  if (page === undefined) return;
  // Retention has removed it, as the journal of the workspace records.
  if (page.version === 0 && (retired.has(name) || !knowsAllRuns)) return;
  findings.push(...brokenEnds(name, page, seals.get(name) ?? []));
  if (page.version === 0) return missRun(walk, name);
  const said: Entry[] = [];
  let state: RunState | undefined;
  const read = eachLine(walk, name, page, (text) => {
    const { entry } = readLine(EntryBody, text);
    said.push(entry);
    state = evolve(state, entry);
  });
  for (const { position, says } of brokenPromises(said)) findings.push(`${name}: entry ${position} ${says}.`);
  const items = await readItems(walk, name);
  if (items !== undefined) await verifyContents(walk, { name, page, said, items, read });
  for (const entry of said) verifyEntry(walk, name, entry, items ?? []);
  if (knowsAllRuns) missBeginning(walk, name, { page, said });
  if (state !== undefined && read === 'read') noteQuestions(walk.questions, state);
  if (state !== undefined && knowsAllRuns) missSeal(walk, name, state);
}

interface ReadRun {
  readonly name: RunId;
  readonly page: JournalPage;
  /** The entries up to the first that could not be read. */
  readonly said: readonly Entry[];
  readonly items: readonly string[];
  readonly read: ReturnType<typeof eachLine>;
}

async function verifyContents(walk: Walk, { name, page, said, items, read }: ReadRun): Promise<void> {
  // What the encrypted entries brought is not known.
  if (read === 'sealed') {
    walk.sealed += items.filter(isSealed).length;
    return;
  }
  const texts = page.entries.map(({ text }) => text);
  const { findings, unhashed, sealed, behind } = compareContents(texts, said, items);
  walk.findings.push(...findings.map((says) => `${name}: ${says}.`));
  walk.unhashed += unhashed;
  walk.sealed += sealed;
  if (behind === 0 || read === 'newer') return;
  // A bot that is at work may have added items since the journal was read. An entry came with them.
  const { version } = await endOf(walk.store, name);
  if (version !== page.version) return;
  walk.findings.push(
    `${name}: its end was cut off. ${behind} of its ${count(items.length, 'item')} came with no entry that is left.`,
  );
}

function verifyEntry(walk: Walk, name: RunId, entry: Entry, items: readonly string[]): void {
  const { findings, uses } = walk;
  if (entry.type === 'run-started' && entry.run !== name) findings.push(`${name}: is a copy of run ${entry.run}.`);
  // An input that is missing or encrypted is an item, and was reported or counted as one.
  const input = entry.type === 'call-asked' ? textOf(entry.input, items) : undefined;
  if (entry.type === 'call-asked' && input !== undefined && !isSealed(input) && !isAsShown(input, entry))
    findings.push(`${name}: the stored input of approval ${entry.approval} is not what people were shown.`);
  uses.push(...usesOf(name, entry));
}

async function verifyTrust(walk: Walk, name: TrustId): Promise<void> {
  const page = await readJournal(walk, name);
  if (page === undefined) return;
  walk.findings.push(...brokenEnds(name, page, walk.ended.get(name) ?? []));
  let state: TrustState | undefined;
  const read = eachLine(walk, name, page, (text) => {
    state = evolveTrust(state, readLine(TrustEntryBody, text).entry);
  });
  if (state !== undefined && state.trust.id !== name)
    walk.findings.push(`${name}: is a copy of trust ${state.trust.id}.`);
  if (read !== 'read') return;
  const uses = walk.uses.filter(({ trust }) => trust === name);
  for (const use of uses) walk.findings.push(...brokenUse(use, state, page.version));
}

/** Compares a journal with what its workspace says of its end. */
function brokenEnds(
  name: RunId | TrustId,
  page: JournalPage,
  ends: readonly Pick<Seal, 'version' | 'head'>[],
): readonly string[] {
  return ends.flatMap(({ version, head }) => {
    const had = `It had ${entriesOf({ version })} when it ended`;
    if (page.version === 0) return [`${name}: was removed. ${had}.`];
    if (page.version < version) return [`${name}: its end was cut off. ${had}, and has ${page.version}.`];
    const text = page.entries[version - 1]?.text ?? '';
    // The hash is of its readable form.
    return isSealed(text) || hashLine(text) === head
      ? []
      : [`${name}: was written anew. Its entry ${version - 1} is not the one it ended with.`];
  });
}

const entriesOf = ({ version }: Pick<JournalPage, 'version'>): string => count(version, 'entry', 'entries');

function usesOf(run: RunId, entry: Entry): readonly Use[] {
  if (entry.type === 'call-started' && entry.grant.type === 'trust') {
    return [{ trust: entry.grant.grant, run, call: entry.call }];
  }
  return entry.type === 'call-decided' && entry.grant !== undefined ? [{ trust: entry.grant, run }] : [];
}

function brokenUse({ trust, run, call }: Use, state: TrustState | undefined, version: number): readonly string[] {
  // The process died before it wrote the trust that was decided. The next process of the run writes it.
  if (call === undefined) return [];
  if (version === 0) return [`${trust}: was removed. Run ${run} started call ${call} on it.`];
  if (state === undefined || state.usedBy.has(`${run} ${call}`)) return [];
  return [
    `${trust}: does not know that run ${run} started call ${call} on it, so an entry was removed or never there.`,
  ];
}

function union<Name extends string>(found: readonly Name[], known: Iterable<Name>): readonly Name[] {
  return [...new Set([...found, ...known])].sort();
}
