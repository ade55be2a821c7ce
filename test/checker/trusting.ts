import type { TrustEntryBody } from '../../app/journal/facts/trusts.ts';
import { approvalOf } from '../../app/journal/fold/queries/approvals.ts';
import { covers, type GrantedCall } from '../../app/journal/fold/queries/trusts.ts';
import { runId, THREAD, user } from '../support/journal.ts';
import { moveCall } from './moves.ts';
import { type Replica, type Revoker, type Stage, type Step, type World, withActor } from './world.ts';

/**
 * A trust has a journal of its own, which orders the uses of the trust and its end. Reading, deciding and appending is
 * one step here, because the journal of the run already shows that a late writer decides again.
 */

/** Does a trust cover this call, which was not asked about? */
export function isTrusted({ core }: Stage, { grant, nowMs }: World, { known, digest }: Replica, call: string): boolean {
  if (grant === undefined || approvalOf(known.state, call) !== undefined || known.state.status.type !== 'running') {
    return false;
  }
  const untouched = known.state.calls.get(call)?.execution.type === 'none';
  return untouched && covers(core.foldGrant(grant).trust, calling(digest), nowMs);
}

/** The use is counted before the call starts. */
export function stepsOnTrust(
  { core }: Stage,
  world: World,
  index: number,
  replica: Replica,
  call: string,
): readonly Step[] {
  const { grant, nowMs } = world;
  if (grant === undefined) return [];
  const { entries, result } = core.decideUse(
    core.foldGrant(grant),
    { ...calling(replica.digest), run: runId(), call },
    nowMs,
  );
  const used = [...grant, ...entries];
  const next = moveCall(replica, call, result === 'used' ? 'start' : 'ask', result === 'used' ? { trusted: true } : {});
  const name = `${replica.name} uses the trust for ${call}: ${result}`;
  return [withBroken({ name, world: withActor(world, index, next, { grant: used }) }, used)];
}

export function stepsOfRevoker({ core }: Stage, world: World, index: number, revoker: Revoker): readonly Step[] {
  const { grant } = world;
  if (revoker.stage === 'done' || grant === undefined) return [];
  const { entries } = core.decideRevoke(core.foldGrant(grant), user('ANN'));
  const next = withActor(world, index, { ...revoker, stage: 'done' }, { grant: [...grant, ...entries] });
  return [{ name: `${revoker.name} ends the trust`, world: next }];
}

/** After the end of a trust, no use may be counted on it. */
function withBroken(step: Step, grant: readonly TrustEntryBody[]): Step {
  const revoked = grant.findIndex(({ type }) => type === 'grant-revoked');
  const late = revoked !== -1 && grant.slice(revoked).some(({ type }) => type === 'grant-used');
  return late ? { ...step, broken: 'A call is counted on a trust that was taken away before.' } : step;
}

const calling = (digest: string): GrantedCall => ({
  team: THREAD.team,
  tool: 'deploy',
  definition: 'v1',
  policy: 'p1',
  input: {},
  digest,
  thread: THREAD,
  requester: user('ANN'),
  steeredBy: [user('ANN')],
});
