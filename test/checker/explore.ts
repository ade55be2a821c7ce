import { actorAt, sendAgain } from './commit.ts';
import { CORE, type Core } from './core.ts';
import { createLibrary } from './journal.ts';
import { stepsOfChooser } from './lost-calls.ts';
import { stepsOfPresser, stepsOfStopper, stepsOfSweeper } from './people.ts';
import { whatIsBroken, whatIsForgotten } from './promises.ts';
import { stepsOfReplica } from './replica.ts';
import { stepsOfRevoker } from './trusting.ts';
import {
  beginning,
  LIFETIME_MS,
  nameOf,
  nameOfActor,
  type Scenario,
  type Stage,
  type Step,
  type World,
} from './world.ts';

export interface Explored {
  readonly states: number;
  readonly journals: number;
  /** States without a possible step. */
  readonly ends: number;
  /** Steps of the longest schedule that was followed. */
  readonly depth: number;
  /** Every schedule was followed to its end. */
  readonly whole: boolean;
  /** The first broken promise, and the shortest way to it. */
  readonly found?: Found;
}

export interface Found {
  readonly broken: readonly string[];
  readonly steps: readonly string[];
}

export interface ExploreOptions {
  readonly core?: Core;
  /** Steps that are followed; without it, every schedule to its end. */
  readonly maxDepth?: number;
}

/** A state, the last step of the shortest way to it, and the states that lead to it. */
interface Seen {
  readonly world: World;
  readonly step: string;
  readonly from: Seen | undefined;
  readonly depth: number;
  readonly before: number[];
  isEnd: boolean;
}

/** Follows every schedule, shortest first. It does not follow a state a second time. */
export function explore(scenario: Scenario, { core = CORE, maxDepth = 1_000 }: ExploreOptions = {}): Explored {
  const stage = stageFor(scenario, core);
  const naming = createNaming(stage);
  const states: Seen[] = [];
  const numbers = new Map<string, number>();
  let depth = 0;
  let ends = 0;

  /** What is wrong with the ways out of this state; new states are added to `states`. */
  const follow = (number: number, from: Seen): Found | undefined => {
    const steps = stepsOf(stage, from.world);
    const forgotten = steps.length === 0 ? whatIsForgotten(from.world) : [];
    if (forgotten.length > 0) return { broken: forgotten, steps: wayTo(from) };
    if (steps.length === 0) {
      from.isEnd = true;
      ends += 1;
    }
    for (const step of steps) {
      const broken = whatIsBroken(step);
      if (broken.length > 0) return { broken, steps: [...wayTo(from), step.name] };
      const there = see(step.world, step.name, from);
      states[there]?.before.push(number);
    }
    return undefined;
  };

  const see = (world: World, step: string, from?: Seen): number => {
    const name = nameOf(world, naming);
    const known = numbers.get(name);
    if (known !== undefined) return known;
    states.push({ world, step, from, depth: (from?.depth ?? -1) + 1, before: [], isEnd: false });
    numbers.set(name, states.length - 1);
    return states.length - 1;
  };

  const result = (whole: boolean, found?: Found): Explored => ({
    states: states.length,
    journals: stage.library.size(),
    ends,
    depth,
    whole,
    ...(found === undefined ? {} : { found }),
  });

  see(beginning(stage), 'begin');
  for (let number = 0; number < states.length; number += 1) {
    const from = states[number];
    if (from === undefined) break;
    depth = from.depth;
    if (depth >= maxDepth) return result(false);
    const found = follow(number, from);
    if (found !== undefined) return result(false, found);
  }
  const lost = findEndless(states);
  return result(true, lost === undefined ? undefined : { broken: ['From here it never ends.'], steps: wayTo(lost) });
}

/** A state from which no schedule reaches an end. */
function findEndless(states: readonly Seen[]): Seen | undefined {
  const ending = new Set(states.flatMap(({ isEnd }, number) => (isEnd ? [number] : [])));
  for (const number of ending) for (const before of states[number]?.before ?? []) ending.add(before);
  return states.find((_, number) => !ending.has(number));
}

function wayTo(reached: Seen): readonly string[] {
  const steps: string[] = [];
  for (let at: Seen | undefined = reached; at !== undefined; at = at.from) steps.unshift(at.step);
  return steps;
}

/**
 * An actor that is behind can only find that out, so what it knew makes no difference. This holds only while an append
 * checks the version. Without that check, every actor counts with what it knows.
 */
function createNaming(stage: Stage): (world: World, index: number) => string {
  const strict = stage.core.fits === CORE.fits;
  const behind = new Map<string, string>();
  return (world, index) => {
    const actor = actorAt(world, index);
    const name = nameOfActor(actor);
    if (!strict || actor.known === world.journal || actor.sent !== undefined) return name;
    const key = `${actor.name} ${name} ${world.nowMs}`;
    const found = behind.get(key);
    if (found !== undefined) return found;
    const quiet = { ...world, left: { ...world.left, crash: 0, swapInput: 0 } };
    const rereads = stepsOfActor(stage, quiet, index).every((step) => step.rereads === true);
    const made = rereads ? nameOfActor(actor, 'stale') : name;
    behind.set(key, made);
    return made;
  };
}

export function stageFor(scenario: Scenario, core: Core = CORE): Stage {
  return { core, scenario, library: createLibrary(core) };
}

/** Everything that may happen next. */
export function stepsOf(stage: Stage, world: World): readonly Step[] {
  const steps = world.actors.flatMap((_, index) => stepsOfActor(stage, world, index));
  const { left, nowMs } = world;
  if (left.passTime === 0) return steps;
  const later = { ...world, nowMs: nowMs + LIFETIME_MS + 1, left: { ...left, passTime: left.passTime - 1 } };
  return [...steps, { name: 'time passes', world: later }];
}

function stepsOfActor(stage: Stage, world: World, index: number): readonly Step[] {
  const actor = actorAt(world, index);
  if (actor.sent !== undefined) return sendAgain(stage, world, index);
  switch (actor.type) {
    case 'replica':
      return stepsOfReplica(stage, world, index, actor);
    case 'presser':
      return stepsOfPresser(stage, world, index, actor);
    case 'chooser':
      return stepsOfChooser(stage, world, index, actor);
    case 'revoker':
      return stepsOfRevoker(stage, world, index, actor);
    case 'sweeper':
      return stepsOfSweeper(stage, world, index, actor);
    case 'stopper':
      return stepsOfStopper(stage, world, index, actor);
  }
}
