import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../app/agent/alone/agent.ts';
import { createMemorySession } from '../../app/agent/alone/memory/session.ts';
import type { Interrupt, InterruptResponseBlock } from '../../interventions/index.ts';
import { amountOf } from '../support/amount.ts';
import { type Dice, dice, flawsOfMemory, randomWorld, type World } from './random-world.ts';

const CONVERSATIONS = amountOf({ test: 2_000, prove: 8_000, soak: 10_000 });
const FIRST_SEED = env.RANDOM_SEED === undefined ? Date.now() % 1_000_000_000 : Number(env.RANDOM_SEED);

describe('a random conversation', () => {
  it(`leaves nothing unanswered and starts nothing late, ${CONVERSATIONS} times from RANDOM_SEED=${FIRST_SEED}`, async () => {
    const happened = new Set<string>();
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CONVERSATIONS; seed += 1) {
      const { flaws, world } = await converse(dice(seed));
      for (const what of world.happened) happened.add(what);
      expect(flaws, `RANDOM_SEED=${seed}`).toEqual([]);
      // Others get their turn.
      if (seed % 50 === 0) await new Promise(setImmediate);
    }

    // A world in which nothing went wrong would have shown nothing.
    expect([...happened].sort()).toEqual(EVERYTHING);
  });

  it('is the same again with the same seed', async () => {
    const [once, again] = [await converse(dice(7)), await converse(dice(7))];

    expect(again.agent.messages).toEqual(once.agent.messages);
    expect(once.agent.messages.length).toBeGreaterThan(0);
  });
});

const EVERYTHING = [
  'ask',
  'cancel',
  'failure',
  'handler',
  'model call',
  'move',
  'no',
  'pause',
  'tool asks',
  'tool flaky',
  'tool free',
  'tool gated',
  'tool guarded',
  'tool slow',
  'yes',
];

/** Some invocations of one agent, which now and then moves to another process. */
async function converse(roll: Dice): Promise<{ flaws: readonly string[]; world: World; agent: Agent }> {
  const world = randomWorld(roll);
  const sessionManager = roll.chance(0.3) ? createMemorySession() : undefined;
  let agent = world.agent(sessionManager === undefined ? {} : { sessionManager });
  const flaws: string[] = [];
  for (let step = 1 + roll.below(4); step > 0 && flaws.length === 0; step -= 1) {
    if (roll.chance(0.3)) {
      world.happened.add('move');
      const snapshot = JSON.parse(JSON.stringify(agent.snapshot()));
      agent = world.agent(sessionManager === undefined ? { snapshot } : { sessionManager });
    }
    const open = await agent.interrupts();
    if (open.length > 0) world.happened.add('pause');
    world.begin(agent);
    try {
      await agent.invoke(open.length > 0 ? answersTo(open, roll, world) : 'go on');
    } catch {
      world.happened.add('failure');
    }
    flaws.push(...flawsOfMemory(agent.messages));
  }
  return { flaws: [...flaws, ...world.flaws], world, agent };
}

/** At least one of them. */
function answersTo(open: readonly Interrupt[], roll: Dice, world: World): readonly InterruptResponseBlock[] {
  const first = roll.below(open.length);
  return open
    .filter((_interrupt, index) => index === first || roll.chance(0.5))
    .map(({ id }) => ({ interruptResponse: { interruptId: id, response: world.answer(id) } }));
}
