import { defineConfig } from '../app/index.ts';
import { dropDatabase } from './tools/drop-database.ts';
import { restartService } from './tools/restart-service.ts';
import { runReport } from './tools/run-report.ts';
import { serviceStatus } from './tools/service-status.ts';

/** Who may decide on what cannot be undone: Slack ids, separated by commas. In the demo that is Ben. */
const approvers = (process.env.EXAMPLE_APPROVERS ?? 'U0BEN00001').split(',').map((id) => id.trim());

/** A card waits a day for an answer, or as many seconds as this says. The demo shows with it what happens then. */
const seconds = Number(process.env.EXAMPLE_ANSWER_WITHIN_S ?? 24 * 60 * 60);

export default defineConfig({
  tools: [serviceStatus, restartService, dropDatabase, runReport],
  policy: {
    drop_database: { approvers },
  },
  times: { approvalLifetimeMs: seconds * 1000 },
});
