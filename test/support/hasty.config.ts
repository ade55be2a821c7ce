import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that expire soon, and not before a busy computer has shown them. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 4_000 } });
