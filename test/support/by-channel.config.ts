import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** All people of the channel decide. */
export default defineConfig({ ...example, policy: { ...example.policy, restart_service: { approvers: ['channel'] } } });
