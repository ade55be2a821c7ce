import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, which still takes deliveries for so long that a busy computer sees it. */
export default defineConfig({ ...example, times: { ...example.times, deliveriesWhileStoppingMs: 8_000 } });
