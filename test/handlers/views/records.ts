import { type Approval, ApprovalId, RunId, TrustId, UserId } from '../../../app/records/index.ts';

/** Records as the views get them. A test names only the fields it is about. */
export const ANN = UserId.parse('U0ANN00001');
export const BEN = UserId.parse('U0BEN00001');
export const ZOE = UserId.parse('U0ZOE00001');
export const APPROVAL = ApprovalId.parse('07aAAAAAAAAAAAAAAAAAAAAAA');
export const RUN = RunId.parse('07rAAAAAAAAAAAAAAAAAAAAAA');
export const GRANT = TrustId.parse('07gAAAAAAAAAAAAAAAAAAAAAA');
/** Where people are asked anew. */
export const NEWER = { channel: 'C0OPS00001', ts: '1795252900.000200' };
export const THREAD = { team: 'T0DEMO0001', channel: 'C0OPS00001', ts: '1795251600.000100' };
/** The only link that a card makes. */
export const NEWER_LINK =
  '<https://slack.com/archives/C0OPS00001/p1795252900000200?thread_ts=1795251600.000100|Go to the newer card>';

export type Pending = Approval & { readonly status: 'pending' };

const ASKED_MS = Date.UTC(2026, 10, 21, 9);

export function pending(changes: Partial<Omit<Pending, 'status'>> = {}): Pending {
  return {
    status: 'pending',
    id: APPROVAL,
    run: RUN,
    firstEntry: 'e1',
    thread: THREAD,
    requester: ANN,
    alsoSteeredBy: [],
    tool: 'restart_service',
    effect: 'asked',
    summary: 'Restart the payments service.',
    reason: 'It has answered 502 for ten minutes.',
    input: '{"service":"payments"}',
    hides: [],
    digest: '3f9a1c77aabbccdd',
    rule: { approvers: [], selfApproval: true },
    trust: {
      line: 'restart_service with any input, in this thread, for 1 hour',
      match: 'any',
      scope: 'thread',
      forMs: 3_600_000,
    },
    askedAtMs: ASKED_MS,
    expiresAtMs: ASKED_MS + 86_400_000,
    card: { channel: THREAD.channel, ts: '1795251601.000200' },
    referred: [],
    revision: 3,
    ...changes,
  };
}

export function guarded(changes: Partial<Omit<Pending, 'status'>> = {}): Pending {
  const { trust: _none, ...rest } = pending(changes);
  return { ...rest, effect: 'guarded', rule: { approvers: [BEN], selfApproval: false } };
}

const decision = { by: BEN, atMs: ASKED_MS + 252_000 };

export function approved(changes: Partial<Omit<Pending, 'status'>> = {}): Approval {
  const outcome = { type: 'ran', ms: 1_234 } as const;
  return { ...pending(changes), status: 'approved', decision: { verdict: 'approve', ...decision }, outcome };
}

/** One approval in each state of its life, and each outcome. `said`: what a person typed when they denied or answered. */
export function everyState(asked: Pending = pending(), said = asked.summary): readonly Approval[] {
  const outcomes = [
    { type: 'waiting' },
    { type: 'running' },
    { type: 'ran', ms: 1_234 },
    { type: 'failed', ms: 61_000 },
    { type: 'unknown' },
    { type: 'not-applied' },
  ] as const;
  return [
    asked,
    ...outcomes.flatMap((outcome): Approval[] => [
      { ...asked, status: 'approved', decision: { verdict: 'approve', ...decision }, outcome },
      { ...asked, status: 'trusted', decision: { verdict: 'trust', grant: GRANT, ...decision }, outcome },
    ]),
    { ...asked, status: 'denied', decision: { verdict: 'deny', ...decision } },
    { ...asked, status: 'denied', decision: { verdict: 'deny', reason: said, ...decision } },
    {
      ...asked,
      status: 'trusted',
      decision: { verdict: 'trust', grant: GRANT, ...decision },
      outcome: { type: 'ran', ms: 5 },
      trustEnded: { by: ZOE, atMs: ASKED_MS + 500_000 },
    },
    {
      ...asked,
      status: 'approved',
      decision: {
        verdict: 'approve',
        edit: { input: '{"service":"search"}', digest: 'eeeeeeeeffffffff', summary: 'Restart the search service.' },
        ...decision,
      },
      outcome: { type: 'ran', ms: 5 },
    },
    { ...asked, effect: 'guarded', secondFactor: true },
    { ...asked, suggestion: asked.input },
    { ...asked, wants: { choices: ['Today', asked.summary.slice(0, 70)] } },
    { ...asked, status: 'answered', decision: { verdict: 'answer', answer: said, ...decision } },
    { ...asked, preview: asked.input, was: asked.input, precondition: { text: asked.input, digest: 'p2' } },
    {
      ...asked,
      status: 'approved',
      decision: { verdict: 'approve', ...decision },
      outcome: { type: 'not-applied' },
      outdated: 'world',
    },
    { ...asked, status: 'expired' },
    { ...asked, status: 'expired', askedAgain: { by: ANN, atMs: ASKED_MS + 90_000_000 } },
    { ...asked, status: 'cancelled', cause: asked.summary },
    { ...asked, status: 'cancelled', cause: 'The run was stopped.', by: ANN },
    { ...asked, status: 'cancelled', cause: asked.summary, replacedBy: { id: APPROVAL } },
    {
      ...asked,
      status: 'cancelled',
      cause: 'The rules for this call have changed since I asked.',
      replacedBy: { id: APPROVAL, card: NEWER },
    },
    {
      ...asked,
      status: 'approved',
      decision: { verdict: 'approve', ...decision },
      outcome: { type: 'not-applied' },
      outdated: 'rules',
      replacedBy: { id: APPROVAL, card: NEWER },
    },
  ];
}
