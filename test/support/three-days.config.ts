import { join } from 'node:path';
import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

const folder = join(process.env.DATA_DIR ?? '', 'archive');

/** The example's deployment, in which a run is kept for three days after its end. The archive lies beside the store. */
export default defineConfig({ ...example, retention: { afterMs: 3 * 24 * 3_600_000, folder } });
