import { ApprovalId, type StandingTrust, TrustId, type UnheardRun } from '../../../app/records/index.ts';
import { WORDS } from '../../../app/runs/telling/words.ts';
import type { HomeFacts } from '../../../handlers/views/pages/home-view.ts';
import { ANN, approved, BEN, everyState, GRANT, guarded, pending, RUN, THREAD } from './records.ts';

/** The app's own page as the views get it. */

export function trust(changes: Partial<StandingTrust> = {}): StandingTrust {
  const givenAtMs = Date.UTC(2026, 10, 21, 9);
  return {
    id: GRANT,
    team: THREAD.team,
    tool: 'restart_service',
    definition: 'd',
    offer: {
      line: 'restart_service with any input, in this thread, for 1 hour',
      match: 'any',
      scope: 'thread',
      forMs: 3_600_000,
    },
    thread: THREAD,
    requester: ANN,
    by: BEN,
    givenAtMs,
    untilMs: givenAtMs + 3_600_000,
    uses: 2,
    ...changes,
  };
}

export const approvalId = (place: number) => ApprovalId.parse(`07aAAAAAAAAAAAAAAAAAAAA${`${place}`.padStart(2, '0')}`);
export const grantId = (place: number) => TrustId.parse(`07gAAAAAAAAAAAAAAAAAAAA${`${place}`.padStart(2, '0')}`);

export const NOTHING: HomeFacts = {
  waiting: { approvals: [], more: 0 },
  asked: { approvals: [], more: 0 },
  decided: [],
  trusted: [],
  tools: [],
};

/** The agent wants to know something of a person. */
const question = () =>
  pending({
    id: approvalId(2),
    tool: 'ask_person',
    summary: 'When may the payments service go away for a minute?',
    input: '{"choices":["Now","Tonight"],"question":"When may the payments service go away for a minute?"}',
    wants: { choices: ['Now', 'Tonight'] },
  });

export const UNHEARD: UnheardRun = {
  run: RUN,
  thread: THREAD,
  requester: ANN,
  cause: WORDS.refusedPost,
  atMs: Date.UTC(2026, 10, 21, 9),
};

export const FULL_HOME: HomeFacts = {
  waiting: { approvals: [pending(), guarded({ id: approvalId(1) }), question()], more: 0, unheard: [UNHEARD] },
  asked: { approvals: [guarded()], more: 3 },
  decided: [...new Map(everyState().map((approval) => [approval.status, approval])).values()]
    .slice(1)
    .map((approval, place) => ({ ...approval, id: approvalId(place) })),
  trusted: [trust()],
  suggested: [approved({ id: approvalId(9) })],
  tools: [
    { name: 'service_status', inputSchema: {}, effect: 'open', approvers: [] },
    { name: 'restart_service', inputSchema: {}, effect: 'asked', approvers: [] },
    { name: 'drop_database', inputSchema: {}, effect: 'guarded', approvers: [BEN] },
  ],
};
