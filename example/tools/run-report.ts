import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { readWorld, witnessed } from '../services.ts';

export const runReport = defineTool({
  name: 'run_report',
  description: 'Makes a report about the services that answers a question in free text.',
  input: z.object({ query: z.string().describe('What the report is to answer, in free text') }),
  effect: 'asked',
  because: 'It takes free text to a place where other people read it.',
  summarise: ({ query }) => `Make a report from ${charactersOf(query)} of free text.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'run_report', key, input: { characters: input.query.length }, signal }, () => ({
      reportFrom: `${charactersOf(input.query)} of free text`,
      services: readWorld().services,
    })),
});

const charactersOf = ({ length }: string): string => `${length} ${length === 1 ? 'character' : 'characters'}`;
