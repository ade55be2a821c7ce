import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that live for half an hour. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 30 * 60_000 } });
