import { given } from '../given.ts';
import {
  hashLine,
  NO_HEAD,
  readLine,
  type Stamp,
  type ToolPinned,
  WorkspaceBody,
  writeLines,
} from '../journal/index.ts';
import { type Store, workspaceOf } from '../store/index.ts';
import { createTurns } from '../time/index.ts';

/** What is on record about the tools of tool servers: one journal for all replicas. */
export interface PinsJournal {
  /**
   * Appends what `decide` makes of all facts, until it makes nothing more of them. So two replicas that decide at once build
   * on each other. Resolves with all facts, oldest first, as they stood when nothing was left to append.
   */
  readonly settle: (decide: (facts: readonly PinFact[]) => readonly ToolPinned[]) => Promise<readonly PinFact[]>;
}

export type PinFact = ToolPinned & Stamp;

export interface PinsJournalDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'shards'>;
  readonly entryId: () => string;
  /** Absent: entries are not signed. */
  readonly sign?: ((text: string, place: string) => string) | undefined;
}

/** A definition may have 64 KB, so the tools of a large server are appended in parts. */
const AT_ONCE = 50;

/** The tools are the same for all workspaces, so their facts stand in the journal of the workspace without a name. */
const DEPLOYMENT = '';

export function createPinsJournal({ store, entryId, sign }: PinsJournalDeps): PinsJournal {
  const journal = workspaceOf(DEPLOYMENT, store.shards);
  const inTurn = createTurns();
  let known: Known = NOTHING;

  const readOn = async (): Promise<Known> => {
    // The last known entry is read once more. Another one there shows that the store was set back.
    const from = Math.max(known.version - 1, 0);
    const { entries, nowMs } = await store.read(journal, from);
    if (known.version > 0 && entries[0]?.id !== known.lastId) {
      known = NOTHING;
      return readOn();
    }
    const last = entries.at(-1);
    if (last === undefined) return { ...known, nowMs };
    const facts = entries.slice(known.version - from).flatMap(({ text }) => factIn(text));
    known = {
      version: from + entries.length,
      head: hashLine(last.text),
      lastId: last.id,
      facts: facts.length === 0 ? known.facts : [...known.facts, ...facts],
      nowMs,
    };
    return known;
  };

  return {
    settle: (decide) =>
      inTurn(journal, async () => {
        for (;;) {
          const { version, head, lastId, facts, nowMs } = await readOn();
          const bodies = decide(facts).slice(0, AT_ONCE);
          if (bodies.length === 0) return facts;
          const signed = sign && ((text: string) => sign(text, journal));
          const stamped = bodies.map((body) => ({ ...body, id: entryId(), atMs: nowMs }));
          const { lines } = writeLines(stamped, head, undefined, signed);
          // Whatever the answer, the next look reads what stands there then.
          await store.append({
            journal,
            expectedVersion: version,
            entries: lines,
            effects: [],
            ...given({ follows: lastId }),
          });
        }
      }),
  };
}

/** The journal as it was last read. */
interface Known {
  readonly version: number;
  readonly head: string;
  readonly lastId: string | undefined;
  readonly facts: readonly PinFact[];
  readonly nowMs: number;
}

const NOTHING: Known = { version: 0, head: NO_HEAD, lastId: undefined, facts: [], nowMs: 0 };

function factIn(text: string): readonly PinFact[] {
  const { entry } = readLine(WorkspaceBody, text);
  return entry.type === 'tool-pinned' ? [entry] : [];
}
