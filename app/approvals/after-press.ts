import type { TrustAtWork } from '../authority/index.ts';
import { given } from '../given.ts';
import type { AskedApproval, PressFacts, PressResult } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import { type Cards, settleSoon } from '../questions/index.ts';
import type { Committed, RunJournal } from '../recorder/index.ts';
import type { Approval, CardReceipt, Decision } from '../records/index.ts';
import { type DecideResult, settledAnswer, type VerdictPress } from './answers.ts';
import { type EndsDeps, expire, follow } from './ends.ts';

export interface AfterPressDeps extends EndsDeps, Pick<TrustAtWork, 'grantTrust'> {
  readonly cards: Cards;
  /** What to do once a decision is stored: a row of a list card is not painted by itself. */
  readonly onDecided: (deps: EndsDeps, journal: RunJournal) => unknown;
  readonly log: Log;
}

/** A press that was judged, and the result of writing it into the journal. */
export interface Recorded {
  readonly type: 'recorded';
  readonly journal: RunJournal;
  readonly before: Approval;
  readonly asked: AskedApproval;
  readonly facts: PressFacts;
  /** The call as the presser edited it, with its secrets hidden. */
  readonly edited?: NonNullable<Decision['edit']>;
  readonly committed: Committed<PressResult>;
}

/** Acts on a recorded press: wakes the run, mends the card, gives the trust, and answers the presser. */
export async function followPress(
  deps: AfterPressDeps,
  press: VerdictPress,
  { journal, before, asked, facts, edited, committed }: Recorded,
): Promise<DecideResult> {
  if (committed === 'late') {
    await expire(deps, press.approval);
    const current = await deps.open(press.approval);
    return settledAnswer(await current?.approval(press.approval), facts);
  }

  const approval = (await journal.approval(press.approval)) ?? before;
  mendPressedCard(deps, press, { journal, approval, result: committed });
  if (committed === 'decided') await followDecision(deps, press, { journal, approval, asked });
  else await followUndecided(deps, journal, committed);
  if (committed === 'unconfirmed') return { type: committed, approval, ...given({ edit: edited }) };
  return answerTo(committed, approval, facts);
}

/** Mends the card that was pressed when it is out of date, whatever came of the press. The presser does not wait for it. */
function mendPressedCard(
  { cards }: AfterPressDeps,
  press: VerdictPress,
  now: { readonly journal: RunJournal; readonly approval: Approval; readonly result: PressResult },
): void {
  if (isStale(press, now.approval, now.result)) void cards.repaint(now.journal, now.approval.id);
  const second = secondCard(press, now.approval);
  if (second !== undefined) void cards.takeBack(now.approval, second);
}

/** Whether the presser saw an outdated card that no other write will repaint. */
function isStale({ from }: VerdictPress, { revision }: Approval, result: PressResult): boolean {
  if (from.type !== 'card') return false;
  // A card that shows the end of a question offers no decision, so the presser saw an older one.
  return result === 'settled' || (from.shows !== undefined && from.shows < revision && !PAINTED.includes(result));
}

/** Results whose write repaints the card. */
const PAINTED: readonly PressResult[] = ['decided', 'counted', 'outdated'];

/** The second post of a card, if this press came from it. A process left it there that stood still while posting and died. */
function secondCard({ from }: VerdictPress, { card, thread }: Approval): CardReceipt | undefined {
  if (from.type !== 'card' || card === undefined || from.card.channel !== thread.channel) return undefined;
  return from.card.ts === card.ts ? undefined : from.card;
}

async function followDecision(
  deps: AfterPressDeps,
  { verdict }: VerdictPress,
  { journal, approval, asked }: Pick<Recorded, 'journal' | 'asked'> & { readonly approval: Approval },
): Promise<void> {
  await deps.step('call-decided');
  if (verdict === 'trust') {
    // The store may be away. The decision stands, and the run writes the missing trust when it goes on.
    await orLog(deps.log.warn, 'A trust could not be written yet.', { approval: approval.id }, () =>
      deps.grantTrust(approval, asked),
    );
    await deps.step('trust-given');
  }
  await deps.onDecided(deps, journal);
}

/** Acts on a press that did not decide. */
async function followUndecided(
  deps: AfterPressDeps,
  journal: RunJournal,
  result: Exclude<PressResult, 'decided'>,
): Promise<void> {
  switch (result) {
    case 'counted':
      await deps.step('yes-counted');
      return settleSoon(deps.cards, journal);
    case 'counted-before':
    case 'not-your-turn':
    case 'settled':
      return settleSoon(deps.cards, journal);
    case 'outdated':
      return follow(deps, journal);
    case 'not-yours':
    case 'not-offered':
    case 'unconfirmed':
    case 'unknown':
      return;
  }
}

/** What the presser is told. */
function answerTo(result: Exclude<PressResult, 'unconfirmed'>, approval: Approval, facts: PressFacts): DecideResult {
  const { right } = facts;
  switch (result) {
    case 'decided':
    case 'counted':
    case 'not-offered':
      return { type: result, approval };
    case 'counted-before':
      return { type: 'not-yours', why: WHY[result], approval, isCounted: true };
    case 'not-your-turn':
      return { type: 'not-yours', why: WHY[result], approval };
    case 'settled':
      return settledAnswer(approval, facts);
    case 'not-yours':
      return { ...(right.type === 'refused' ? right : { why: '' }), type: 'not-yours', approval };
    case 'outdated':
      return { type: 'outdated', why: right.type === 'outdated' ? right.why : '' };
    case 'unknown':
      return { type: 'unknown' };
  }
}

/** For a person who may decide, but not now. */
const WHY = {
  'counted-before': 'Your approval counts already; another person has to approve as well.',
  'not-your-turn': 'It is not your turn: other people decide first.',
} as const;
