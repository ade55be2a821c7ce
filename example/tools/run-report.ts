import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { readWorld, witnessed } from '../services.ts';

export const runReport = defineTool({
  name: 'run_report',
  description: 'Makes a report about the services from a title and a question in free text.',
  input: z.object({
    title: z.string().describe('One line'),
    query: z.string().describe('What the report is to answer, in free text'),
  }),
  effect: 'asked',
  because: 'It takes free text to a place where other people read it.',
  summarise: ({ title }) => `Make the report “${title}”.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'run_report', key, input: { characters: input.query.length }, signal }, () => ({
      reportFrom: `${input.query.length} characters of question`,
      services: readWorld().services,
    })),
});
