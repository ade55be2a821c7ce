import { defineConfig, defineRule } from '../../app/index.ts';
import example from '../../example/countersign.config.ts';
import { dropDatabase } from '../../example/tools/drop-database.ts';

const [BEN, ZOE, KIM] = ['U0BEN00001', 'U0ZOE00001', 'U0KIM00001'];
const STEPS = process.env.STEERED_BY_STAGES === 'yes';

/** Several people decide about what cannot be undone, together or in stages. */
export default defineConfig({
  ...example,
  rules: [
    STEPS
      ? defineRule({
          name: 'Two steps',
          effect: 'guard',
          tool: dropDatabase,
          stages: [{ approvers: [BEN, ZOE] }, { approvers: [ZOE] }],
        })
      : defineRule({
          name: 'Two of three',
          effect: 'guard',
          tool: dropDatabase,
          approvers: [BEN, ZOE, KIM],
          quorum: 2,
        }),
  ],
});
