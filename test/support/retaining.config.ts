import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, in which runs that ended are soon removed. Only a copy of the sources lets it be so soon. */
export default defineConfig({ ...example, retention: { afterMs: 1_500, folder: 'archive' } });
