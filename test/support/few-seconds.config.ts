import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with questions that live for a few seconds, in which a bot can die before they expire. */
export default defineConfig({ ...example, times: { ...example.times, approvalLifetimeMs: 6_000 } });
