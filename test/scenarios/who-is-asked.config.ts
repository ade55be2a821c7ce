import { defineConfig } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';

/** The example's deployment, with the approvers that a test names. */
export default defineConfig({
  ...example,
  policy: JSON.parse(process.env.WHO_IS_ASKED ?? '{}'),
  whoMayAsk: 'guests',
  workspaces: 'anybody',
});
