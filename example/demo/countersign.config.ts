import { defineConfig } from '../../app/index.ts';
import example from '../countersign.config.ts';

/** People whom you can play in the demo. */
const [ANN, BEN, ZOE] = ['U0ANN00001', 'U0BEN00001', 'U0ZOE00001'];

/**
 * The deployment of `npm run demo`: the example, the tools in `tools/` and the tool server of `mcp.json` beside this file, which the
 * bot finds by their names.
 */
export default defineConfig({
  ...example,
  policy: {
    ...example.policy,
    // Two people say yes, and Ann, who asks, is none of them.
    refund_order: { approvers: [BEN, ZOE], quorum: 2, selfApproval: false },
    // Ben decides on a page behind the sign-on of the company, not in Slack.
    rotate_key: { approvers: [BEN], secondFactor: true },
    // After ten seconds the question is over.
    open_door: { expireAfterMs: 10_000 },
  },
  signOn: {
    header: 'x-forwarded-email',
    people: { 'ann@example.com': ANN, 'ben@example.com': BEN, 'zoe@example.com': ZOE },
  },
});
