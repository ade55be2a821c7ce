import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, with databases dropped only after a sign-on outside of Slack, and services restarted after two. */
export default defineConfig({
  ...example,
  policy: {
    drop_database: { ...example.policy?.drop_database, secondFactor: true },
    post_to_channel: { effect: 'guarded', secondFactor: true, approvers: ['U0BEN00001'] },
    restart_service: {
      effect: 'guarded',
      secondFactor: true,
      approvers: ['U0BEN00001', 'U0ZOE00001'],
      quorum: 2,
    },
  },
  signOn: {
    header: 'x-forwarded-email',
    people: { 'ben@example.com': 'U0BEN00001', 'zoe@example.com': 'U0ZOE00001', 'ann@example.com': 'U0ANN00001' },
  },
});
