import { defineConfig, defineRule } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { dropDatabase } from '../../example/tools/drop-database.ts';
import { restartService } from '../../example/tools/restart-service.ts';

const [BEN, ZOE, ON_CALL] = ['U0BEN00001', 'U0ZOE00001', 'S0ONCALL01'];

/** The example's deployment with a rule of each kind, two people for what cannot be undone, and a group. */
export default defineConfig({
  ...example,
  workspaces: ['E0ACME0001'],
  times: { ...example.times, deliveriesWhileStoppingMs: 0 },
  rules: [
    defineRule({
      name: 'Mail stays up',
      effect: 'deny',
      tool: restartService,
      when: ({ service }) => service === 'mail',
      because: 'People would lose what they write.',
    }),
    defineRule({
      name: 'Search heals itself',
      effect: 'allow',
      tool: restartService,
      when: ({ service }) => service === 'search',
      because: 'Nobody notices.',
    }),
    defineRule({
      name: 'Payments are for on call',
      effect: 'ask',
      tool: restartService,
      when: ({ service }) => service === 'payments',
      approvers: [ON_CALL],
    }),
    defineRule({ name: 'Four eyes', effect: 'guard', tool: dropDatabase, approvers: [BEN, ZOE], quorum: 2 }),
    defineRule({ name: 'No restarts at all', effect: 'deny', tool: restartService, shadow: true }),
  ],
});
