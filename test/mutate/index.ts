import { writeFileSync } from 'node:fs';
import { type Copy, copyProject } from './copy.ts';
import type { Fault } from './faults.ts';
import { faultOf, faultsOf } from './parts.ts';
import { line, repeat, table } from './report.ts';
import { openSuite } from './runs.ts';
import { killAll, type Outcome } from './trial.ts';
import { readWish, USAGE, type Wish } from './wish.ts';

/** `npm run mutate`: which faults of one line do the tests see? Ends with 1 when one survives. */
const SURVIVORS = 'survivors.txt';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const copies: Copy[] = [];

process.on('exit', () => {
  killAll();
  for (const copy of copies) copy.remove();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

const wish = readWish(process.argv.slice(2));
if (typeof wish === 'string') {
  process.stderr.write(`${wish}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = (await mutate(wish)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 2;
  }
}

interface Chosen {
  readonly part: string;
  readonly fault: Fault;
}

/** Tries every fault that was wished for, two at a time, and answers whether all were seen. */
async function mutate({ parts, seed, only, withAll }: Wish): Promise<boolean> {
  const chosen: readonly Chosen[] =
    only.length > 0
      ? only.map((id) => ({ part: 'only', fault: faultOf(id) }))
      : parts.flatMap((part) => faultsOf(part, seed).map((fault) => ({ part: part.name, fault })));
  const [first] = chosen;
  if (first === undefined) throw new Error('There is no line to put a fault into. Name a folder with code.');
  // Opened together: the sources may change before the second is needed.
  const copy = openCopy();
  const targets = chosen.length > 1 ? [copy, openCopy()] : [copy];
  const faults = chosen.map(({ fault }) => fault);
  const suite = await openSuite(copy, faults, { withAll, say });

  const left = [...chosen];
  const outcomes = new Map<Chosen, Outcome>();
  const work = async (target: Copy): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const outcome = await suite.tryFault(target, next.fault);
      outcomes.set(next, outcome);
      say(line(next.fault, outcome));
    }
  };
  await Promise.all(targets.map(work));

  const tried = chosen.map((one) => ({ ...one, outcome: outcomes.get(one) }));
  say(`\n${table(tried)}`);
  const survivors = tried.filter(({ outcome }) => outcome?.type === 'green').map(({ fault }) => fault);
  if (only.length === 0) {
    writeFileSync(SURVIVORS, survivors.map((fault) => `${repeat(fault)}\n`).join(''));
    say(`\nThe survivors, each with the command that repeats it, are in ${SURVIVORS}.`);
  }
  return survivors.length === 0;
}

function openCopy(): Copy {
  const copy = copyProject();
  copies.push(copy);
  return copy;
}
