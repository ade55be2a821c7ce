import { z } from 'zod';
import { defineTool } from '../../../app/index.ts';
import { witnessed } from '../../services.ts';

export const rotateKey = defineTool({
  name: 'rotate_key',
  description: 'Replaces a key by a new one. Partners who have the old one are locked out.',
  input: z.object({ key: z.enum(['webhook', 'backup']) }),
  effect: 'guarded',
  because: 'Partners who have the old key are locked out.',
  summarise: ({ key }) => `Replace the ${key} key. Partners with the old one are locked out.`,
  run: (input, { key, signal }) =>
    witnessed({ tool: 'rotate_key', key, input, signal }, () => 'The new key is in use.'),
});
