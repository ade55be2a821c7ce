import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { ApprovalId } from '../../records/index.ts';
import type { EntryOf } from '../facts/entries.ts';
import type { ApprovalStanding, AskedApproval } from './asked.ts';
import { BrokenJournalError, news, withApproval, withLine } from './changes.ts';
import { quorumProgress } from './queries/quorum.ts';
import { perhapsTold } from './queries/reminders.ts';
import type { RunState } from './state.ts';

/** Folds what people answer to a question, how it ends, and what its card shows after the end. */

export function foldYes(state: RunState, entry: EntryOf<'yes-counted' | 'yes-dropped'>): RunState {
  return withApproval(state, entry.approval, (approval) =>
    entry.type === 'yes-counted' ? counted(state, approval, entry) : dropped(state, approval, entry),
  );
}

function counted(state: RunState, approval: AskedApproval, { by, atMs }: EntryOf<'yes-counted'>): AskedApproval {
  if (approval.standing.status !== 'pending') throw new BrokenJournalError('counts a yes after the end');
  const yeses = [...approval.yeses, { by, atMs }];
  const left = approval.dropped.filter((user) => user !== by);
  const passed = quorumProgress(approval.rule, yeses).stage !== quorumProgress(approval.rule, approval.yeses).stage;
  const perhaps = passed ? perhapsTold(approval, atMs, ['notice']) : {};
  return { ...approval, yeses, dropped: left, ...perhaps, ...news(state) };
}

function dropped(state: RunState, approval: AskedApproval, entry: EntryOf<'yes-dropped'>): AskedApproval {
  return {
    ...approval,
    yeses: approval.yeses.filter(({ by }) => by !== entry.by),
    dropped: [...approval.dropped, entry.by],
    ...news(state),
  };
}

export function foldEnd(state: RunState, entry: EntryOf<'call-decided' | 'call-expired' | 'call-cancelled'>): RunState {
  switch (entry.type) {
    case 'call-decided':
      return decided(state, entry);
    case 'call-expired':
      return settled(state, entry, { status: 'expired' });
    case 'call-cancelled': {
      const { cause, by, again } = entry;
      return settled(state, entry, {
        status: 'cancelled',
        cause,
        ...given({ by, outdated: again && ('rules' as const) }),
      });
    }
    default:
      return unreachable(entry);
  }
}

function decided(state: RunState, entry: EntryOf<'call-decided'>): RunState {
  const { verdict, by, atMs, reason, answer, grant, trust, edit } = entry;
  return settled(state, entry, {
    status: 'decided',
    decision: { verdict, by, atMs, ...given({ reason, answer, grant, trust, edit }) },
  });
}

type Afterwards = EntryOf<'trust-ended' | 'asked-again' | 'precondition-changed' | 'rules-changed'>;

export function foldAfterwards(state: RunState, entry: Afterwards): RunState {
  return withApproval(state, entry.approval, (approval) => ({
    ...approval,
    standing: followed(approval.standing, entry),
    revision: state.version,
  }));
}

/** The card that gave the trust, and the line of its calls, no longer offer to end it. */
export function foldTrustOver(state: RunState, { grant, by, atMs }: EntryOf<'trust-over'>): RunState {
  const over = { atMs, ...given({ by }) };
  const ended = withLine(state, grant, { news: state.version, over });
  return [...state.approvals.values()].reduce(
    (next, { id, standing }) =>
      standing.status === 'decided' && standing.trustEnded === undefined && standing.decision.grant === grant
        ? withApproval(next, id, (approval) => ({
            ...approval,
            standing: { ...standing, trustEnded: over },
            revision: state.version,
          }))
        : next,
    ended,
  );
}

/** The standing after something that happened after the end, and that the card has to show. */
function followed(standing: ApprovalStanding, entry: Afterwards): ApprovalStanding {
  switch (entry.type) {
    case 'trust-ended':
      return standing.status !== 'decided' ? standing : { ...standing, trustEnded: { by: entry.by, atMs: entry.atMs } };
    case 'asked-again':
      return standing.status !== 'expired' ? standing : { ...standing, askedAgain: { by: entry.by, atMs: entry.atMs } };
    case 'precondition-changed':
      return standing.status !== 'decided' ? standing : { ...standing, outdated: 'world' };
    case 'rules-changed':
      return standing.status !== 'decided' ? standing : { ...standing, outdated: 'rules' };
    default:
      return unreachable(entry);
  }
}

/** A final state never changes. The deciding functions ensure this, so a journal that settles twice was tampered with. */
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
