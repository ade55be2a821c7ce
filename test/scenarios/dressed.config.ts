import { z } from 'zod';
import { defineConfig, defineTool, secret } from '../../app/index.ts';

/** One tool that takes anything, declares one member secret and never hides another. It answers with what it was given. */
export default defineConfig({
  tools: [
    defineTool({
      name: 'visit',
      description: 'Visits a page.',
      input: z.object({
        url: z.string().optional(),
        note: z.string().optional(),
        token: z.json().optional(),
        pass: secret(z.string()).optional(),
        command: z.string().optional(),
      }),
      neverHide: ['command'],
      summarise: ({ url = 'a page' }) => `Visit ${url}.`,
      run: (input) => `Visited with ${JSON.stringify(input)}`,
    }),
  ],
});
