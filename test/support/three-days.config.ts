import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, in which a run is kept for three days after its end. */
export default defineConfig({ ...example, retention: { afterMs: 3 * 24 * 3_600_000, folder: 'archive' } });
