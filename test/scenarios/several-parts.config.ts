import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';
import { SERVICES, witnessed } from '../../example/services.ts';

const restart = defineTool({
  name: 'restart_service',
  description: 'Restarts one service.',
  input: z.object({ service: z.enum(SERVICES), how: z.enum(['gently', 'hard']).default('gently') }),
  effect: 'asked',
  summarise: ({ service, how }) => `Restart the ${service} service ${how}.`,
  run: (input, { key, signal }) => witnessed({ tool: 'restart_service', key, input, signal }, () => 'Restarted.'),
});

/** A tool whose input has several parts, of which one may stay and another change. */
export default defineConfig({ tools: [restart] });
