import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, where everything that has a time is over within seconds: questions, reminders and trust. */
export default defineConfig({
  ...example,
  tools: (example.tools ?? []).map((tool) =>
    tool.name === 'restart_service' ? { ...tool, trust: { match: 'any', scope: 'thread', forMs: 15_000 } } : tool,
  ),
  policy: { ...example.policy, restart_service: { remindAfterMs: 3_000 } },
  times: { ...example.times, approvalLifetimeMs: 15_000 },
});
