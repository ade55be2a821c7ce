import { existsSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';
import { witnessed } from '../../example/services.ts';

const { PAUSES_BEFORE_START, BLOCKS_WHILE, WORLD } = process.env;
let looks = 0;

/** A tool that can stop its own process right before its start, and one that leaves the process no time for anything else. */
const restartService = defineTool({
  name: 'restart_service',
  description: 'Restarts one service.',
  input: z.object({ service: z.string() }),
  effect: 'asked',
  because: 'Users notice it.',
  // Looked at when people are asked, and once more between their yes and the start.
  precondition: () => {
    looks += 1;
    const seen = WORLD === undefined ? 'it is there' : readFileSync(WORLD, 'utf8');
    if (PAUSES_BEFORE_START !== undefined && looks === 2) standStill();
    return seen;
  },
  run: (input, { key, signal }) =>
    witnessed({ tool: 'restart_service', key, input, signal }, () => {
      while (BLOCKS_WHILE !== undefined && existsSync(BLOCKS_WHILE));
      return 'Restarted.';
    }),
});

/** A test reads the line in the log. */
function standStill(): void {
  writeSync(process.stderr.fd, 'The process stands still.\n');
  process.kill(process.pid, 'SIGSTOP');
}

export default defineConfig({ tools: [restartService] });
