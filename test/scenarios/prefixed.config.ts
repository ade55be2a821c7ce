import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment in a workspace where another app has the command `/trust`. */
export default defineConfig({ ...example, commandPrefix: 'acme' });
