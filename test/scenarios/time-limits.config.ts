import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';

const input = z.object({ host: z.string() });

/** Tools that reach their time limit: some end by themselves when they are told to stop, and some do not. */
export default defineConfig({
  tools: [
    defineTool({
      name: 'never_ends',
      description: 'Never ends.',
      input,
      timeoutMs: 200,
      run: () => new Promise<string>(() => {}),
    }),
    defineTool({
      name: 'gives_up',
      description: 'Ends when it is told to stop.',
      input,
      timeoutMs: 300,
      run: async (_input, { signal }) => {
        await sleep(60_000, undefined, { signal });
        return 'Never.';
      },
    }),
    defineTool({
      name: 'looks_for_ever',
      description: 'Never ends, and asks nobody.',
      input,
      effect: 'open',
      because: 'It touches nothing.',
      idempotent: true,
      timeoutMs: 400,
      run: () => new Promise<string>(() => {}),
    }),
  ],
});
