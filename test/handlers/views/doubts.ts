import { type Doubt, UserId } from '../../../app/records/index.ts';
import { ANN, APPROVAL, RUN, THREAD } from './records.ts';

/** Calls with an unknown outcome, as the views get them. A test names only what it is about. */

const ASKED_MS = Date.UTC(2026, 10, 21, 9);

export function doubt(changes: Partial<Doubt> = {}): Doubt {
  return {
    id: APPROVAL,
    run: RUN,
    thread: THREAD,
    requester: ANN,
    alsoSteeredBy: [],
    tool: 'restart_service',
    summary: 'Restart the payments service.',
    input: '{"service":"payments"}',
    hides: [],
    digest: 'd1'.repeat(32),
    effect: 'asked',
    rule: { approvers: [], selfApproval: true },
    askedAtMs: ASKED_MS,
    expiresAtMs: ASKED_MS + 86_400_000,
    card: { channel: THREAD.channel, ts: '1795251601.000200' },
    approval: APPROVAL,
    standing: { status: 'pending' },
    ...changes,
  };
}

/** One in each state of its life. */
export function everyDoubt(asked: Doubt = doubt()): readonly Doubt[] {
  const by = { by: UserId.parse(ANN), atMs: ASKED_MS + 60_000 };
  return [
    asked,
    { ...asked, standing: { status: 'happened', ...by } },
    { ...asked, standing: { status: 'happened', ...by, said: 'It runs with 3 pods.' } },
    { ...asked, standing: { status: 'skip', ...by } },
    { ...asked, standing: { status: 'retry', ...by } },
    { ...asked, standing: { status: 'finished' } },
    { ...asked, standing: { status: 'expired' } },
    { ...asked, standing: { status: 'withdrawn' } },
  ];
}
