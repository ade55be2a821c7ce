import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { readWorld, SERVICES } from '../services.ts';

export const serviceStatus = defineTool({
  name: 'service_status',
  description: 'How the services are doing, and which databases there are.',
  input: z.object({
    service: z.enum(SERVICES).optional().describe('Only this one; left out, all of them'),
  }),
  effect: 'open',
  because: 'It reads what everybody here may see, and changes and sends nothing.',
  idempotent: true,
  summarise: ({ service }) => `Look up how ${service ?? 'everything'} is doing.`,
  run: ({ service }) => {
    const { services, databases } = readWorld();
    return service === undefined ? { services, databases } : { [service]: services[service] ?? { status: 'unknown' } };
  },
});
