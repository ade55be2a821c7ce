import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../app/clock.ts';
import { decideUnknown } from '../../../app/journal/decide/start.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { createAttempts } from '../../../app/runs/gate/attempts.ts';
import { defineTool } from '../../../app/tools/index.ts';
import { runId, started, turn } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { lastGate, runCall } from '../../support/tool-runner.ts';

it('a call whose end can never be written belongs to no process, so its outcome is unknown (MF-4)', async () => {
  const clock = testClock(1_000);
  const facts = createModelStore(clock);
  const store: typeof facts = {
    ...facts,
    append: async (request) => {
      if (request.entries.some(({ text }) => text.includes('call-finished'))) throw new Error('The store is broken.');
      return facts.append(request);
    },
  };
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const journal = openRunJournal({ store, entryId, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));
  const input = z.object({});
  const open = { effect: 'open', because: 'It is a test.' } as const;
  const tool = defineTool({ name: 'deploy', description: 'Deploys.', ...open, input, run: () => 'done' });
  const attempts = createAttempts(entryId);
  const judge = () => ({ effect: 'open' as const, rule: { approvers: [], selfApproval: true }, shadows: [] });
  const parts = lastGate(journal, { attempts, authority: { judge, policyOf: () => 'p' } });

  await expect(runCall(parts, tool)).rejects.toThrow('taken over: the end of its call cannot be written');

  const state = await journal.refresh();
  expect(state?.calls.get('1/a')?.execution.type).toBe('started');
  expect(state && decideUnknown(state, attempts.isMine).result).toEqual(['1/a']);
});
