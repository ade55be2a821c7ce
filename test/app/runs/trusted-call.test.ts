import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../app/clock.ts';
import { openRunJournal } from '../../../app/recorder/run-journal.ts';
import { defineTool } from '../../../app/tools/index.ts';
import { GateChangedError } from '../../../interventions/index.ts';
import { grantId, HOUR_MS, runId, started, THREAD, turn, user } from '../../support/journal.ts';
import { createModelStore } from '../../support/model-store.ts';
import { lastGate, runCall } from '../../support/tool-runner.ts';

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

/** The grant stands and the call is counted on it; the store answers to the start only after `waitedMs`. */
async function callOnTrust(waitedMs: number) {
  const clock = testClock(1_000);
  let ids = 0;
  const entryId = () => `id-${++ids}`;
  const journal = openRunJournal({ store: createModelStore(clock), entryId, elapsed: clock.now }, runId());
  await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));
  const grant = {
    id: grantId(),
    team: THREAD.team,
    tool: 'deploy',
    definition: 'v1',
    offer: { line: 'deploy, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
    thread: THREAD,
    requester: user('ANN'),
    by: user('ANN'),
    givenAtMs: 1_000,
    untilMs: 1_000 + HOUR_MS,
    uses: 0,
  } as const;
  const parts = lastGate(journal, {
    trust: { find: async () => grant, use: async () => 'used' },
    step: (name) => {
      if (name === 'call-starting') clock.advance(waitedMs);
    },
  });
  return { parts, calls: () => journal.state()?.calls.get('1/a')?.execution.type };
}

it('a call on trust begins while the trust is valid', async () => {
  const { parts, calls } = await callOnTrust(HOUR_MS - 1);

  await runCall(parts, tool);

  expect([ran, calls()]).toEqual([1, 'finished']);
});

it('a call on trust does not begin after the trust has ended, although its use was counted: people are asked', async () => {
  const before = ran;
  const { parts, calls } = await callOnTrust(HOUR_MS);

  await expect(runCall(parts, tool)).rejects.toThrow(new GateChangedError('it is too late'));

  expect([ran - before, calls()]).toEqual([0, 'none']);
});

it.each([
  ['nothing lets start', undefined, 'no person has approved it'],
  ['whose trust ended at this instant', 'ended', 'the trust that covered it has ended'],
] as const)('puts a call %s before people, and starts nothing', async (_what, use, why) => {
  const before = ran;
  const { parts, calls } = await callOnTrust(0);
  const { find, ...rest } = parts.trust;
  const trust =
    use === undefined
      ? { ...rest, find: async () => undefined, use: async () => 'used' as const }
      : { ...rest, find, use: async () => use };

  await expect(runCall({ ...parts, trust }, tool)).rejects.toThrow(new GateChangedError(why));

  expect([ran - before, calls()]).toEqual([0, 'none']);
});
