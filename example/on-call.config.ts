import { defineConfig } from '../app/index.ts';
import example from './countersign.config.ts';
import { onCallFor } from './on-call.ts';

/** The same deployment, in which the people on call decide on what cannot be undone. */
export default defineConfig({
  ...example,
  policy: {
    drop_database: { approvers: onCallFor('database', process.env.ROTA_URL ?? 'http://127.0.0.1:8080') },
  },
});
