import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../../app/clock.ts';
import { decidePress } from '../../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { digestText } from '../../../../app/runs/gate/granted-call.ts';
import { guardedTool } from '../../../../app/runs/gate/tool-runner.ts';
import { defineTool, definitionHash } from '../../../../app/tools/index.ts';
import { canonicalCall, type Json } from '../../../../interventions/index.ts';
import { asked, fold, pressed, runId, started, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { lastGate } from '../../../support/tool-runner.ts';

const SHOWN = { service: 'payments' };

/** A yes to one input, and a start with another one under the digest of the first. */
async function startWith(input: Json) {
  const ran: Json[] = [];
  const tool = defineTool({
    name: 'deploy',
    description: 'Deploys.',
    input: z.object({ service: z.string() }),
    run: (given) => {
      ran.push(given);
      return 'done';
    },
  });
  const digest = digestText(canonicalCall({ name: 'deploy', input: SHOWN }));
  const story: EntryBody[] = [started, turn(1, 'a'), asked({ digest, definition: definitionHash(tool) })];
  story.push(...decidePress(fold(...story), pressed()).entries);
  let ids = 0;
  const clock = testClock(1_000);
  const journal = openRunJournal(
    { store: createModelStore(clock), entryId: () => `id-${++ids}`, elapsed: clock.now },
    runId(),
  );
  await journal.commit(() => ({ entries: story, items: ['{}'], result: undefined }));
  const context = {
    toolUse: { type: 'toolUse', toolUseId: 'a', name: 'deploy', input: SHOWN },
    digest,
    signal: new AbortController().signal,
    invocationState: {},
    interrupt: () => {
      throw new Error('The bot asks inline.');
    },
  } as const;
  const outcome = await guardedTool(lastGate(journal), tool)
    .run(input, context)
    .catch((error: unknown) => String(error));
  return { outcome, ran, execution: journal.state()?.calls.get('1/a')?.execution.type };
}

it('starts nothing when the bytes to run differ from the shown ones, whatever digest comes with them', async () => {
  expect(await startWith({ service: 'search' })).toEqual({
    outcome: 'GateChangedError: it is not what was shown',
    ran: [],
    execution: 'none',
  });
});

it('starts the bytes that were shown', async () => {
  expect(await startWith(SHOWN)).toEqual({ outcome: 'done', ran: [SHOWN], execution: 'finished' });
});
