import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { BEN, DEACTIVATED, GUEST, ON_CALL, OUTSIDER, ZOE } from '../../sandbox/people.ts';

/** The example's deployment, whose approvers are people of all kinds, and a group. */
export default defineConfig({
  ...example,
  policy: {
    ...example.policy,
    drop_database: { approvers: [BEN, ON_CALL, GUEST, OUTSIDER, DEACTIVATED] },
    restart_service: { approvers: ['requester', ZOE], expireAfterMs: 60_000, remindAfterMs: 6_000 },
  },
});
