import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineTool } from '../../../app/index.ts';
import { witnessed } from '../../services.ts';

const STEPS = 60;
const STEP_MS = 1_000;

export const rebuildIndex = defineTool({
  name: 'rebuild_index',
  description: 'Builds the search index anew. It takes a minute, and the old index serves meanwhile.',
  input: z.object({}),
  because: 'Search is slow while it runs.',
  timeoutMs: 2 * STEPS * STEP_MS,
  summarise: () => 'Rebuild the search index, which takes a minute.',
  run: (input, { key, signal, log }) =>
    witnessed({ tool: 'rebuild_index', key, input, signal }, async () => {
      for (let step = 1; step <= STEPS; step += 1) {
        // Rejects when the run is stopped, so the old index stays in use.
        await pause(STEP_MS, undefined, { signal });
        log(`${step} of ${STEPS} parts are built.`);
      }
      return 'The new index is in use.';
    }),
});
