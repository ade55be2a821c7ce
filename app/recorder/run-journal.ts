import { given } from '../given.ts';
import { type EntryBody, type RunState, runKind } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Approval, ApprovalId, ListCard, QuestionRecord, RunId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { FoldedJournals } from './folded.ts';
import { type ApprovedInput, approvedInput, doubtedInput } from './inputs.ts';
import { findApproval, findList, findQuestion } from './question-records.ts';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.ts';
import { isShown, type ShownCard, unwritten } from './shown-cards.ts';
import { type Kept, type KeptTexts, keepTexts } from './texts.ts';

/** One run's journal together with its items. All code that concerns runs reads and writes them through it. */
export interface RunJournal extends Recorder<RunState, EntryBody> {
  readonly run: RunId;
  /** Whether this process has seen that the store lost entries of the run, and `setBackTold` was not called since. */
  readonly wasSetBack: () => boolean;
  readonly setBackTold: () => void;
  readonly items: (from?: number) => Promise<readonly string[]>;
  /** The record of an approval, with a long input looked up. */
  readonly approval: (id: ApprovalId) => Promise<Approval | undefined>;
  /** A list card with the record of each of its rows. */
  readonly list: (id: ApprovalId) => Promise<ListCard | undefined>;
  /** The exact inputs asked for and approved, with every secret: for running the call, never for display. */
  readonly inputOf: (id: ApprovalId) => Promise<ApprovedInput | undefined>;
  /** The exact input of a call whose outcome is unknown, with every secret: for rules about it, never for display. */
  readonly requestOf: (doubt: ApprovalId) => Promise<string | undefined>;
  /**
   * Where an input and its shown form are kept: short texts in the entry itself, long ones as items at the end of the list.
   */
  readonly keep: (state: Pick<RunState, 'items'>, texts: KeptTexts) => Kept;
  /** Whether this process has painted the card of an approval as it stands now. It may not be written yet. */
  readonly showsNewest: (id: ApprovalId) => boolean;
  /**
   * Notes what the card of an approval shows, to be written with the next entry after the call has ended. Answers whether it was
   * noted; if not, it has to be written now.
   */
  readonly noteShown: (id: ApprovalId, shown: ShownCard) => boolean;
  /** The record of a question besides approvals, with a long input looked up. */
  readonly question: (id: ApprovalId) => Promise<QuestionRecord | undefined>;
}

export interface RunJournalDeps extends RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'readItems'>;
  /** True where the usage of each person and tool is counted across runs. */
  readonly counts?: boolean;
  readonly folded?: FoldedJournals<RunState>;
}

export function openRunJournal(deps: RunJournalDeps, run: RunId): RunJournal {
  const recorder = createRecorder(deps, run, {
    ...runKind(LIMITS.graceMs, deps.counts),
    isOver,
    waiting: (state) => unwritten(state, deps.folded?.shownIn(run)),
    ...given({ folded: deps.folded }),
  });
  const { state } = recorder;
  const items = (from = 0) => readItems(deps, run, { from, there: state()?.items });

  return {
    ...recorder,
    run,
    wasSetBack: () => deps.folded?.wasSetBack(run) === true,
    setBackTold: () => deps.folded?.forgetSetBack(run),
    items,
    approval: (id) => findApproval(state(), id, items),
    list: (id) => findList(state(), id, items),
    inputOf: (id) => approvedInput(state(), id, items),
    requestOf: (doubt) => doubtedInput(state(), doubt, items),
    keep: keepTexts,
    showsNewest: (id) => isShown(state()?.approvals.get(id), deps.folded?.shownIn(run)),
    noteShown: (id, shown) => deps.folded?.keepShown(run, new Map(deps.folded.shownIn(run)).set(id, shown)) === true,
    question: (id) => findQuestion(state(), id, items),
  };
}

/** A sealed run changes no more, until another process may have removed it. */
function isOver({ sealed }: RunState, nowMs: number): boolean {
  return sealed !== false && (sealed.retireAtMs === undefined || nowMs < sealed.retireAtMs);
}

/** @param there how many items the run has, as far as this process knows. */
async function readItems(
  { store, folded }: Pick<RunJournalDeps, 'store' | 'folded'>,
  run: RunId,
  { from, there = 0 }: { readonly from: number; readonly there: number | undefined },
): Promise<readonly string[]> {
  const kept = folded?.itemsOf(run);
  if (kept !== undefined && kept.length >= there) return kept.slice(from);
  const items = await store.readItems(run, from);
  if (from === 0) folded?.keepItems(run, items);
  return items;
}
