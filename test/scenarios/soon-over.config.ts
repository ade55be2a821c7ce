import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that are over before long, and not before a card is there. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 5_000 } });
