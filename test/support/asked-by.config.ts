import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, which guests may use as well, or anybody. */
export default defineConfig({ ...example, whoMayAsk: process.env.WHO_MAY_ASK === 'guests' ? 'guests' : 'anybody' });
