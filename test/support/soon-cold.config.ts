import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, where a wait gives its memory back after ten seconds in place of ten minutes. */
export default defineConfig({ ...example, times: { ...example.times, hotMs: 10_000 } });
