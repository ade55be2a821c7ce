import { describe, expect, it } from 'vitest';
import type { LoopFact } from '../../../../app/agent/ports.ts';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { openRunJournal, type RunJournal } from '../../../../app/recorder/run-journal.ts';
import { recordFacts } from '../../../../app/runs/gate/facts.ts';
import { createShownMessages } from '../../../../app/runs/story/shown-messages.ts';
import { TakenOverError } from '../../../../app/runs/story/taken-over.ts';
import type { ToolResultBlock } from '../../../../interventions/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { deliver } from '../../../support/store.ts';

const result: ToolResultBlock = { type: 'toolResult', toolUseId: 'a', status: 'error', content: [] };

const BY = 'one';

/** A run that has one open call. */
async function running() {
  const clock = testClock(1_000);
  const store = createModelStore(clock);
  await deliver(store, THREAD, ['m/2']);
  let ids = 0;
  const journal = openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: clock.now }, runId());
  const question = JSON.stringify({ role: 'assistant', content: [] });
  await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: [question], result: undefined }));
  return { journal, record: recordFacts({ by: BY, shownMessages: followingOf(journal) }, journal) };
}

const followingOf = (journal: RunJournal) => createShownMessages(journal.state() ?? { said: [] });

describe('an event of the loop', () => {
  it('is written as an entry, together with its item', async () => {
    const { journal, record } = await running();
    await record({ type: 'result', result, executed: false, reactions: [] });

    expect(journal.state()?.calls.get('1/a')).toMatchObject({ answer: 1 });
    expect(JSON.parse((await journal.items(1))[0] ?? '')).toEqual(result);
  });

  it('does not tell the model that a call did not run when another process has begun it meanwhile (D6)', async () => {
    const { journal, record } = await running();
    const grant = { type: 'open' } as const;
    const begun = { call: '1/a', attempt: 'other', tool: 't', digest: 'd', definition: 'v1', grant };
    await journal.commit(() => ({ entries: [{ type: 'call-started', ...begun }], result: undefined }));

    await expect(record({ type: 'result', result, executed: false })).rejects.toThrow(TakenOverError);
    expect(journal.state()?.calls.get('1/a')?.answer).toBeUndefined();
  });

  it.each<[string, EntryBody]>([
    ['answered', turn(2, 'b')],
    ['were told what a person wrote', { type: 'person-said', key: 'm/2', user: user(ANN), item: 1 }],
  ])(
    'writes no answer of a model when other processes %s meanwhile, even after this process has read of that (D6, FN1)',
    async (_what, entry) => {
      const { journal, record } = await running();
      await journal.commit(() => ({ entries: [entry], items: ['{}'], result: undefined }));
      const message = { role: 'assistant', content: [] } as const;
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

      await journal.refresh();
      await expect(record({ type: 'turn', answer: { message, stopReason: 'endTurn', usage } })).rejects.toThrow(
        TakenOverError,
      );
    },
  );

  it('writes no result of a call that another process has answered meanwhile (D6)', async () => {
    const { journal, record } = await running();
    await journal.commit(() => ({
      entries: [{ type: 'call-answered', call: '1/a', item: 1 }],
      items: ['{}'],
      result: undefined,
    }));

    await expect(record({ type: 'result', result, executed: true })).rejects.toThrow(TakenOverError);
    expect(await journal.items(1)).toEqual(['{}']);
  });

  it('tells the model why a lost call is not begun again', async () => {
    const { journal } = await running();
    const grant = { type: 'open' } as const;
    const begun = { call: '1/a', attempt: 'dead', tool: 't', digest: 'd', definition: 'v1', grant };
    const lost = { type: 'call-unknown', call: '1/a', attempt: 'dead' } as const;
    await journal.commit(() => ({ entries: [{ type: 'call-started', ...begun }, lost], result: undefined }));

    await recordFacts(
      { by: BY, shownMessages: followingOf(journal) },
      journal,
    )({ type: 'result', result, executed: false });

    expect(journal.state()?.calls.get('1/a')?.answer).toBe(1);
  });

  it.each<LoopFact>([
    { type: 'result', result, executed: false, reactions: [{ handler: 'h', reaction: { type: 'stop' } }] },
    { type: 'ran', toolUse: { type: 'toolUse', toolUseId: 'a', name: 't', input: {} }, result },
    { type: 'paused', interrupts: [] },
    { type: 'settled', messages: [] },
  ])('is refused when the journal has no entry type for it ($type)', async (fact) => {
    const { journal, record } = await running();
    const { version } = journal.state() ?? {};

    await expect(record(fact)).rejects.toThrow('the journal of a run cannot hold');
    expect(journal.state()?.version).toBe(version);
  });
});
