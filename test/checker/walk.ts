import { CORE, type Core } from './core.ts';
import { type Found, stageFor, stepsOf } from './explore.ts';
import { whatIsBroken, whatIsForgotten } from './promises.ts';
import { beginning, type Scenario } from './world.ts';

/** One schedule through a scenario that is too large to follow completely. Each number chooses the next step. */
export function walk(scenario: Scenario, choices: readonly number[], core: Core = CORE): Walked {
  const stage = stageFor(scenario, core);
  let world = beginning(stage);
  const names: string[] = [];
  for (let at = 0; at < MOST_STEPS; at += 1) {
    const steps = stepsOf(stage, world);
    // After the last choice each actor takes its turn, so that all that is begun ends.
    const step = steps[(choices[at] ?? at) % Math.max(steps.length, 1)];
    if (step === undefined) return end(names, whatIsForgotten(world));
    names.push(step.name);
    const broken = whatIsBroken(step);
    if (broken.length > 0) return end(names, broken);
    world = step.world;
  }
  return end(names, [`It has not ended after ${MOST_STEPS} steps.`]);
}

const MOST_STEPS = 3_000;

export interface Walked {
  readonly steps: number;
  readonly found?: Found;
}

function end(steps: readonly string[], broken: readonly string[]): Walked {
  return { steps: steps.length, ...(broken.length === 0 ? {} : { found: { broken, steps } }) };
}
