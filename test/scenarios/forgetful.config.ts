import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that expire early. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 1_000 } });
