import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A clean clone does not know yet how long each takes, and the longest, which are small files, would end up alone at the end.
 * Those that keep a core busy come between those that mostly wait: all at once, they would only stand in each other's way.
 */
const LONGEST = [
  // Collects garbage, which takes ten times as long in a process that has run other files.
  'faults/many-waiting.test.ts',
  'simulation/wild-nights-1.test.ts',
  'security/sabotage.test.ts',
  'faults/switched-off.test.ts',
  'simulation/wild-nights-2.test.ts',
  'scenarios/kill-points.test.ts',
  'scenarios/when-things-fail.test.ts',
  'simulation/wild-nights-3.test.ts',
  'scenarios/kill-points-taken-over.test.ts',
  'store/redis-durability.test.ts',
  'scenarios/ten-thousand-pending.test.ts',
  'scenarios/ids.test.ts',
  'simulation/wild-nights-4.test.ts',
  'scenarios/outcome-unknown.test.ts',
  'scenarios/refused-by-slack.test.ts',
  'scenarios/out-of-sight.test.ts',
  'faults/redis.test.ts',
  'scenarios/rules-and-people.test.ts',
  'scenarios/pressing-and-stopping.test.ts',
  'checker/schedules.test.ts',
  'work/redis.test.ts',
  'checker/enumerate.test.ts',
  'browser/demo.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

function place({ moduleId }: TestSpecification): number {
  const found = LONGEST.findIndex((path) => moduleId.endsWith(path));
  return found === -1 ? LONGEST.length : found;
}
