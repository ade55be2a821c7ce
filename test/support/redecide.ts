import { given } from '../../app/given.ts';
import { decideAsk } from '../../app/journal/decide/ask.ts';
import { decideCopiesFound } from '../../app/journal/decide/copies.ts';
import {
  decideAskedAgain,
  decideCancel,
  decideExpiry,
  decidePress,
  decideStop,
  decideTrustOver,
} from '../../app/journal/decide/decide.ts';
import { decideChoice, decideDoubt } from '../../app/journal/decide/doubts.ts';
import { decideFeedback } from '../../app/journal/decide/feedback.ts';
import { decideLists } from '../../app/journal/decide/list-cards.ts';
import { decidePost } from '../../app/journal/decide/posting.ts';
import {
  decideAnswer,
  decideCardLost,
  decideQuestion,
  decideQuestionExpiry,
  decideWithdrawal,
} from '../../app/journal/decide/questions.ts';
import { decideReferral } from '../../app/journal/decide/referrals.ts';
import { decideTold } from '../../app/journal/decide/reminders.ts';
import { decideFinish, decideStart, decideUnknown } from '../../app/journal/decide/start.ts';
import type { BodyOf, Entry, EntryBody } from '../../app/journal/facts/entries.ts';
import { askedUnder } from '../../app/journal/fold/queries/judgement.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { LIMITS } from '../../app/limits.ts';

/**
 * What the deciding functions of now would write in place of an entry that a process wrote before, given the same wish
 * by the same person at the same time. `undefined` where the journal does not tell what was wished: what a person or the
 * model said, what a tool returned, where a post stands and what it shows.
 */
export function redecide(state: RunState, entry: Entry): readonly EntryBody[] | undefined {
  const { id: _, atMs, ...body } = entry;
  switch (body.type) {
    case 'call-asked': {
      const { type: _type, was: _was, ...ask } = body;
      return decideAsk(state, given(ask)).entries;
    }
    case 'call-decided':
    case 'yes-counted':
      return pressAgain(state, body);
    case 'call-started':
      return startAgain(state, body);
    case 'call-finished':
      return decideFinish(state, body).entries;
    case 'call-unknown':
      return decideUnknown(state, () => false).entries.slice(0, 1);
    case 'call-expired':
      return decideExpiry(state, body.approval, atMs).entries;
    case 'call-cancelled':
      return cancelAgain(state, body);
    case 'run-stopped':
      return decideStop(state, given(body)).entries;
    case 'call-referred':
      return decideReferral(state, { ...body, most: 100 }).entries;
    case 'trust-over':
      return decideTrustOver(state, body.grant, body.by).entries;
    case 'asked-again':
      return decideAskedAgain(state, body.approval, body.by).entries;
    case 'card-lost':
      return decideCardLost(state, body.card).entries.slice(0, 1);
    case 'calls-listed':
      return decideLists(state, { ids: [body.list], alone: LIMITS.cardsPerTurn, rowsPerCard: LIMITS.rowsPerCard })
        .entries;
    case 'call-reminded':
      return decideTold(state, given(body)).entries;
    case 'copies-found':
      return decideCopiesFound(state, body).entries;
    case 'press-refused':
    case 'doubt-refused':
      return refuseAgain(state, body);
    case 'feedback-given':
      return opineAgain(state, body);
    case 'post-begun':
      return begunAgain(state, body, atMs);
    case 'doubt-asked': {
      const { type: _type, ...ask } = body;
      return decideDoubt(state, given(ask)).entries;
    }
    case 'doubt-settled':
      return settleAgain(state, body, atMs);
    case 'inquiry-asked': {
      const { type: _type, inquiry: id, expiresAtMs, ...ask } = body;
      return decideQuestion(state, { kind: 'inquiry', id }, ask, { expiresAtMs, most: 100 }).entries;
    }
    case 'inquiry-settled':
      return answerAgain(state, body, atMs);
    default:
      return undefined;
  }
}

function pressAgain(state: RunState, press: BodyOf<'call-decided' | 'yes-counted'>): readonly EntryBody[] {
  const { secondFactor, card } = state.approvals.get(press.approval) ?? {};
  const { type: _, ...facts } = press.type === 'yes-counted' ? { ...press, verdict: 'approve' as const } : press;
  return decidePress(state, {
    ...given(facts),
    ...(card === undefined ? {} : { card }),
    ...(secondFactor === undefined ? {} : { onWeb: true }),
    right: { type: 'allowed' },
    drawn: true,
    confirmed: true,
    refusedPressesKept: 100,
  }).entries;
}

/** Why it was refused is worked out before; that nothing else is written is decided here. */
function refuseAgain(
  state: RunState,
  refused: BodyOf<'press-refused' | 'doubt-refused'>,
): readonly EntryBody[] | undefined {
  const { by, why } = refused;
  const right = { type: 'refused', why } as const;
  const most = 100;
  if (refused.type === 'press-refused') {
    const { approval, verdict } = refused;
    return decidePress(state, { approval, verdict, by, right, drawn: true, refusedPressesKept: most }).entries;
  }
  const { doubt, choice } = refused;
  const { card } = state.questions.get(doubt) ?? {};
  return card === undefined
    ? undefined
    : decideChoice(state, { doubt, choice, by, right, card, refusedKept: most }).entries;
}

function opineAgain(
  state: RunState,
  { about, by, opinion }: BodyOf<'feedback-given'>,
): readonly EntryBody[] | undefined {
  const card = state.posted.get(about);
  const turn = Number(about.replace('turn/', ''));
  return card === undefined ? undefined : decideFeedback(state, { turn, by, opinion, card, most: 100 }).entries;
}

/** An intent is written again when it has grown old, which is for its own process to say. */
function begunAgain(
  state: RunState,
  { key, by }: BodyOf<'post-begun'>,
  atMs: number,
): readonly EntryBody[] | undefined {
  if (state.posting.get(key)?.by === by) return undefined;
  const isPosted = ({ posted }: RunState) => posted.has(key);
  return decidePost(state, { key, by, isPosted }, atMs).entries;
}

function startAgain(state: RunState, start: BodyOf<'call-started'>): readonly EntryBody[] {
  const { type: _, repeats, definition = '', ...wish } = start;
  const asked = wish.grant.type === 'approval' ? state.approvals.get(wish.grant.approval) : undefined;
  const rule = { approvers: [], selfApproval: true };
  const effect = wish.grant.type === 'trust' ? ('asked' as const) : ('open' as const);
  const terms = asked === undefined ? { effect, rule } : askedUnder(asked, wish.digest);
  return decideStart(state, { ...given(wish), ...terms, definition, idempotent: repeats === true }).entries;
}

/** One that goes with its run is written with the end of it. */
function cancelAgain(state: RunState, { approval, cause, by, again }: BodyOf<'call-cancelled'>): readonly EntryBody[] {
  if (by !== undefined) return decideStop(state, { cause, by }).entries;
  const { entries } = decideCancel(state, approval, cause);
  return again === undefined ? entries : entries.map((entry) => ({ ...entry, again }) as EntryBody);
}

function settleAgain(
  state: RunState,
  { doubt: id, how, by, said }: BodyOf<'doubt-settled'>,
  atMs: number,
): readonly EntryBody[] | undefined {
  const doubt = state.questions.get(id);
  if (how === 'expired') return decideQuestionExpiry(state, id, atMs).entries;
  // Written with what makes the question needless: the end of its call, or of its run.
  if (how === 'finished' || how === 'withdrawn') return undefined;
  if (by === undefined || doubt?.card === undefined) return undefined;
  const right = { type: 'allowed' } as const;
  const words = said === undefined ? {} : { said };
  return decideChoice(state, { doubt: id, choice: how, by, card: doubt.card, right, refusedKept: 100, ...words })
    .entries;
}

function answerAgain(
  state: RunState,
  { inquiry, how, by: user, content }: BodyOf<'inquiry-settled'>,
  atMs: number,
): readonly EntryBody[] {
  if (how === 'expired') return decideQuestionExpiry(state, inquiry, atMs).entries;
  if (how === 'withdrawn' || user === undefined) return decideWithdrawal(state, inquiry).entries;
  const answer = how === 'answered' ? { how, content: content ?? {} } : { how };
  return decideAnswer(state, { kind: 'inquiry', id: inquiry, by: { user, team: state.thread.team }, answer }).entries;
}
