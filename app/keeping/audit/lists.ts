import { askedIndex, type RunState } from '../../journal/index.ts';
import { endOf } from '../../recorder/index.ts';
import { ApprovalId, type RunId } from '../../records/index.ts';
import type { IndexName, Store } from '../../store/index.ts';

/**
 * The lists of open questions change with the entries of a run, in one step. So a list that disagrees with a journal tells of
 * an end that was cut off, or of an answer that was added.
 */
export interface QuestionLists {
  /** How long each journal was when it was read. */
  readonly versions: Map<RunId, number>;
  /** The run of each question that a journal has. */
  readonly known: Map<string, RunId>;
  readonly lists: Map<string, { readonly index: IndexName; readonly open: Map<string, RunId> }>;
}

export function newQuestionLists(): QuestionLists {
  return { versions: new Map(), known: new Map(), lists: new Map() };
}

/** Notes which questions of a run are open, as its journal says. A run that is over may have one until its time is up. */
export function noteQuestions(
  { versions, known, lists }: QuestionLists,
  { run, version, thread, requester, approvals }: RunState,
): void {
  versions.set(run, version);
  const index = askedIndex(thread.team, requester);
  const { open } = lists.get(index.of) ?? { open: new Map<string, RunId>() };
  lists.set(index.of, { index, open });
  for (const [id, { standing }] of approvals) {
    known.set(id, run);
    if (standing.status === 'pending') open.set(id, run);
  }
}

/** Compares the lists with what was noted. Returns one sentence for each question that only one of the two has. */
export async function compareLists(
  store: Pick<Store, 'read' | 'members' | 'findApproval'>,
  { versions, known, lists }: QuestionLists,
): Promise<readonly string[]> {
  const findings: string[] = [];
  /** A bot at work may have changed both since the journal was read. */
  const isAsRead = async (run: RunId): Promise<boolean> => (await endOf(store, run)).version === versions.get(run);

  for (const { index, open } of lists.values()) {
    const listed = new Set(await store.members(index));
    for (const [id, run] of open) {
      if (listed.has(id) || !(await isAsRead(run))) continue;
      findings.push(
        `${run}: question ${id} is open in it, and on no list: its answer was cut off, or the list was changed.`,
      );
    }
    for (const member of listed) {
      if (open.has(member)) continue;
      const asking = known.get(member);
      const id = ApprovalId.safeParse(member);
      const run = asking ?? (id.success ? await store.findApproval(id.data) : undefined);
      if (run === undefined)
        findings.push(
          `A list has ${member} as an open question, and no run: an end was cut off, or the list was changed.`,
        );
      else if (await isAsRead(run))
        findings.push(
          asking === undefined
            ? `${run}: its end was cut off. A list has question ${member}, and no entry asks it.`
            : `${run}: question ${member} is over in it, and open on a list: its answer was added, or the list was changed.`,
        );
    }
  }
  return findings;
}
