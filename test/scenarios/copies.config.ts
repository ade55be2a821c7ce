import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { ANN, BEN, ZOE } from '../../sandbox/people.ts';

/** The example's deployment, in which people are told directly: two of whom one decides, and two of whom both do, in turn. */
export default defineConfig({
  ...example,
  policy: {
    ...example.policy,
    drop_database: { approvers: [BEN, ZOE] },
    restart_service: { stages: [{ approvers: [BEN] }, { approvers: [ZOE] }] },
    run_report: { approvers: [ANN], expireAfterMs: 6_000, remindAfterMs: 1_000 },
  },
});
