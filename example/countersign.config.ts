import { defineConfig } from '../app/index.ts';
import { dropDatabase } from './tools/drop-database.ts';
import { restartService } from './tools/restart-service.ts';
import { runReport } from './tools/run-report.ts';
import { serviceStatus } from './tools/service-status.ts';

/** Who may decide on what cannot be undone: Slack ids, separated by commas. In the demo that is Ben. */
const approvers = (process.env.EXAMPLE_APPROVERS ?? 'U0BEN00001').split(',').map((id) => id.trim());

/** How many seconds a card waits for an answer, in place of a day. The demo shows with it what happens then. */
const seconds = process.env.EXAMPLE_ANSWER_WITHIN_S;

export default defineConfig({
  tools: [serviceStatus, restartService, dropDatabase, runReport],
  policy: {
    drop_database: { approvers },
  },
  times: seconds === undefined ? {} : { approvalLifetimeMs: Number(seconds) * 1000 },
});
