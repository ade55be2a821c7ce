import { pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';

const open = { effect: 'open', because: 'A test asks for it.', idempotent: true } as const;

/** A tool that ends the process of the bot, and one that takes a while. */
export default defineConfig({
  tools: [
    defineTool({
      ...open,
      name: 'poison',
      description: 'Ends the process.',
      input: z.object({}),
      run: async () => {
        process.kill(pid, 'SIGKILL');
        return new Promise<string>(() => {});
      },
    }),
    defineTool({
      ...open,
      name: 'slow',
      description: 'Takes a while.',
      input: z.object({}),
      run: async (_input, { log }) => {
        log('slow begins');
        await pause(1_500);
        return 'It took a while.';
      },
    }),
  ],
});
