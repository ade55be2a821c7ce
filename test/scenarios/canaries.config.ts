import { z } from 'zod';
import { defineConfig, defineRule, defineTool } from '../../app/index.ts';

const keepNote = defineTool({
  name: 'keep_note',
  description: 'Keeps a note.',
  input: z.object({ note: z.string() }),
  summarise: ({ note }) => `Keep ${note} in the summary of a walrus.`,
  preview: () => 'The preview of a nightingale.',
  precondition: () => ({ state: 'the world of an octopus' }),
  run: () => 'The result of a kingfisher.',
});

/** Each text says a word of its own, for a test that looks for these words in the store. */
export default defineConfig({
  workspaces: ['T0ACME0001'],
  tools: [keepNote],
  toolServers: process.env.TEST_TOOL_SERVERS ?? '',
  rules: [defineRule({ name: 'The rule of a badger', effect: 'ask', tool: keepNote, because: 'A ferret says so.' })],
  instructions: 'Think of a gazelle.',
});
