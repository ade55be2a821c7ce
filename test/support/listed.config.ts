import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

const workspaces = (process.env.TEST_WORKSPACES ?? 'T0ACME0001,T0BETA0001,E0ACME0001').split(',');

/** The example's deployment, for the workspaces and the organisation that a test lets in. */
export default defineConfig({ ...example, workspaces });
