import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, where restarting a service says of itself that once more does no harm. */
export default defineConfig({
  ...example,
  tools: example.tools?.map((tool) => (tool.name === 'restart_service' ? { ...tool, idempotent: true } : tool)) ?? [],
});
