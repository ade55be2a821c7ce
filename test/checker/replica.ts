import type { Start } from '../../app/journal/decide/start.ts';
import { approvalOf } from '../../app/journal/fold/queries/approvals.ts';
import { lastRetry } from '../../app/journal/fold/queries/calls.ts';
import { ApprovalId } from '../../app/records/index.ts';
import { ask, grantId, OWN_RULE } from '../support/journal.ts';
import { commit } from './commit.ts';
import type { Core } from './core.ts';
import { entriesOf } from './journal.ts';
import { stepsInDoubt } from './lost-calls.ts';
import { asReplica, attemptsOf, isAtWork, later, type MoreOfCall, moveCall } from './moves.ts';
import { isTrusted, stepsOnTrust } from './trusting.ts';
import {
  type Actor,
  type CallInHand,
  keyOf,
  LIFETIME_MS,
  newReplica,
  type Replica,
  type Stage,
  type Step,
  type World,
  withActor,
} from './world.ts';

/**
 * A process that has the run in hand, with the steps of the drive, the gate and the tool runner. It reads the journal and
 * settles starts without an end. For each call it asks, waits, starts, runs and finishes. Then it ends the run.
 */
export function stepsOfReplica(stage: Stage, world: World, index: number, replica: Replica): readonly Step[] {
  return [...stepsOfWork(stage, world, index, replica), ...disturbances(stage, world, index, replica)];
}

function stepsOfWork(stage: Stage, world: World, index: number, replica: Replica): readonly Step[] {
  const { core, scenario } = stage;
  switch (replica.phase) {
    case 'reading': {
      // Processes that know nothing yet are alike, so only one order of them is followed.
      if (isWaitingForTheFirst(world, replica)) return [];
      const read: Replica = { ...replica, known: world.journal, phase: 'reporting' };
      const idle = report(stage, read).entries.length === 0;
      const next = idle ? beginWork(read, scenario.calls) : read;
      return [{ name: `${replica.name} reads`, world: withActor(world, index, next) }];
    }
    case 'reporting':
      return commit(stage, world, index, {
        name: 'calls what others began unknown',
        decide: (state) => core.decideUnknown(state, isMine(replica)),
        next: (actor) => beginWork(actor, scenario.calls),
      });
    case 'working': {
      if (replica.calls.some(({ stage: at }) => at !== 'done')) {
        return replica.calls.flatMap((call) => stepsOfCall(stage, world, index, replica, call));
      }
      return commit(stage, world, index, {
        name: 'ends the run',
        decide: ({ status }) => ({
          entries: status.type === 'running' ? [{ type: 'run-finished' }] : [],
          result: undefined,
        }),
        next: (actor) => asReplica(actor, { phase: 'gone' }),
      });
    }
    case 'leaving': {
      const atWork = replica.calls.filter(isAtWork);
      if (atWork.length === 0) return stepsOfWork(stage, world, index, { ...replica, phase: 'reading', calls: [] });
      return atWork.flatMap((call) => stepsOfCall(stage, world, index, replica, call));
    }
    case 'gone':
      return [];
  }
}

const isMine = (replica: Replica) => (attempt: string) => attempt.startsWith(attemptsOf(replica));

const report = ({ core }: Stage, replica: Replica) => core.decideUnknown(replica.known.state, isMine(replica));

const isNew = ({ phase, life }: Replica): boolean => phase === 'reading' && life === 0;

function isWaitingForTheFirst({ actors }: World, replica: Replica): boolean {
  const [first] = actors;
  return isNew(replica) && first?.type === 'replica' && first.name !== replica.name && isNew(first);
}

function beginWork(actor: Actor, ids: readonly string[]): Actor {
  const { status, calls } = actor.known.state;
  if (status.type !== 'running') return asReplica(actor, { phase: 'gone' });
  const begin = (id: string): CallInHand => {
    const call = lastRetry(calls, keyOf(id));
    const known = calls.get(call);
    if (known?.answer !== undefined) return { call, stage: 'done' };
    return { call, stage: known?.execution.type === 'unknown' ? 'doubt' : 'ask' };
  };
  return asReplica(actor, { phase: 'working', calls: ids.map(begin) });
}

function stepsOfCall(stage: Stage, world: World, index: number, replica: Replica, inHand: CallInHand): readonly Step[] {
  const { core, scenario } = stage;
  const { known } = replica;
  const { call, digest = replica.digest } = inHand;
  const attempt = `${attemptsOf(replica)}${call}`;
  const to =
    (next: CallInHand['stage'], more: MoreOfCall = {}) =>
    (actor: Actor) =>
      moveCall(actor, call, next, more);

  switch (inHand.stage) {
    case 'doubt':
    case 'in-doubt':
      return stepsInDoubt(stage, world, index, replica, inHand);
    case 'trust':
      return stepsOnTrust(stage, world, index, replica, call);
    case 'ask':
      if (isTrusted(stage, world, replica, call)) {
        return [
          { name: `${replica.name} finds ${call} trusted`, world: withActor(world, index, to('trust')(replica)) },
        ];
      }
      return commit(stage, world, index, {
        name: `asks about ${call}`,
        decide: (state, nowMs) =>
          core.decideAsk(
            state,
            ask({
              approval: newApprovalId(replica, call),
              call,
              digest,
              expiresAtMs: nowMs + LIFETIME_MS,
              ...(scenario.quorum === undefined ? {} : { rule: { ...OWN_RULE, quorum: scenario.quorum } }),
            }),
          ),
        next: (actor, result) => {
          if (result === 'late' || result.type === 'over') return to('done')(actor);
          if (result.type === 'taken-over') return later(actor);
          return hear(core, to('wait', { approval: result.approval })(actor), call, result.approval);
        },
      });
    case 'wait': {
      const hasty: Step[] = scenario.careless
        ? [{ name: `${replica.name} does not wait for ${call}`, world: withActor(world, index, to('start')(replica)) }]
        : [];
      if (known === world.journal) return hasty;
      const looked = hear(core, { ...replica, known: world.journal }, call, ApprovalId.parse(inHand.approval));
      const look = { name: `${replica.name} looks at ${call}`, world: withActor(world, index, looked) };
      return [...hasty, { ...look, rereads: true }];
    }
    case 'start': {
      const approval = approvalOf(known.state, call);
      if (inHand.trusted === true) {
        return startOn(stage, world, index, {
          call,
          attempt,
          tool: 'deploy',
          effect: 'asked',
          rule: OWN_RULE,
          definition: 'v1',
          digest,
          grant: { type: 'trust', grant: grantId() },
        });
      }
      if (approval === undefined || (approval.standing.status !== 'decided' && !scenario.careless)) {
        const next = withActor(world, index, to('ask')(replica));
        return [{ name: `${replica.name} finds no grant for ${call}`, world: next }];
      }
      return startOn(stage, world, index, {
        call,
        attempt,
        tool: approval.tool,
        effect: approval.effect,
        rule: approval.rule,
        definition: approval.definition,
        digest,
        grant: { type: 'approval', approval: approval.id },
      });
    }
    case 'run': {
      const broken = whyNotRun(world, { call, digest, attempt });
      const next = withActor(world, index, to(core.startsFirst ? 'finish' : 'start')(replica), {
        ran: [...world.ran, { call, digest, attempt }],
      });
      return [{ name: `${replica.name} runs ${call}`, world: next, ...(broken === undefined ? {} : { broken }) }];
    }
    case 'finish':
      return commit(stage, world, index, {
        name: `finishes ${call}`,
        decide: (state) => core.decideFinish(state, { call, attempt, ok: true, ms: 1 }),
        next: (actor, result) => (result === 'finished' ? to('done')(actor) : later(to('done')(actor))),
      });
    case 'tell':
      return tell(stage, world, index, call);
    case 'done':
      return [];
  }
}

function startOn({ core, ...stage }: Stage, world: World, index: number, start: Start): readonly Step[] {
  const { call, digest } = start;
  return commit({ core, ...stage }, world, index, {
    name: `starts ${call} with what was ${digest}`,
    decide: (state) => core.decideStart(state, start),
    next: (actor, result) => {
      if (result !== 'late' && result.type === 'start')
        return moveCall(actor, call, core.startsFirst ? 'run' : 'finish', { digest });
      const untouched = actor.known.state.calls.get(call)?.execution.type === 'none';
      return untouched ? moveCall(actor, call, 'ask') : later(actor);
    },
  });
}

/** The process hears a settled approval at once, and waits for a pending one. */
function hear(core: Core, actor: Actor, call: string, id: ApprovalId): Actor {
  const standing = actor.known.state.approvals.get(id)?.standing;
  if (standing === undefined || standing.status === 'pending') return actor;
  if (standing.status !== 'decided' || standing.decision.verdict === 'deny') return moveCall(actor, call, 'tell');
  return moveCall(actor, call, core.startsFirst ? 'start' : 'run');
}

/** Judged by the tool alone: does a start exist for this call with these bytes, and is this its first run? */
function whyNotRun({ journal, ran }: World, now: World['ran'][number]): string | undefined {
  if (ran.some(({ call }) => call === now.call)) return `The tool of call ${now.call} runs a second time.`;
  const started = entriesOf(journal).some(
    (entry) => entry.type === 'call-started' && entry.attempt === now.attempt && entry.digest === now.digest,
  );
  return started ? undefined : `The tool of call ${now.call} runs, and no start for these bytes is in the journal.`;
}

/** Written like the facts of the loop. If the run is over or the call begun, another process has written the result. */
function tell(stage: Stage, world: World, index: number, call: string) {
  return commit(stage, world, index, {
    name: `tells the model about ${call}`,
    decide: ({ status, items, calls }) =>
      status.type === 'running' && calls.get(call)?.execution.type === 'none'
        ? { entries: [{ type: 'call-answered', call, item: items }], result: 'told' }
        : { entries: [], result: 'lost' },
    next: (actor, result) => (result === 'told' ? moveCall(actor, call, 'done') : later(actor)),
  });
}

function disturbances({ scenario }: Stage, world: World, index: number, replica: Replica): readonly Step[] {
  const { left } = world;
  const [first] = scenario.calls;
  const steps: Step[] = [];
  if (left.crash > 0 && replica.phase !== 'gone') {
    const again = newReplica(replica.name, replica.life + 1, world.journal);
    const next = withActor(world, index, again, { left: { ...left, crash: left.crash - 1 } });
    steps.push({ name: `${replica.name} crashes`, world: next });
  }
  if (left.swapInput > 0 && first !== undefined && replica.phase === 'working' && replica.digest === 'shown') {
    const next = withActor(
      world,
      index,
      { ...replica, digest: 'swapped' },
      { left: { ...left, swapInput: left.swapInput - 1 } },
    );
    steps.push({ name: `${replica.name} is handed another input`, world: next });
  }
  return steps;
}

/** The real bot draws ids at random. Here an id follows from the actor and the moment. */
function newApprovalId({ name, known }: Replica, call: string): ApprovalId {
  return ApprovalId.parse(`00a${`${name.slice(1)}x${known.version}x${call.slice(-1)}`.padStart(22, '0')}`);
}
