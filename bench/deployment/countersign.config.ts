import { z } from 'zod';
import { defineConfig, defineTool } from '../../app/index.ts';
import { answerBench, tellBench } from './channel.ts';

const { BENCH_HOT_MS } = process.env;

/** The deployment that is measured: one tool that needs a yes, takes no time and says when it starts. */
const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys a version.',
  input: z.object({ to: z.number() }),
  run: () => {
    tellBench({ startedAtNs: Number(process.hrtime.bigint()) });
    return 'deployed';
  },
});

answerBench();

export default defineConfig({
  tools: [deploy],
  limits: { turnsPerRun: 100 },
  ...(BENCH_HOT_MS === undefined ? {} : { times: { hotMs: Number(BENCH_HOT_MS) } }),
});
