import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, with databases dropped only after a sign-on outside of Slack. */
export default defineConfig({
  ...example,
  policy: { drop_database: { ...example.policy?.drop_database, secondFactor: true } },
  signOn: {
    header: 'x-forwarded-email',
    people: { 'ben@example.com': 'U0BEN00001', 'ann@example.com': 'U0ANN00001' },
  },
});
