import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with prices that make sums easy to read. */
export default defineConfig({
  ...example,
  model: { ...example.model, prices: { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 0, currency: 'EUR' } },
});
