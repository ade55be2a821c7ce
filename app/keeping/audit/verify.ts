import {
  type Entry,
  EntryBody,
  evolve,
  evolveGrant,
  GrantBody,
  type GrantState,
  hashLine,
  NewerEntryError,
  type RunState,
  readLine,
  type Seal,
  WorkspaceBody,
} from '../../journal/index.ts';
import type { GrantId, JournalName, RunId } from '../../records/index.ts';
import type { JournalPage, Store } from '../../store/index.ts';
import { isAsShown } from './inputs.ts';
import { brokenChain } from './page.ts';
import { brokenPromises } from './promises.ts';

export interface Report {
  readonly counts: { readonly runs: number; readonly grants: number; readonly workspaces: number; entries: number };
  /** What is not as it was written, one sentence each; empty when every journal holds. */
  readonly findings: readonly string[];
  /** What cannot be said for sure, and is no sign of anything bad. */
  readonly notes: readonly string[];
  /** The end of each workspace's journal. Kept elsewhere, it shows later whether that journal was cut or written anew. */
  readonly ends: readonly string[];
}

type Readable = Pick<Store, 'journals' | 'read' | 'readItems'>;

/** A use of a grant that a run speaks of. */
interface Use {
  readonly grant: GrantId;
  readonly run: RunId;
  /** Absent: the run only says that the grant was given. */
  readonly call?: string;
}

/**
 * Walks every journal there is and every one there was: the chain of its lines, what the workspace wrote down about it,
 * what it may say, whether inputs are what their digests say, and that the trusts it used are there.
 */
export async function verify(store: Readable): Promise<Report> {
  const findings: string[] = [];
  const notes: string[] = [];
  const ends: string[] = [];
  const seals = new Map<RunId, Seal[]>();
  const retired = new Set<RunId>();
  const uses: Use[] = [];
  let entries = 0;
  let sealed = 0;

  const open = async (name: JournalName): Promise<JournalPage> => {
    const page = await store.read(name);
    entries += page.entries.length;
    const broken = page.version === 0 ? undefined : brokenChain(page);
    if (broken !== undefined) findings.push(`${name}: ${broken}.`);
    return page;
  };
  /**
   * Lines that cannot be read are named; what stands before them is still looked at. That a newer version wrote is no sign
   * of anything bad, and the chain of its lines and the seal of its end are looked at like any others.
   */
  const each = (
    name: JournalName,
    page: JournalPage,
    look: (text: string) => void,
    behindNewer: 'stop' | 'go-on' = 'stop',
  ): 'read' | 'newer' => {
    let newer: number | undefined;
    for (const [position, { text }] of page.entries.entries()) {
      try {
        look(text);
      } catch (error) {
        if (error instanceof NewerEntryError) {
          newer ??= position;
          if (behindNewer === 'go-on') continue;
        } else findings.push(`${name}: entry ${position} cannot be used: ${firstLine(error)}`);
        break;
      }
    }
    if (newer === undefined) return 'read';
    notes.push(`${name}: a newer version of the bot wrote entry ${newer}, and may know more. Have that one verify it.`);
    return 'newer';
  };

  const readItems = async (name: RunId): Promise<readonly string[]> => {
    try {
      return await store.readItems(name);
    } catch (error) {
      findings.push(`${name}: its messages and inputs cannot be read: ${firstLine(error)}`);
      return [];
    }
  };

  /** What a newer version wrote down about runs is not known here, for example that it removed one. */
  let knowsAllRuns = true;
  const workspaces = await store.journals('workspace');
  for (const name of workspaces) {
    const page = await open(name);
    const lookAt = (text: string) => {
      const { entry } = readLine(WorkspaceBody, text);
      if (entry.type === 'run-retired') retired.add(entry.run);
      if (entry.type === 'run-sealed') seals.set(entry.run, [...(seals.get(entry.run) ?? []), entry]);
    };
    // None of them depends on an earlier one.
    if (each(name, page, lookAt, 'go-on') === 'newer') knowsAllRuns = false;
    ends.push(`${name}: ${page.version} entries, the last is ${hashLine(page.entries.at(-1)?.text ?? '')}`);
  }

  const runs = union(await store.journals('run'), seals.keys());
  for (const name of runs) {
    const page = await open(name);
    // Exported and removed because its time was over, as the workspace says.
    if (page.version === 0 && (retired.has(name) || !knowsAllRuns)) continue;
    findings.push(...brokenSeals(name, page, seals.get(name) ?? []));
    if (page.version === 0) continue;
    const said: Entry[] = [];
    let state: RunState | undefined;
    each(name, page, (text) => {
      const { entry } = readLine(EntryBody, text);
      said.push(entry);
      state = evolve(state, entry);
    });
    for (const { position, says } of brokenPromises(said)) findings.push(`${name}: entry ${position} ${says}.`);
    const items = await readItems(name);
    for (const entry of said) {
      if (entry.type === 'run-started' && entry.run !== name) findings.push(`${name}: is a copy of run ${entry.run}.`);
      if (entry.type === 'call-asked') {
        const asShown = isAsShown(entry, items);
        if (asShown === 'sealed') sealed += 1;
        else if (!asShown)
          findings.push(`${name}: the stored input of approval ${entry.approval} is not what people were shown.`);
      }
      uses.push(...usesOf(name, entry));
    }
    if (isOver(state) && !seals.has(name) && knowsAllRuns) {
      notes.push(`${name}: is over, and the journal of its workspace does not know it yet (or no longer).`);
    }
  }

  const grants = union(
    await store.journals('grant'),
    uses.map(({ grant }) => grant),
  );
  for (const name of grants) {
    const page = await open(name);
    let state: GrantState | undefined;
    const read = each(name, page, (text) => {
      state = evolveGrant(state, readLine(GrantBody, text).entry);
    });
    if (read === 'newer') continue;
    for (const use of uses.filter(({ grant }) => grant === name)) findings.push(...brokenUse(use, state, page.version));
  }

  if (sealed > 0)
    notes.push(`${sealed} inputs are encrypted, so nobody looked at them. Set DATA_KEY to have them checked.`);
  const counts = { runs: runs.length, grants: grants.length, workspaces: workspaces.length, entries };
  return { counts, findings, notes, ends };
}

function brokenSeals(name: RunId, page: JournalPage, seals: readonly Seal[]): readonly string[] {
  return seals.flatMap(({ version, head }) => {
    if (page.version === 0) return [`${name}: was removed. It had ${version} entries when it ended.`];
    if (page.version < version) {
      return [`${name}: its end was cut off. It had ${version} entries when it ended, and has ${page.version}.`];
    }
    const line = page.entries[version - 1];
    return line !== undefined && hashLine(line.text) === head
      ? []
      : [`${name}: was written anew. Its entry ${version - 1} is not the one it ended with.`];
  });
}

function usesOf(run: RunId, entry: Entry): readonly Use[] {
  if (entry.type === 'call-started' && entry.grant.type === 'trust') {
    return [{ grant: entry.grant.grant, run, call: entry.call }];
  }
  return entry.type === 'call-decided' && entry.grant !== undefined ? [{ grant: entry.grant, run }] : [];
}

function brokenUse({ grant, run, call }: Use, state: GrantState | undefined, version: number): readonly string[] {
  // A trust that was decided and then not written, because the process died, is written when the run goes on.
  if (call === undefined) return [];
  if (version === 0) return [`${grant}: was removed. Run ${run} started call ${call} on it.`];
  if (state === undefined || state.usedBy.has(`${run} ${call}`)) return [];
  return [
    `${grant}: does not know that run ${run} started call ${call} on it, so an entry was removed or never there.`,
  ];
}

/** Folded in a callback, which the compiler does not follow. */
const isOver = (state: RunState | undefined): boolean => state !== undefined && state.status.type !== 'running';

function union<Name extends string>(found: readonly Name[], known: Iterable<Name>): readonly Name[] {
  return [...new Set([...found, ...known])].sort();
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? '';
}
