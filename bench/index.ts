import { agentFigures } from './agent.ts';
import { loadFigures } from './load.ts';
import { type Figure, lineOf } from './measure.ts';
import { pipelineFigures } from './pipeline.ts';
import { turnFigures } from './turn.ts';

/** Prints figures side by side, in one run on one machine. They are never asserted. */
const parts: readonly (() => readonly Figure[] | Promise<readonly Figure[]>)[] = [
  pipelineFigures,
  turnFigures,
  agentFigures,
  loadFigures,
];

for (const part of parts) {
  for (const figure of await part()) process.stdout.write(`${lineOf(figure)}\n`);
}
