import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, for every workspace that installs the app. */
export default defineConfig({ ...example, workspaces: 'anybody' });
