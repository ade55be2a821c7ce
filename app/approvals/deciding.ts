import type { Authority } from '../authority/index.ts';
import { given } from '../given.ts';
import {
  type AskedApproval,
  decidePress,
  type PressFacts,
  type PressResult,
  type StoredDecision,
} from '../journal/index.ts';
import { LIMITS, upTo } from '../limits.ts';
import { orFailed, type SchemaProblem } from '../questions/index.ts';
import type { Committed } from '../recorder/index.ts';
import type { ApprovalId, RunId, TrustId, TrustOffer, UserId } from '../records/index.ts';
import type { SafeWords } from '../secrets/index.ts';
import type { Turns } from '../time/index.ts';
import { type AfterPressDeps, followPress, type Recorded } from './after-press.ts';
import type { Approvals, DecideResult, VerdictPress } from './answers.ts';
import { type Draws, isDrawn } from './drawn.ts';
import type { CheckedEdit } from './edits.ts';
import { safeAnswer, whyNoAnswer } from './form-answers.ts';

export interface DecidingDeps
  extends Draws,
    AfterPressDeps,
    Pick<Authority, 'mayDecide' | 'lostYeses' | 'judgeEdit' | 'offer'> {
  readonly checkEdit: (run: RunId, asked: AskedApproval, before: string, typed: string) => Promise<CheckedEdit>;
  readonly schemaProblem: SchemaProblem;
  /** Removes secrets from what people type before it is written anywhere. */
  readonly safe: SafeWords;
  readonly newTrustId: (team: string) => TrustId;
  /** The presses of this process. */
  readonly inTurn: Turns;
}

/** The press could not be judged. */
type Unjudged = Extract<DecideResult, { readonly type: 'unknown' | 'unfit' }>;

interface Judged extends Pick<Recorded, 'journal' | 'before' | 'asked' | 'facts'> {
  readonly type: 'judged';
  readonly edit: EditInHand | undefined;
}

type EditInHand = Extract<CheckedEdit, { readonly type: 'fits' }> & Pick<NonNullable<StoredDecision['edit']>, 'terms'>;

/** Decides for every surface. An outage is never taken as approval: the presser is told that nothing was recorded. */
export function createDecide(deps: DecidingDeps): Approvals['decide'] {
  const decide: Approvals['decide'] = async (press) => {
    await deps.step('press-received');
    const recorded = await record(deps, press);
    return recorded.type === 'recorded' ? followPress(deps, press, recorded) : recorded;
  };
  return (press) => {
    const { approval, verdict } = press;
    return orFailed(deps.log, 'A press was not recorded.', { approval, verdict }, () => decide(press));
  };
}

/** Judges a press with facts of now, and writes the result. */
async function record(deps: DecidingDeps, press: VerdictPress): Promise<Recorded | Unjudged> {
  const judging = judge(deps, press);
  // A rejection is handled when this press reaches the front of its queue.
  void Promise.allSettled([judging]);
  // Some presses take longer to judge than others. The first of two presses by one person counts.
  return deps.inTurn(`${press.approval} ${press.by.user}`, async () => {
    const judged = await judging;
    if (judged.type !== 'judged') return judged;
    const { journal, before, asked, facts, edit } = judged;
    const edited = edit && { ...edit, input: edit.shown ?? edit.input };
    return { type: 'recorded', journal, before, asked, facts, ...given({ edited }), committed: await write(judged) };
  });
}

async function judge(deps: DecidingDeps, press: VerdictPress): Promise<Judged | Unjudged> {
  const opened = await openPressed(deps, press.approval, press.run);
  if (opened === undefined) return { type: 'unknown' };
  const { journal, before, asked, input } = opened;
  const right = await deps.mayDecide(asked, before, { by: press.by, input });
  const isOpen = before.status === 'pending' && right.type === 'allowed';
  const offer = isOpen ? await offered(deps, press, opened) : undefined;
  if (offer !== undefined && 'why' in offer) return { type: 'unfit', problem: offer.why };
  const edit = isOpen ? await checkedEdit(deps, press, opened) : undefined;
  if (edit?.type === 'unfit') return edit;
  const typed = await typedSafely(deps.safe, press, opened);
  if (isOpen && typed.answer !== undefined) {
    const problem = await whyNoAnswer(deps.schemaProblem, asked, typed.answer);
    if (problem !== undefined) return { type: 'unfit', problem };
  }
  const lost = isOpen && press.verdict === 'approve' ? await deps.lostYeses(asked, before, input) : [];
  const facts = factsOf(deps, press, { before, right, lost, offer, typed, edit });
  return { type: 'judged', journal, before, asked, facts, edit };
}

/** The approval of a press as it stands now. */
export interface OpenedPress extends Pick<Recorded, 'journal' | 'before' | 'asked'> {
  /** The input that was asked about, with every secret, because rules look at it. */
  readonly input: string;
}

export async function openPressed(
  { open }: Pick<DecidingDeps, 'open'>,
  id: ApprovalId,
  run?: RunId,
): Promise<OpenedPress | undefined> {
  const journal = await open(id, run);
  const before = await journal?.approval(id);
  const asked = journal?.state()?.approvals.get(id);
  if (journal === undefined || before === undefined || asked === undefined) return undefined;
  return { journal, before, asked, input: (await journal.inputOf(id))?.asked ?? '' };
}

async function offered(deps: DecidingDeps, { by, terms }: VerdictPress, { before, input }: OpenedPress) {
  return terms === undefined ? undefined : deps.offer(before, { by, terms, input });
}

async function checkedEdit(
  deps: DecidingDeps,
  { by, edit }: VerdictPress,
  { journal, before, asked, input }: OpenedPress,
): Promise<EditInHand | Extract<DecideResult, { readonly type: 'unfit' }> | undefined> {
  if (edit === undefined) return undefined;
  const checked = await deps.checkEdit(journal.run, asked, input, edit);
  if (checked.type === 'unfit') return checked;
  const may = await deps.judgeEdit(asked, before, { by, input: checked.input });
  if ('why' in may) return { type: 'unfit', problem: may.why };
  return { ...checked, ...given({ terms: may.terms }) };
}

/** What the presser typed, without the secrets in it. */
interface Typed {
  readonly reason: string | undefined;
  readonly answer: string | undefined;
}

async function typedSafely(
  safe: SafeWords,
  { reason, answer }: VerdictPress,
  { asked, input }: OpenedPress,
): Promise<Typed> {
  const about = { tool: asked.tool, input };
  return {
    reason: reason === undefined ? undefined : await safe.words(about, reason),
    answer: answer === undefined ? undefined : await safeAnswer(safe, asked, about, answer),
  };
}

interface Judgement extends Pick<Recorded, 'before'>, Pick<PressFacts, 'right'> {
  /** The people whose approval is no longer valid. */
  readonly lost: readonly UserId[];
  readonly offer: TrustOffer | undefined;
  readonly typed: Typed;
  readonly edit: EditInHand | undefined;
}

function factsOf(
  deps: DecidingDeps,
  press: VerdictPress,
  { before, right, lost, offer, typed: { reason, answer }, edit }: Judgement,
): PressFacts {
  return {
    approval: press.approval,
    lost,
    verdict: press.verdict,
    by: press.by.user,
    right,
    drawn: isDrawn(deps, before, press),
    confirmed: press.confirms === (edit ?? before).digest,
    onWeb: press.from.type === 'web',
    refusedPressesKept: LIMITS.refusedPressesKept,
    ...given({
      reason: reason && upTo(LIMITS.reasonChars, reason),
      answer: answer && upTo(LIMITS.answerChars, answer),
    }),
    ...(press.from.type === 'card' ? { card: press.from.card } : {}),
    ...given({ trust: offer }),
    ...(press.verdict === 'trust' ? { grant: deps.newTrustId(before.thread.team) } : {}),
  };
}

function write({ journal, facts, edit }: Judged): Promise<Committed<PressResult>> {
  return journal.decide((state) => {
    if (edit === undefined) return decidePress(state, facts);
    const { type: _type, input, shown, ...rest } = edit;
    const kept = journal.keep(state, { input, shown });
    const decided = decidePress(state, { ...facts, edit: { ...kept.refs, ...rest } });
    return { ...decided, items: decided.result === 'decided' ? kept.items : [] };
  }, 'unknown');
}
