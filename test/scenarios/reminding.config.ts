import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { BEN } from '../../sandbox/people.ts';

/** The example's deployment, impatient about one tool: its questions remind soon, and then call Ben. */
export default defineConfig({
  ...example,
  policy: { ...example.policy, restart_service: { remindAfterMs: 1_000, escalateAfterMs: 2_500, escalateTo: [BEN] } },
});
