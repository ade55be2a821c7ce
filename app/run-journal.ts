import type { EntryBody } from './journal/entries.ts';
import { owedInquiries, toInquiry } from './journal/inquiries.ts';
import { runKind } from './journal/run-kind.ts';
import { type AskedApproval, owedPaintings, type RunState } from './journal/state.ts';
import { toApproval } from './journal/view.ts';
import { LIMITS } from './limits.ts';
import { createRecorder, type Recorder, type RecorderDeps } from './recorder.ts';
import type { Approval, ApprovalId, Inquiry, RunId } from './records.ts';
import type { Store } from './store/store.ts';

/** One run's journal together with its items, as everything that concerns runs reads and writes it. */
export interface RunJournal extends Recorder<RunState, EntryBody> {
  readonly run: RunId;
  readonly items: (from?: number) => Promise<readonly string[]>;
  /** The record of an approval, complete with a long input. */
  readonly approval: (id: ApprovalId) => Promise<Approval | undefined>;
  /** Records whose cards show something older. */
  readonly owed: () => Promise<readonly Approval[]>;
  readonly inquiry: (id: ApprovalId) => Inquiry | undefined;
  /** Inquiries whose cards still show buttons. */
  readonly owedInquiries: () => readonly Inquiry[];
}

export interface RunJournalDeps extends RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'readItems'>;
}

export function openRunJournal(deps: RunJournalDeps, run: RunId): RunJournal {
  const recorder = createRecorder(deps, run, runKind(LIMITS.graceMs));
  const items = (from = 0) => deps.store.readItems(run, from);

  const complete = async (state: RunState, asked: AskedApproval): Promise<Approval> => {
    const { input, standing } = asked;
    const edited = standing.status === 'decided' ? standing.decision.edit?.input : undefined;
    const long = new Map<number, string>();
    for (const ref of [input, ...(edited === undefined ? [] : [edited])]) {
      const [text] = 'at' in ref ? await items(ref.at) : [];
      if ('at' in ref && text !== undefined) long.set(ref.at, text);
    }
    return toApproval(state, asked, (at) => long.get(at));
  };

  return {
    ...recorder,
    run,
    items,
    approval: async (id) => {
      const state = recorder.state();
      const asked = state?.approvals.get(id);
      return state === undefined || asked === undefined ? undefined : complete(state, asked);
    },
    owed: async () => {
      const state = recorder.state();
      return state === undefined ? [] : Promise.all(owedPaintings(state).map((asked) => complete(state, asked)));
    },
    inquiry: (id) => {
      const state = recorder.state();
      const asked = state?.inquiries.get(id);
      return state === undefined || asked === undefined ? undefined : toInquiry(state, asked);
    },
    owedInquiries: () => {
      const state = recorder.state();
      return state === undefined ? [] : owedInquiries(state).map((asked) => toInquiry(state, asked));
    },
  };
}
