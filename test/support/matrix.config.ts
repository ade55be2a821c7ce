import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { NAMED } from './everybody.ts';

/** Everybody is named who could be, and most of them must not decide all the same. */
export default defineConfig({
  ...example,
  policy: { ...example.policy, restart_service: { approvers: NAMED, selfApproval: true } },
});
