import { type Approval, ApprovalId, type ListCard } from '../../../app/records/index.ts';
import { ANN, approved, BEN, guarded, NEWER, type Pending, pending, RUN, THREAD } from './records.ts';

/** Cards that ask about many calls, as the view gets them. */
export const LIST = ApprovalId.parse('07aLLLLLLLLLLLLLLLLLLLLLL');

const idOf = (place: number): ApprovalId => ApprovalId.parse(`07a${`${place}`.padStart(22, 'R')}`);

export function row(place: number, changes: Partial<Omit<Pending, 'status'>> = {}): Pending {
  const service = ['payments', 'search', 'billing', 'mail', 'orders'][place % 5] ?? '';
  return pending({
    id: idOf(place),
    list: LIST,
    summary: `Restart the ${service} service.`,
    input: JSON.stringify({ service }),
    digest: `${place}a9f1c77aabbccdd`,
    reason: 'All of them have answered 502 for ten minutes.',
    preview: 'degraded → running',
    ...changes,
  });
}

export function list(rows: readonly Approval[] = [0, 1, 2, 3, 4].map((place) => row(place))): ListCard {
  const card = { channel: THREAD.channel, ts: '1795251601.000200' };
  return { id: LIST, run: RUN, thread: THREAD, requester: ANN, rows, card, revision: 9 };
}

const ruledOut = guarded({
  tool: 'drop_database',
  summary: 'Delete the database payments_old for good.',
  input: '{"database":"payments_old"}',
});

export const mixed = (): ListCard =>
  list([
    row(0),
    { ...ruledOut, id: idOf(1), list: LIST },
    row(2, {
      tool: 'run_report',
      summary: 'Make a report.',
      input: JSON.stringify({ query: 'select 1, '.repeat(90) }),
    }),
    row(3, {
      rule: { approvers: [ANN, BEN], selfApproval: true, quorum: 2 },
      progress: { yeses: [], stage: 1, stages: 1, given: 0, needed: 2, approvers: [ANN, BEN] },
    }),
  ]);

/** All waiting, some decided, one that asks for a closer look, nothing left to decide. */
export function everyList(): readonly ListCard[] {
  const denied = (place: number): Approval => ({
    ...row(place),
    status: 'denied',
    decision: { verdict: 'deny', by: BEN, atMs: row(place).askedAtMs + 7_000, reason: 'Not while people are buying.' },
  });
  const settled: readonly Approval[] = [
    { ...approved({ ...row(0) }) },
    denied(1),
    { ...row(2), status: 'expired' },
    { ...row(3), status: 'cancelled', cause: 'The run was stopped.', by: ANN },
    {
      ...row(5),
      status: 'cancelled',
      cause: 'The agent changed what it wants to do.',
      replacedBy: { id: idOf(6), card: NEWER },
    },
    { ...approved({ ...row(4) }) },
  ];
  return [list(), list([...settled.slice(0, 2), row(2), row(3), row(4)]), mixed(), list(settled)];
}
