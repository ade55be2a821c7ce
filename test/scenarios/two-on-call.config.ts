import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { onCallFor } from '../../example/on-call.ts';

/** The example's deployment, in which two people on call decide on what cannot be undone. */
export default defineConfig({
  ...example,
  policy: {
    drop_database: { approvers: onCallFor('database', process.env.ROTA_URL ?? 'http://127.0.0.1:8080'), quorum: 2 },
  },
});
