import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';
import { witnessed } from '../../example/services.ts';

/** A tool that runs until the test lets it end, and one that ends at once and leaves no room in the store. */
export default defineConfig({
  tools: [
    defineTool({
      name: 'move_data',
      description: 'Moves data.',
      input: z.object({}),
      precondition: async () => {
        while (existsSync(join(process.env.DATA_DIR ?? '', 'look-slowly'))) await sleep(50);
        return 'The data is there.';
      },
      run: async (input, { key, signal }) => {
        while (!existsSync(join(process.env.DATA_DIR ?? '', 'end-the-tool'))) await sleep(50);
        return witnessed({ tool: 'move_data', key, input, signal }, () => 'The data is moved.');
      },
    }),
    defineTool({
      name: 'fill_disk',
      description: 'Fills the disk.',
      input: z.object({}),
      run: async (input, { key, signal }) =>
        witnessed({ tool: 'fill_disk', key, input, signal }, () => {
          writeFileSync(join(process.env.DATA_DIR ?? '', 'full'), '');
          return 'The disk is full.';
        }),
    }),
  ],
});
