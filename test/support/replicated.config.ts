import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, in which a decision and a start wait until a replica has them. */
export default defineConfig({ ...example, durability: 'replica' });
