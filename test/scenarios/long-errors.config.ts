import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';
import { OutcomeUnknownError } from '../../app/tools/index.ts';

/** 1 MB in characters of four bytes, which begins with a word. */
const LONG = `no ${'😀'.repeat(250_000)}`;
const fails = (): never => {
  throw new Error(LONG);
};
const plain = { description: 'Fails at length.', input: z.object({}), run: () => 'It ran.' } as const;
const open = { effect: 'open', because: 'It touches nothing.' } as const;

/** Tools whose errors have 1 MB, wherever a tool may fail. */
export default defineConfig({
  tools: [
    defineTool({ ...plain, ...open, name: 'throws', run: fails }),
    defineTool({
      ...plain,
      ...open,
      name: 'throws_no_error',
      run: () => Promise.reject(Object.assign(Object.create(null), { said: LONG })),
    }),
    defineTool({
      ...plain,
      ...open,
      name: 'loses_it',
      idempotent: true,
      run: () => Promise.reject(new OutcomeUnknownError(`${LONG}.`)),
    }),
    defineTool({ ...plain, ...open, name: 'cannot_check', input: z.object({}).refine(fails) }),
    defineTool({ ...plain, ...open, name: 'does_not_fit', input: z.object({}).refine(() => false, LONG) }),
    defineTool({ ...plain, name: 'cannot_look', precondition: fails }),
    defineTool({ ...plain, name: 'cannot_describe', preview: fails, summarise: fails }),
  ],
});
