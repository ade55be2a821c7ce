import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that nobody answers in time. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 1_000 } });
