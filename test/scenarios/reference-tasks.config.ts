import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, which suggests a rule after two yeses. */
export default defineConfig({ ...example, limits: { ...example.limits, suggestAfter: 2 } });
