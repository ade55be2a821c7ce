import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../app/clock.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { defineTool } from '../../../app/tools/index.ts';
import { ANN } from '../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../support/in-process/index.ts';
import { runId, started, turn } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { timeRunsAhead } from '../../support/time-runs-ahead.ts';
import { lastGate, runCall } from '../../support/tool-runner.ts';

/** A tool that never comes back, and what is written of its call before it is given up. */
async function givenUp(meanwhile: (attempt: string) => readonly EntryBody[]) {
  timeRunsAhead();
  const clock = testClock(1_000);
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const journal = openRunJournal({ store: createModelStore(clock), entryId, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));
  const tool = defineTool({
    name: 'deploy',
    description: 'Deploys.',
    effect: 'open',
    because: 'It is a test.',
    input: z.object({}),
    run: async () => {
      const execution = journal.state()?.calls.get('1/a')?.execution;
      const attempt = execution?.type === 'started' ? execution.attempt : '';
      await journal.commit(() => ({ entries: meanwhile(attempt), result: undefined }));
      return new Promise<never>(() => {});
    },
  });
  const judge = () => ({ effect: 'open' as const, rule: { approvers: [], selfApproval: true }, shadows: [] });
  const parts = lastGate(journal, { authority: { judge, policyOf: () => 'p' }, toolTimeoutMs: 20 });
  const heard = await runCall(parts, tool).then(
    () => 'a result',
    (error: unknown) => String(error),
  );
  return { heard, state: journal.state() };
}

it('a call that does not come back is given up by its own process, with an unknown outcome', async () => {
  const { heard, state } = await givenUp(() => []);

  expect(heard).toBe('GateChangedError: its outcome is unknown');
  expect(state?.calls.get('1/a')?.execution.type).toBe('unknown');
});

it('a call that was given up and is safe to repeat is for the model, and the thread hears nothing of it', async () => {
  const run = (): Promise<never> => new Promise(() => {});
  const bot = await inProcess({ tools: [tool('look', { ...OPEN, idempotent: true, timeoutMs: 1_000, run })] });
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');

  await bot.waits(60_000);

  expect(bot.model.told()).toEqual([expect.stringContaining('look was not done after 1 s')]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('a report about the call from elsewhere stands when the call is given up (D3)', async () => {
  const { heard, state } = await givenUp((attempt) => [{ type: 'call-unknown', call: '1/a', attempt }]);

  expect(heard).toBe('Error: taken over: another process ended it');
  // Run started, turn, call started, call unknown: and not a second time.
  expect(state?.version).toBe(4);
});
