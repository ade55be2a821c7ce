import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../app/clock.ts';
import { decidePress } from '../../../app/journal/decide/decide.ts';
import type { EntryBody } from '../../../app/journal/facts/entries.ts';
import { openRunJournal, type RunJournal } from '../../../app/recorder/run-journal.ts';
import { digestText } from '../../../app/runs/gate/granted-call.ts';
import { defineTool, definitionHash, seePrecondition } from '../../../app/tools/index.ts';
import { canonicalCall, GateChangedError } from '../../../interventions/index.ts';
import { approvalId, asked, fold, pressed, runId, started, turn } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { lastGate, runCall } from '../../support/tool-runner.ts';

let blind = false;
let ran = 0;
const tool = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  input: z.object({}),
  idempotent: true,
  precondition: () => {
    if (blind) throw new Error('no connection');
    return 'as it was';
  },
  run: () => {
    ran += 1;
    return 'done';
  },
});
const digest = digestText(canonicalCall({ name: 'deploy', input: {} }));
const definition = definitionHash(tool);
const signal = new AbortController().signal;

/** An approved call; begun and lost, if that is wished for. */
async function journalOf(lost: boolean): Promise<RunJournal> {
  const seen = await seePrecondition(tool, {}, signal);
  if (seen?.type !== 'seen') throw new Error('The world of this test can be seen.');
  const { precondition } = seen;
  const story: EntryBody[] = [started, turn(1, 'a'), asked({ digest, definition, precondition })];
  story.push(...decidePress(fold(...story), pressed()).entries);
  if (lost) {
    const grant = { type: 'approval', approval: approvalId() } as const;
    const begun = { call: '1/a', attempt: 'dead', tool: 'deploy', digest, definition, grant };
    story.push(
      { type: 'call-started', ...begun, precondition: precondition.digest },
      { type: 'call-unknown', call: '1/a', attempt: 'dead' },
    );
  }
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const clock = testClock(1_000);
  const journal = openRunJournal({ store: createModelStore(clock), entryId, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: story, items: ['{}'], result: undefined }));
  return journal;
}

describe('a call whose precondition can no longer be checked (T4)', () => {
  it('does not run, and the agent hears so', async () => {
    const parts = lastGate(await journalOf(false));
    blind = true;
    await expect(runCall(parts, tool).finally(() => (blind = false))).rejects.toThrow(/so it did not run/);

    expect([ran, parts.notRepeated.size]).toEqual([0, 0]);
  });

  it('is asked about when it was begun before, and is not reported as one that never ran', async () => {
    const parts = lastGate(await journalOf(true));
    blind = true;
    await expect(runCall(parts, tool).finally(() => (blind = false))).rejects.toThrow(GateChangedError);

    expect([ran, [...parts.notRepeated]]).toEqual([0, ['1/a']]);
  });
});

describe('a call whose precondition can no longer be checked once its process has heard late of its start (T4)', () => {
  /** The last gate of a process that hears of each start a minute late. */
  const heardLate = (journal: RunJournal) => {
    let nowMs = 0;
    const step = () => {
      nowMs = 60_000;
      blind = true;
    };
    return lastGate(journal, { step, elapsed: () => nowMs });
  };
  afterEach(() => {
    blind = false;
  });

  it('does not run, and the agent hears so', async () => {
    const journal = await journalOf(false);
    await expect(runCall(heardLate(journal), tool)).rejects.toThrow(/it did not run/);

    expect(ran).toBe(0);
    expect(journal.state()?.calls.get('1/a')?.execution).toMatchObject({ type: 'finished', ok: false });
  });

  it('is not repeated when it was begun before, and is not reported as one that never ran', async () => {
    const journal = await journalOf(true);
    await expect(runCall(heardLate(journal), tool)).rejects.toThrow(
      /not repeated.*Whether it had an effect is not known/,
    );

    expect(ran).toBe(0);
    expect(journal.state()?.calls.get('1/a')?.execution).toMatchObject({ type: 'unknown', attempt: 'mine' });
  });
});
