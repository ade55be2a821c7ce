import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment with a bot that asks the model once, so that a test need not sit through the pauses. */
export default defineConfig({ ...example, model: { ...example.model, attempts: 1 } });
