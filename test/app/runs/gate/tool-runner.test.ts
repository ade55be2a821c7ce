import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../../app/clock.ts';
import { decideExpiry, decidePress } from '../../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { digestText } from '../../../../app/runs/gate/granted-call.ts';
import { defineTool, definitionHash } from '../../../../app/tools/index.ts';
import { canonicalCall } from '../../../../interventions/index.ts';
import { approvalId, asked, fold, HOUR_MS, pressed, runId, started, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { lastGate, runCall } from '../../../support/tool-runner.ts';

let ran = 0;
const tool = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  input: z.object({}),
  run: () => {
    ran += 1;
    return 'done';
  },
});
const definition = definitionHash(tool);
const digest = digestText(canonicalCall({ name: 'deploy', input: {} }));

/** How often the tool runs when the agent goes on with its call `{}`, and why it does not. */
async function goOn(
  shown: string,
  answered: (waiting: RunState) => { readonly entries: readonly EntryBody[] },
): Promise<{ readonly runs: number; readonly why: string }> {
  const before = ran;
  const story: EntryBody[] = [started, turn(1, 'a'), asked({ digest: shown, definition })];
  story.push(...answered(fold(...story)).entries);
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const clock = testClock(1_000);
  const journal = openRunJournal({ store: createModelStore(clock), entryId, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: story, items: ['{}'], result: undefined }));
  const why = await runCall(lastGate(journal), tool).then(
    () => '',
    (error: unknown) => String(error),
  );
  return { runs: ran - before, why };
}

const yes = (state: RunState) => decidePress(state, pressed());

it('a tool runs with the bytes that a person approved', async () => {
  expect(await goOn(digest, yes)).toEqual({ runs: 1, why: '' });
});

it('a tool does not run with bytes other than those that a person approved (P45, T3)', async () => {
  const shown = digestText(canonicalCall({ name: 'deploy', input: { to: 'production' } }));

  expect(await goOn(shown, yes)).toEqual({ runs: 0, why: expect.stringContaining('it is not what was shown') });
});

it.each([
  ['no person has answered', () => ({ entries: [] })],
  ['a person denied it', (state: RunState) => decidePress(state, pressed({ verdict: 'deny' }))],
  ['its time is over', (state: RunState) => decideExpiry(state, approvalId(), HOUR_MS)],
])('a tool does not run when %s (P45)', async (_what, answered) => {
  expect(await goOn(digest, answered)).toEqual({ runs: 0, why: expect.stringContaining('GateChangedError') });
});
