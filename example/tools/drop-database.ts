import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { changeWorld, readWorld, witnessed } from '../services.ts';

export const dropDatabase = defineTool({
  name: 'drop_database',
  description: 'Deletes one database with everything in it. There is no way back.',
  input: z.object({ database: z.string().min(1).max(64).describe('Name of the database') }),
  effect: 'guarded',
  because: 'It cannot be undone.',
  summarise: ({ database }) => `Delete the database ${database} for good.`,
  precondition: ({ database }) =>
    readWorld().databases.includes(database) ? `${database} is there.` : `There is no database ${database}.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'drop_database', key, input, signal }, () => {
      if (!readWorld().databases.includes(input.database)) throw new Error(`There is no database ${input.database}.`);
      changeWorld((world) => ({ ...world, databases: world.databases.filter((name) => name !== input.database) }));
      return `Deleted the database ${input.database}.`;
    }),
});
