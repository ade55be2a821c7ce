import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { awakePart } from './awake/part.ts';
import { peersPart } from './beside/part.ts';
import { durablePart } from './durable/part.ts';
import { loadPart } from './load.ts';
import { lineOf } from './measure.ts';
import { figuresPage, type Section, thisMachine, writePage } from './page.ts';
import { pipelinePart } from './pipeline.ts';
import { startRedisServer } from './redis-server.ts';
import { inRounds, type Part, QUICK, WHOLE } from './rounds.ts';
import { turnPart } from './turn.ts';
import { memoryPart } from './whole/memory.ts';
import { startPart } from './whole/start.ts';
import { wholePart } from './whole/turns.ts';

/** Prints figures side by side, in one run on one machine. They are never asserted. */
const PARTS: readonly Part[] = [
  pipelinePart,
  turnPart,
  durablePart,
  wholePart,
  awakePart,
  memoryPart,
  startPart,
  loadPart,
];

/** What may be asked of the bench: fewer rounds, the peers too, and the page with the figures. */
const WORDS = ['quick', 'peers', '--write'];
const PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'figures.md');

const [, , ...words] = process.argv;
const unknown = words.find((word) => !WORDS.includes(word));
if (unknown !== undefined) {
  process.stderr.write(`The bench does not know “${unknown}”. Add any of these words: ${WORDS.join(', ')}.\n`);
  process.exit(1);
}

/** Where the bench is. The figures alone go to the standard output. */
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const bench = { size: words.includes('quick') ? QUICK : WHOLE, redis: await startRedisServer() };
const open = [];
// The packages of the peers are installed on request.
for (const part of words.includes('peers') ? [...PARTS, peersPart] : PARTS) {
  note(`Opening: ${part.title}`);
  open.push({ title: part.title, ...(await part.open(bench)) });
}
const subjects = open.flatMap((part) => part.subjects ?? []);
const medians = await inRounds(subjects, bench.size, note);

const sections: Section[] = [];
for (const { title, figures, notes = [], close } of open) {
  note(`Computing: ${title}`);
  const section = { title, figures: await figures(medians), notes };
  await close?.();
  print(`\n${title}`);
  for (const figure of section.figures) print(lineOf(figure));
  for (const sentence of notes) print(`              ${sentence}`);
  sections.push(section);
}
await bench.redis?.stop();
if (words.includes('--write')) writePage(PAGE, figuresPage(thisMachine(bench, new Date()), sections));
process.exit(0);
