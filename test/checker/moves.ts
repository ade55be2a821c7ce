import type { Actor, CallInHand, Replica } from './world.ts';

/** How a replica goes on. */

/** Another process was faster. The replica reads from the beginning once its running tools have ended. */
export function later(actor: Actor): Actor {
  if (actor.type !== 'replica') return actor;
  const calls = actor.calls.filter(isAtWork);
  return { ...actor, phase: calls.length === 0 ? 'reading' : 'leaving', calls };
}

/** A tool that has begun runs to its end, and the replica writes that end even if the run is over. */
export const isAtWork = ({ stage }: CallInHand): boolean => stage === 'run' || stage === 'finish';

export type MoreOfCall = Pick<CallInHand, 'approval' | 'digest' | 'trusted'> & {
  /** A person put another call in its place. */
  readonly becomes?: string;
};

export function moveCall(
  actor: Actor,
  call: string,
  stage: CallInHand['stage'],
  { becomes = call, ...more }: MoreOfCall = {},
): Actor {
  if (actor.type !== 'replica') return actor;
  const calls = actor.calls.map((inHand) => (inHand.call === call ? { call: becomes, stage, ...more } : inHand));
  return { ...actor, calls };
}

export function asReplica(actor: Actor, changes: Partial<Replica>): Actor {
  return actor.type === 'replica' ? { ...actor, ...changes } : actor;
}

export const attemptsOf = ({ name, life }: Replica) => `${name}.${life} `;
