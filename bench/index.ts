import { durablePart } from './durable/part.ts';
import { loadPart } from './load.ts';
import { lineOf } from './measure.ts';
import { pipelinePart } from './pipeline.ts';
import { startRedisServer } from './redis-server.ts';
import { inRounds, type Part, type Size } from './rounds.ts';
import { turnPart } from './turn.ts';

/** Prints figures side by side, in one run on one machine. They are never asserted. */
const PARTS: readonly Part[] = [pipelinePart, turnPart, durablePart, loadPart];

const WHOLE: Size = { rounds: 9, turns: 5, runs: 100, waiting: 1_000, pending: 10_000 };
const QUICK: Size = { rounds: 3, turns: 3, runs: 100, waiting: 100, pending: 1_000 };

const size = process.argv.includes('quick') ? QUICK : WHOLE;
/** Where the bench is. The figures alone go to the standard output. */
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const redis = await startRedisServer();
const open = [];
for (const { title, open: openPart } of PARTS) {
  note(`Opening: ${title}`);
  open.push({ title, ...(await openPart({ size, redis })) });
}
const medians = await inRounds(
  open.flatMap(({ subjects = [] }) => subjects),
  size,
  note,
);
for (const { title, figures, leftOut = [] } of open) {
  print(`\n${title}`);
  for (const figure of await figures(medians)) print(lineOf(figure));
  for (const sentence of leftOut) print(`              ${sentence}`);
}
for (const { close } of open) await close?.();
await redis?.stop();
