import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { readWorld } from '../services.ts';

export const serviceStatus = defineTool({
  name: 'service_status',
  description: 'How the services payments, search and billing are doing, and which databases there are.',
  input: z.object({}),
  effect: 'open',
  because: 'It reads what everybody here may see, and changes and sends nothing.',
  idempotent: true,
  summarise: () => 'Look up how the services are doing.',
  run: () => readWorld(),
});
