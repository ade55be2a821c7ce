import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { EntryOf } from '../facts/entries.ts';
import { foldAfterwards, foldEnd, foldTrustOver, foldYes } from './answers.ts';
import type { AskedApproval } from './asked.ts';
import { news, withApproval, withCall } from './changes.ts';
import { withCopies } from './copies.ts';
import { outdatedBy } from './queries/approvals.ts';
import type { RunState } from './state.ts';

/** Entries about an approval, its card, and its answers. */
type ApprovalEntry = EntryOf<
  | 'call-asked'
  | 'calls-listed'
  | 'call-judged'
  | 'card-posted'
  | 'card-painted'
  | 'press-refused'
  | 'call-reminded'
  | 'copies-found'
  | 'copies-painted'
  | 'yes-counted'
  | 'yes-dropped'
  | 'call-referred'
  | 'call-decided'
  | 'call-expired'
  | 'call-cancelled'
  | 'trust-ended'
  | 'trust-over'
  | 'asked-again'
  | 'precondition-changed'
  | 'rules-changed'
>;

export function foldApproval(state: RunState, entry: ApprovalEntry): RunState {
  switch (entry.type) {
    case 'call-asked':
      return asked(state, entry);
    case 'calls-listed':
      return listed(state, entry);
    case 'call-judged':
      return { ...state, judged: new Set([...state.judged, `${entry.call} ${entry.rule}`]) };
    case 'call-referred':
      return referred(state, entry);
    case 'card-posted':
    case 'card-painted':
    case 'press-refused':
      return foldCard(state, entry);
    case 'call-reminded':
    case 'copies-found':
    case 'copies-painted':
      return foldTold(state, entry);
    case 'yes-counted':
    case 'yes-dropped':
      return foldYes(state, entry);
    case 'call-decided':
    case 'call-expired':
    case 'call-cancelled':
      return foldEnd(state, entry);
    case 'trust-over':
      return foldTrustOver(state, entry);
    case 'trust-ended':
    case 'asked-again':
    case 'precondition-changed':
    case 'rules-changed':
      return foldAfterwards(state, entry);
    default:
      return unreachable(entry);
  }
}

function asked(state: RunState, entry: EntryOf<'call-asked'>): RunState {
  const { type: _, id: _id, atMs, approval: id, shown, hides = [], noticeAtMs, remindAtMs, ...question } = entry;
  const approval: AskedApproval = {
    ...given(question),
    id,
    shown: shown ?? entry.input,
    hides,
    askedAtMs: atMs,
    revision: state.version,
    painted: 0,
    paintedAt: 0,
    refusedPresses: 0,
    remindersAtMs: given({ notice: noticeAtMs, reminder: remindAtMs, escalation: entry.escalation?.atMs }),
    reminded: [],
    perhapsTold: [],
    copies: [],
    copiesShow: 0,
    news: 0,
    yeses: [],
    dropped: [],
    referred: [],
    lostCards: [],
    standing: { status: 'pending' },
  };
  const next = withCall(state, entry.call, (call) => ({ ...call, approval: id }));
  const approvals = new Map([...state.approvals, ...replaced(state, entry.call, id), [id, approval]]);
  return { ...next, approvals };
}

function listed(state: RunState, { list, approvals }: EntryOf<'calls-listed'>): RunState {
  return approvals.reduce((next, id) => withApproval(next, id, (approval) => ({ ...approval, list })), state);
}

function referred(state: RunState, { approval: id, by, to, atMs }: EntryOf<'call-referred'>): RunState {
  return withApproval(state, id, (approval) => ({
    ...approval,
    referred: [...approval.referred, { by, to, atMs }],
    revision: state.version,
  }));
}

function foldCard(state: RunState, entry: EntryOf<'card-posted' | 'card-painted' | 'press-refused'>): RunState {
  switch (entry.type) {
    case 'card-posted':
      return withNewLink(
        withApproval(state, entry.approval, (approval) => ({ ...approval, card: entry.card, painted: 0 })),
        entry.approval,
      );
    case 'card-painted':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        painted: entry.revision,
        paintedAt: state.version,
      }));
    case 'press-refused':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        refusedPresses: approval.refusedPresses + 1,
      }));
    default:
      return unreachable(entry);
  }
}

/** People were told of a question outside its card. */
function foldTold(state: RunState, entry: EntryOf<'call-reminded' | 'copies-found' | 'copies-painted'>): RunState {
  switch (entry.type) {
    case 'call-reminded':
      return withApproval(state, entry.approval, (approval) => {
        const reminded = [...approval.reminded, { what: entry.what, stage: entry.stage ?? 0 }];
        return withCopies({ ...approval, reminded }, entry);
      });
    case 'copies-found':
      return withApproval(state, entry.approval, (approval) => withCopies(approval, entry));
    case 'copies-painted':
      return withApproval(state, entry.approval, (approval) => ({ ...approval, copiesShow: entry.revision }));
    default:
      return unreachable(entry);
  }
}

/** The earlier question about this call, if it ended because people are asked anew. Its card then links to the new one. */
function replaced(state: RunState, call: string, by: ApprovalId): readonly (readonly [ApprovalId, AskedApproval])[] {
  const before = state.approvals.get(state.calls.get(call)?.approval ?? by);
  if (
    before?.standing.status !== 'cancelled' &&
    (before?.standing.status !== 'decided' || outdatedBy(before) === undefined)
  )
    return [];
  return [[before.id, { ...before, standing: { ...before.standing, replacedBy: by }, ...news(state) }]];
}

/** The cards that this question replaced link to its new card. */
function withNewLink(state: RunState, id: ApprovalId): RunState {
  const older = [...state.approvals.values()].filter(
    ({ standing }) => 'replacedBy' in standing && standing.replacedBy === id,
  );
  return older.reduce(
    (next, one) => withApproval(next, one.id, (approval) => ({ ...approval, ...news(state) })),
    state,
  );
}
