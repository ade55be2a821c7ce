import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { ANN, BEN } from '../../sandbox/people.ts';

/** The example's deployment in which two people may decide about the same call. */
export default defineConfig({
  ...example,
  policy: { ...example.policy, restart_service: { approvers: [ANN, BEN], selfApproval: true } },
});
