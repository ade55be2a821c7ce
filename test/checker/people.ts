import type { RunState } from '../../app/journal/fold/state.ts';
import { ApprovalId, type UserId } from '../../app/records/index.ts';
import { grantId, pressed, user } from '../support/journal.ts';
import { commit } from './commit.ts';
import { dueDoubt } from './lost-calls.ts';
import {
  type Actor,
  type Presser,
  type Stage,
  type Step,
  type Stopper,
  type Sweeper,
  type World,
  withActor,
} from './world.ts';

/** A person who sees a card and presses a button on it later. The journal may have changed in between. */
export function stepsOfPresser(stage: Stage, world: World, index: number, presser: Presser): readonly Step[] {
  const { core } = stage;
  const { name, verdict, mayDecide, person = name, firstIsLost } = presser;
  switch (presser.stage) {
    case 'looking':
      return pendingIn(world).map(({ id }) => ({
        name: `${name} looks at a card`,
        world: withActor(world, index, { ...presser, known: world.journal, stage: 'pressing', approval: id }),
      }));
    case 'pressing':
      return commit(stage, world, index, {
        name: `presses ${verdict}`,
        decide: (state) =>
          core.decidePress(
            state,
            pressed({
              approval: ApprovalId.parse(presser.approval),
              verdict,
              by: user(`${mayDecide ? 'entitled' : 'stranger'} ${person}`),
              right: core.rightOf(presser),
              ...(verdict === 'trust' ? { grant: grantId() } : {}),
              ...(firstIsLost === true ? { lost: firstYesIn(state, presser.approval) } : {}),
            }),
          ),
        next: (actor, result) => asPresser(actor, result === 'late' ? 'late' : 'done'),
      });
    case 'late':
      return commit(stage, world, index, {
        name: 'was late, so it is over',
        decide: (state, nowMs) => core.decideExpiry(state, ApprovalId.parse(presser.approval), nowMs),
        next: (actor) => asPresser(actor, 'done'),
      });
    case 'done':
      return [];
  }
}

/** Whether the person may decide, computed at the press from what the person had read. */
function firstYesIn({ approvals }: RunState, id: string | undefined): readonly UserId[] {
  return (approvals.get(ApprovalId.parse(id))?.yeses ?? []).slice(0, 1).map(({ by }) => by);
}

function asPresser(actor: Actor, stage: Presser['stage']): Actor {
  return actor.type === 'presser' ? { ...actor, stage } : actor;
}

/** Finds due approvals and lets them expire, one at a time. */
export function stepsOfSweeper(stage: Stage, world: World, index: number, sweeper: Sweeper): readonly Step[] {
  const { name, approval } = sweeper;
  if (sweeper.stage === 'looking' || approval === undefined) {
    const due = pendingIn(world).find(({ expiresAtMs }) => expiresAtMs <= world.nowMs) ?? dueDoubt(world);
    if (due === undefined) return [];
    const next: Sweeper = { ...sweeper, known: world.journal, stage: 'expiring', approval: due.id };
    return [{ name: `${name} finds what is due`, world: withActor(world, index, next) }];
  }
  return commit(stage, world, index, {
    name: 'lets it expire',
    // All actors share one kind of id, and each knows its own ids.
    decide: (state, nowMs) => {
      const id = ApprovalId.parse(approval);
      return state.questions.has(id)
        ? stage.core.decideQuestionExpiry(state, id, nowMs)
        : stage.core.decideExpiry(state, id, nowMs);
    },
    next: ({ known }) => ({ type: 'sweeper', name, known, stage: 'looking' }),
  });
}

/** A person in the thread presses Stop. */
export function stepsOfStopper(stage: Stage, world: World, index: number, stopper: Stopper): readonly Step[] {
  switch (stopper.stage) {
    case 'reading': {
      const next: Stopper = { ...stopper, known: world.journal, stage: 'stopping' };
      return [{ name: `${stopper.name} wants to stop it`, world: withActor(world, index, next) }];
    }
    case 'stopping':
      return commit(stage, world, index, {
        name: 'stops the run',
        decide: (state) => stage.core.decideStop(state, { cause: 'Stopped.', by: user(stopper.name) }),
        next: (actor) => (actor.type === 'stopper' ? { ...actor, stage: 'done' } : actor),
      });
    case 'done':
      return [];
  }
}

function pendingIn({ journal }: World) {
  return [...journal.state.approvals.values()].filter(({ standing }) => standing.status === 'pending');
}
