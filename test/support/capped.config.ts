import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** Two questions for each run, and three calls for each person and day. */
export default defineConfig({ ...example, limits: { perRun: { cards: 2 }, perRequester: { calls: 3 } } });
