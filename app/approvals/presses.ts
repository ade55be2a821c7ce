import {
  type AskedApproval,
  type AskingTerms,
  decidePress,
  type PressFacts,
  type PressResult,
  type StoredDecision,
} from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Committed, RunJournal } from '../recorder/index.ts';
import type { Approval, ApprovalId, GrantId, RunId, TrustOffer, TrustTerms, UserId } from '../records/index.ts';
import type { SafeWords } from '../secrets/index.ts';
import { createTurns } from '../time/index.ts';
import type { DecideResult, Press, Presser } from './answers.ts';
import { type Draws, isDrawn } from './drawn.ts';
import type { CheckedEdit } from './edits.ts';
import { type Misfit, safeAnswer, whyNoAnswer } from './form-answers.ts';

export interface PressesDeps extends Draws {
  readonly open: (id: ApprovalId) => Promise<RunJournal | undefined>;
  /** Asked at the press, with facts fetched then. Whatever cannot be found out means no. */
  readonly mayDecide: (
    asked: AskedApproval,
    approval: Approval,
    press: { readonly by: Presser; readonly input: string },
  ) => Promise<PressFacts['right']>;
  /** Whose yes counts already and would not now: judged again with every yes, so also with the last. */
  readonly lostYeses: (asked: AskedApproval, approval: Approval) => Promise<readonly UserId[]>;
  readonly checkEdit: (run: RunId, asked: AskedApproval, before: string, typed: string) => Promise<CheckedEdit>;
  /** What an edited call is approved under, or why this person may not let it run like that. */
  readonly termsOfEdit: (
    asked: AskedApproval,
    approval: Approval,
    press: { readonly by: Presser; readonly input: string },
  ) => Promise<{ readonly terms: AskingTerms | undefined } | { readonly why: string }>;
  /** The line of the one table for these terms, or why this person cannot give that. */
  readonly offer: (
    approval: Approval,
    about: { readonly by: Presser; readonly terms: TrustTerms; readonly input: string },
  ) => Promise<TrustOffer | { readonly why: string }>;
  readonly misfit: Misfit;
  /** What people type is searched for secrets before it is written anywhere. */
  readonly safe: SafeWords;
  readonly newGrantId: (team: string) => GrantId;
}

/** A press that was judged, and what the journal made of it. */
export interface Recorded {
  readonly type: 'recorded';
  readonly journal: RunJournal;
  readonly before: Approval;
  readonly asked: AskedApproval;
  readonly facts: PressFacts;
  readonly committed: Committed<PressResult>;
}

/** There was nothing to be judged. */
type Unjudged = Extract<DecideResult, { readonly type: 'unknown' | 'unfit' }>;

interface Judged extends Pick<Recorded, 'journal' | 'before' | 'asked' | 'facts'> {
  readonly type: 'judged';
  readonly edit: EditInHand | undefined;
}

type EditInHand = Extract<CheckedEdit, { readonly type: 'fits' }> & Pick<NonNullable<StoredDecision['edit']>, 'terms'>;

/** Judges a press, with facts of now, and writes what it is worth. What follows from it is for whoever asked. */
export function createPresses(deps: PressesDeps): (press: Press) => Promise<Recorded | Unjudged> {
  const inTurn = createTurns();

  const judge = async (press: Press): Promise<Judged | Unjudged> => {
    const journal = await deps.open(press.approval);
    const before = await journal?.approval(press.approval);
    const asked = journal?.state()?.approvals.get(press.approval);
    if (journal === undefined || before === undefined || asked === undefined) return { type: 'unknown' };

    const input = await realInput(journal, press.approval);
    const right = await deps.mayDecide(asked, before, { by: press.by, input });
    const isOpen = before.status === 'pending' && right.type === 'allowed';
    const offer =
      isOpen && press.terms !== undefined
        ? await deps.offer(before, { by: press.by, terms: press.terms, input })
        : undefined;
    if (offer !== undefined && 'why' in offer) return { type: 'unfit', problem: offer.why };
    const edit = isOpen ? await checkedEdit(journal, before, asked, press) : undefined;
    if (edit?.type === 'unfit') return edit;

    const about = { tool: asked.tool, input };
    const reason = press.reason === undefined ? undefined : deps.safe.words(about, press.reason);
    const answer = press.answer === undefined ? undefined : safeAnswer(deps.safe, asked, about, press.answer);
    if (isOpen && answer !== undefined) {
      const problem = await whyNoAnswer(deps.misfit, asked, answer);
      if (problem !== undefined) return { type: 'unfit', problem };
    }
    const facts: PressFacts = {
      approval: press.approval,
      lost: isOpen && press.verdict === 'approve' ? await deps.lostYeses(asked, before) : [],
      verdict: press.verdict,
      by: press.by.user,
      right,
      drawn: isDrawn(deps, before, press),
      onWeb: press.from.type === 'web',
      refusedPressesKept: LIMITS.refusedPressesKept,
      ...(reason === undefined ? {} : { reason: reason.slice(0, LIMITS.reasonChars) }),
      ...(answer === undefined ? {} : { answer: answer.slice(0, LIMITS.answerChars) }),
      ...(press.from.type === 'card' ? { card: press.from.card } : {}),
      ...(offer === undefined ? {} : { trust: offer }),
      ...(press.verdict === 'trust' ? { grant: deps.newGrantId(before.thread.team) } : {}),
    };
    return { type: 'judged', journal, before, asked, facts, edit };
  };

  const checkedEdit = async (
    journal: RunJournal,
    approval: Approval,
    asked: AskedApproval,
    { by, edit }: Press,
  ): Promise<EditInHand | Extract<DecideResult, { readonly type: 'unfit' }> | undefined> => {
    if (edit === undefined) return undefined;
    const checked = await deps.checkEdit(journal.run, asked, await realInput(journal, asked.id), edit);
    if (checked.type === 'unfit') return checked;
    const may = await deps.termsOfEdit(asked, approval, { by, input: checked.input });
    if ('why' in may) return { type: 'unfit', problem: may.why };
    return { ...checked, ...(may.terms === undefined ? {} : { terms: may.terms }) };
  };

  return (press) => {
    const judging = judge(press);
    // Heard of when it is their turn.
    judging.catch(() => {});
    // Some presses take longer to judge than others, and of two by one person the first counts.
    return inTurn(`${press.approval} ${press.by.user}`, async () => {
      const judged = await judging;
      if (judged.type !== 'judged') return judged;
      const { journal, before, asked, facts } = judged;
      return { type: 'recorded', journal, before, asked, facts, committed: await write(judged) };
    });
  };
}

function write({ journal, facts, edit }: Judged): Promise<Committed<PressResult>> {
  return journal.commit((state) => {
    if (state === undefined) return { entries: [], result: 'unknown' };
    if (edit === undefined) return decidePress(state, facts);
    const { type: _type, input, shown, ...rest } = edit;
    const kept = journal.keep(state, { input, shown });
    const decided = decidePress(state, { ...facts, edit: { ...kept.refs, ...rest } });
    return { ...decided, items: decided.result === 'decided' ? kept.items : [] };
  });
}

/** What would run, with every secret in it: rules are about that. */
export async function realInput(journal: RunJournal | undefined, id: ApprovalId): Promise<string> {
  return (await journal?.inputOf(id))?.asked ?? '';
}
