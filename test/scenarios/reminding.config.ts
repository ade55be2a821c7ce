import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { BEN, ZOE } from '../../sandbox/people.ts';

/** The example's deployment, impatient: its questions remind soon, one of them then calls Ben, and one needs two people. */
export default defineConfig({
  ...example,
  policy: {
    ...example.policy,
    restart_service: { remindAfterMs: 1_000, escalateAfterMs: 2_500, escalateTo: [BEN] },
    drop_database: { approvers: [BEN, ZOE], quorum: 2, remindAfterMs: 8_000 },
  },
});
