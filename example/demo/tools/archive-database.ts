import { z } from 'zod';
import { defineTool } from '../../../app/index.ts';
import { changeWorld, readWorld, witnessed } from '../../services.ts';

export const archiveDatabase = defineTool({
  name: 'archive_database',
  description: 'Takes a database out of use. It can be brought back.',
  input: z.object({ database: z.string().min(1).max(64) }),
  because: 'Programs that still read it fail, and it can be brought back.',
  summarise: ({ database }) => `Move the database ${database} to the archive.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'archive_database', key, input, signal }, () => {
      const { database } = input;
      if (!readWorld().databases.includes(database)) throw new Error(`There is no database ${database}.`);
      changeWorld((world) => ({
        ...world,
        databases: world.databases.filter((name) => name !== database),
        archived: [...world.archived, database],
      }));
      return `Moved ${database} to the archive.`;
    }),
});
