import type { AskedQuestion } from '../../app/journal/fold/asked.ts';
import { pendingQuestions } from '../../app/journal/fold/queries/questions.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { ApprovalId } from '../../app/records/index.ts';
import { THREAD, user } from '../support/journal.ts';
import { commit } from './commit.ts';
import { moveCall } from './moves.ts';
import {
  type Actor,
  type CallInHand,
  type Chooser,
  LIFETIME_MS,
  type Replica,
  type Stage,
  type Step,
  type World,
  withActor,
} from './world.ts';

/** A call that was begun and has no end: people are asked about its outcome, and its waiter hears it. */
export function stepsInDoubt(
  stage: Stage,
  world: World,
  index: number,
  replica: Replica,
  { call, stage: at, approval: doubt }: CallInHand,
): readonly Step[] {
  if (at === 'doubt') {
    return commit(stage, world, index, {
      name: `asks what became of ${call}`,
      decide: (state, nowMs) =>
        stage.core.decideDoubt(state, {
          doubt: newDoubtId(replica, call),
          call,
          tool: 'deploy',
          summary: 'Deploy.',
          digest: 'shown',
          effect: 'asked',
          rule: { approvers: [], selfApproval: true },
          expiresAtMs: nowMs + LIFETIME_MS,
        }),
      next: (actor, result) => {
        if (result === 'late' || result.type === 'nothing-to-ask') return goOn(actor, call);
        return hearDoubt(moveCall(actor, call, 'in-doubt', { approval: result.doubt }), call, result.doubt);
      },
    });
  }
  if (replica.known === world.journal) return [];
  const looked = hearDoubt({ ...replica, known: world.journal }, call, ApprovalId.parse(doubt));
  return [
    { name: `${replica.name} looks what became of ${call}`, world: withActor(world, index, looked), rereads: true },
  ];
}

function hearDoubt(actor: Actor, call: string, doubt: ApprovalId): Actor {
  const standing = actor.known.state.questions.get(doubt)?.standing.status;
  return standing === undefined || standing === 'pending' ? actor : goOn(actor, call);
}

/** Goes on with what the journal has for the doubt: an answer, a call in its place, or the end of the run. */
function goOn(actor: Actor, call: string): Actor {
  const { calls, status } = actor.known.state;
  const retry = calls.get(call)?.retriedAs;
  if (retry === undefined)
    return moveCall(actor, call, status.type === 'running' && !has(calls, call) ? 'ask' : 'done');
  return moveCall(actor, call, 'ask', { becomes: retry });
}

const has = (calls: RunState['calls'], call: string): boolean => calls.get(call)?.answer !== undefined;

/** A person who sees the card of a lost call and reports its outcome some time later. */
export function stepsOfChooser(stage: Stage, world: World, index: number, chooser: Chooser): readonly Step[] {
  const { core } = stage;
  const { name, choice, mayDecide } = chooser;
  switch (chooser.stage) {
    case 'looking':
      return pendingQuestions(world.journal.state).map(({ id }) => ({
        name: `${name} looks at a lost call`,
        world: withActor(world, index, { ...chooser, known: world.journal, stage: 'choosing', doubt: id }),
      }));
    case 'choosing':
      return commit(stage, world, index, {
        name: `says ${choice}`,
        decide: (state) =>
          core.decideChoice(state, {
            doubt: ApprovalId.parse(chooser.doubt),
            choice,
            by: user(`${mayDecide ? 'entitled' : 'stranger'} ${name}`),
            right: core.rightOf(chooser),
            card: THREAD,
            refusedKept: 1,
          }),
        next: (actor) => (actor.type === 'chooser' ? { ...actor, stage: 'done' } : actor),
      });
    case 'done':
      return [];
  }
}

export const dueDoubt = ({ journal, nowMs }: World): AskedQuestion | undefined =>
  pendingQuestions(journal.state).find(({ expiresAtMs }) => expiresAtMs <= nowMs);

/** The real bot draws ids at random. Here an id follows from the actor and the moment. */
function newDoubtId({ name, known }: Replica, call: string): ApprovalId {
  const about = call.replaceAll(/\W/g, '_');
  return ApprovalId.parse(`00a${`d${name.slice(1)}x${known.version}x${about}`.padStart(22, '0')}`);
}
