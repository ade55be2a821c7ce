import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that expire almost at once. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 1_500 } });
