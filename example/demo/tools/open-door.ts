import { z } from 'zod';
import { defineTool } from '../../../app/index.ts';
import { witnessed } from '../../services.ts';

export const openDoor = defineTool({
  name: 'open_door',
  description: 'Opens a door for one minute.',
  input: z.object({ door: z.enum(['server room', 'garage']) }),
  because: 'A person has to stand in front of it now.',
  summarise: ({ door }) => `Open the door of the ${door} for one minute.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'open_door', key, input, signal }, () => `The door of the ${input.door} is open for one minute.`),
});
