import { z } from 'zod';
import { defineTool } from '../../app/index.ts';
import { changeWorld, readWorld, SERVICES, witnessed } from '../services.ts';

export const restartService = defineTool({
  name: 'restart_service',
  description: 'Restarts one service. Its users notice for about a minute. Look at its status first.',
  input: z.object({ service: z.enum(SERVICES).describe('Which service to restart') }),
  effect: 'asked',
  because: 'Users notice it, and it heals by itself.',
  trust: { match: 'any', scope: 'thread', forMs: 60 * 60 * 1000 },
  summarise: ({ service }) => `Restart the ${service} service.`,
  preview: ({ service }) => {
    const { status = 'unknown' } = readWorld().services[service] ?? {};
    // That it runs before and after would say that nothing happens.
    return status === 'running' ? 'running → restarted' : `${status} → running`;
  },
  run: (input, { key, signal }) =>
    witnessed({ tool: 'restart_service', key, input, signal }, () => {
      changeWorld((world) => {
        const restarts = (world.services[input.service]?.restarts ?? 0) + 1;
        return { ...world, services: { ...world.services, [input.service]: { status: 'running', restarts } } };
      });
      return `Restarted ${input.service}. It is running.`;
    }),
});
