import { BaseSequencer, type TestSpecification } from 'vitest/node';

/*
 * A clean clone does not know yet how long each file takes, and the longest, which are small, would end up alone at the end.
 * Files that keep a core busy start one by one between those that mostly wait: all at once, they would stand in each other's
 * way, and leave the cores idle when they are done.
 */

/** The longest first. Unlisted files follow behind. */
const BUSY = [
  // Collects garbage, which takes ten times as long in a process that has run other files.
  'faults/many-waiting.test.ts',
  'scenarios/kill-points.test.ts',
  'simulation/wild-nights-3.test.ts',
  'faults/switched-off.test.ts',
  'simulation/wild-nights-4.test.ts',
  'simulation/wild-nights-2.test.ts',
  'faults/without-kept-folds.test.ts',
  'simulation/wild-nights-1.test.ts',
  'scenarios/kill-points-taken-over.test.ts',
  'checker/schedules.test.ts',
  'checker/enumerate.test.ts',
  'faults/pauses.test.ts',
  'scenarios/ids.test.ts',
  'faults/opposite-presses.test.ts',
  'scenarios/ten-thousand-pending.test.ts',
  'faults/second-thoughts.test.ts',
  'simulation/random-conversations.test.ts',
];

const WAITING = [
  'security/sabotage.test.ts',
  'scenarios/when-things-fail.test.ts',
  'scenarios/refusing-store.test.ts',
  'faults/versions.test.ts',
  'scenarios/refused-by-slack.test.ts',
  'scenarios/audit-of-contents.test.ts',
  'scenarios/emptied-store.test.ts',
  'scenarios/audit.test.ts',
  'scenarios/sealed.test.ts',
  'store/redis-durability.test.ts',
  'scenarios/out-of-sight.test.ts',
  'faults/redis.test.ts',
  'scenarios/told-directly.test.ts',
  'scenarios/rules-and-people.test.ts',
  'scenarios/pressing-and-stopping.test.ts',
  'work/redis.test.ts',
  'browser/strip.test.ts',
  'browser/journal.test.ts',
  'browser/plays-of-surprises.test.ts',
  'browser/plays.test.ts',
  'scenarios/last-deliveries.test.ts',
  'faults/set-back.test.ts',
  'scenarios/audit-of-archives.test.ts',
  'scenarios/read-along.test.ts',
  'scenarios/outcome-unknown.test.ts',
  'store/redis-faults.test.ts',
  'scenarios/many-messages.test.ts',
  'scenarios/closed-channels.test.ts',
  'scenarios/what-a-reader-found.test.ts',
  'scenarios/pinned-tools.test.ts',
  'scenarios/broken-answers.test.ts',
  'faults/redis-away.test.ts',
  'scenarios/keys.test.ts',
  'scenarios/changed-tools.test.ts',
];

/** What these promise within seconds is kept on a machine that has time for it. They come when no busy file runs. */
const AT_REST = [
  'scenarios/presses-under-load.test.ts',
  'scenarios/when-slack-wants-less.test.ts',
  'faults/slow-redis.test.ts',
];

/** Between two busy files. */
const WAITING_BETWEEN = 2;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const busy = listed(sorted, BUSY);
    const waiting = listed(sorted, WAITING);
    const atRest = listed(sorted, AT_REST);
    const rest = sorted.filter((file) => ![...busy, ...waiting, ...atRest].includes(file));
    const mixed = busy.flatMap((file, at) => [
      file,
      ...waiting.slice(at * WAITING_BETWEEN, (at + 1) * WAITING_BETWEEN),
    ]);
    return [...mixed, ...waiting.slice(busy.length * WAITING_BETWEEN), ...rest, ...atRest];
  }
}

function listed(files: readonly TestSpecification[], list: readonly string[]): readonly TestSpecification[] {
  return list.flatMap((path) => files.filter(({ moduleId }) => moduleId.endsWith(path)));
}
