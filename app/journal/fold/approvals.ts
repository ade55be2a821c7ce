import { unreachable } from '../../../interventions/index.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { Entry } from '../facts/entries.ts';
import type { ApprovalStanding, AskedApproval } from './asked.ts';
import { BrokenJournalError, definedOnly, withApproval, withCall, withTexts } from './changes.ts';
import { withCopies } from './copies.ts';
import { placeOf } from './queries/quorum.ts';
import { perhapsTold } from './queries/reminders.ts';
import type { RunState } from './state.ts';

/** Entries about a question to people, its card, and its answers. */
type ApprovalEntry = Extract<
  Entry,
  {
    readonly type:
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
      | 'asked-again'
      | 'precondition-changed'
      | 'rules-changed';
  }
>;

export function foldApproval(state: RunState, entry: ApprovalEntry): RunState {
  switch (entry.type) {
    case 'call-asked': {
      const { type: _, id: _id, atMs, approval: id, ...asked } = entry;
      const approval: AskedApproval = {
        ...definedOnly(asked),
        id,
        askedAtMs: atMs,
        revision: state.version,
        painted: 0,
        refusedPresses: 0,
        reminded: [],
        perhapsTold: [],
        copies: [],
        copiesShow: 0,
        news: 0,
        yeses: [],
        standing: { status: 'pending' },
      };
      const next = withCall(state, entry.call, (call) => ({ ...call, approval: id }));
      const approvals = new Map([...state.approvals, ...replaced(state, entry.call, id), [id, approval]]);
      return withTexts({ ...next, approvals }, [entry.input, entry.shown]);
    }
    case 'calls-listed':
      return entry.approvals.reduce(
        (next, id) => withApproval(next, id, (approval) => ({ ...approval, list: entry.list })),
        state,
      );
    case 'call-judged':
      return { ...state, judged: new Set([...state.judged, `${entry.call} ${entry.rule}`]) };
    case 'card-posted':
      return withNewLink(
        withApproval(state, entry.approval, (approval) => ({ ...approval, card: entry.card, painted: 0 })),
        entry.approval,
      );
    case 'card-painted':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        painted: entry.revision,
      }));
    case 'press-refused':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        refusedPresses: approval.refusedPresses + 1,
      }));
    case 'call-reminded':
      return withApproval(state, entry.approval, (approval) => {
        const reminded = [...approval.reminded, { what: entry.what, stage: entry.stage ?? 0 }];
        return withCopies({ ...approval, reminded }, entry);
      });
    case 'copies-found':
      return withApproval(state, entry.approval, (approval) => withCopies(approval, entry));
    case 'copies-painted':
      return withApproval(state, entry.approval, (approval) => ({ ...approval, copiesShow: entry.revision }));
    case 'yes-counted':
      return withApproval(state, entry.approval, (approval) => {
        if (approval.standing.status !== 'pending') throw new BrokenJournalError('counts a yes after the end');
        const yeses = [...approval.yeses, { by: entry.by, atMs: entry.atMs }];
        const dropped = approval.dropped?.filter((user) => user !== entry.by);
        const passed = placeOf(approval.rule, yeses).stage !== placeOf(approval.rule, approval.yeses).stage;
        const perhaps = passed ? perhapsTold(approval, entry.atMs, ['notice']) : {};
        return { ...approval, yeses, ...definedOnly({ dropped }), ...perhaps, ...news(state) };
      });
    case 'yes-dropped':
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        yeses: approval.yeses.filter(({ by }) => by !== entry.by),
        dropped: [...(approval.dropped ?? []), entry.by],
        ...news(state),
      }));
    case 'call-referred': {
      const { by, to, atMs } = entry;
      return withApproval(state, entry.approval, (approval) => ({
        ...approval,
        referred: [...(approval.referred ?? []), { by, to, atMs }],
        revision: state.version,
      }));
    }
    case 'call-decided': {
      const { verdict, by, atMs, reason, answer, grant, trust, edit } = entry;
      const next = settled(state, entry, {
        status: 'decided',
        decision: { verdict, by, atMs, ...definedOnly({ reason, answer, grant, trust, edit }) },
      });
      return withTexts(next, [edit?.input, edit?.shown]);
    }
    case 'call-expired':
      return settled(state, entry, { status: 'expired' });
    case 'call-cancelled': {
      const { approval, cause, by, again } = entry;
      const next = settled(state, entry, { status: 'cancelled', cause, ...definedOnly({ by }) });
      return again === true ? followed(next, approval, { outdated: 'rules' }) : next;
    }

    case 'trust-ended':
      return followed(state, entry.approval, { trustEnded: { by: entry.by, atMs: entry.atMs } });
    case 'asked-again':
      return followed(state, entry.approval, { askedAgain: { by: entry.by, atMs: entry.atMs } });

    case 'precondition-changed':
      return followed(state, entry.approval, { outdated: 'world' });
    case 'rules-changed':
      return followed(state, entry.approval, { outdated: 'rules' });
    default:
      return unreachable(entry);
  }
}

/** The earlier question about this call, if it is over because people are asked anew: its card says so. */
function replaced(state: RunState, call: string, by: ApprovalId): readonly (readonly [ApprovalId, AskedApproval])[] {
  const before = state.approvals.get(state.calls.get(call)?.approval ?? by);
  if (before === undefined || (before.standing.status !== 'cancelled' && before.outdated === undefined)) return [];
  return [[before.id, { ...before, replacedBy: by, ...news(state) }]];
}

/** Whoever was replaced by this question shows where it stands. */
function withNewLink(state: RunState, id: ApprovalId): RunState {
  const older = [...state.approvals.values()].filter(({ replacedBy }) => replacedBy === id);
  return older.reduce(
    (next, one) => withApproval(next, one.id, (approval) => ({ ...approval, ...news(state) })),
    state,
  );
}

/** Something that whoever was told of the question is to read, and not only whoever looks at its card. */
function news({ version }: RunState): Pick<AskedApproval, 'revision' | 'news'> {
  return { revision: version, news: version };
}

/** A final state never changes. The deciding functions see to it; a journal that says otherwise was tampered with. */
function settled(
  state: RunState,
  { approval: id, atMs }: { readonly approval: ApprovalId; readonly atMs: number },
  standing: ApprovalStanding,
): RunState {
  return withApproval(state, id, (approval) => {
    if (approval.standing.status !== 'pending') throw new BrokenJournalError(`settles approval ${id} twice`);
    return { ...approval, standing, ...perhapsTold(approval, atMs, ['notice', 'reminder']), ...news(state) };
  });
}

/** Something happened after the end that the card has to show. */
function followed(
  state: RunState,
  id: ApprovalId,
  more: Pick<AskedApproval, 'trustEnded' | 'askedAgain' | 'outdated'>,
): RunState {
  return withApproval(state, id, (approval) => ({ ...approval, ...more, revision: state.version }));
}
