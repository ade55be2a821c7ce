import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';

const input = z.object({ service: z.string() });
const isNewer = process.env.DEPLOYED === 'newer';

const logged = (name: string, description: string) =>
  defineTool({
    name,
    description,
    input,
    run: ({ service }) => {
      appendFileSync(process.env.RAN ?? '', `${name} ${service}\n`);
      return `${name} of ${service} is done.`;
    },
  });

/** A deployment that is followed by a newer one, which has changed one tool and removed another. */
export default defineConfig({
  workspaces: 'anybody',
  tools: [
    logged('deploy', isNewer ? 'Deploys a service, to all regions.' : 'Deploys a service.'),
    logged('scale', 'Scales a service.'),
    ...(isNewer ? [] : [logged('purge', 'Purges a service.')]),
  ],
});
