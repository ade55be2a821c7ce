import { expect, it } from 'vitest';
import { z } from 'zod';
import { testClock } from '../../../../app/clock.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import type { ToolRunnerDeps } from '../../../../app/runs/gate/tool-runner.ts';
import { defineTool } from '../../../../app/tools/index.ts';
import { asked, grantId, runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { lastGate, runCall } from '../../../support/tool-runner.ts';

const tool = defineTool({ name: 'deploy', description: 'Deploys.', input: z.object({}), run: () => 'done' });
const ANN = user('UANN');
const rule = { approvers: [], selfApproval: true };
const judging = (effect: 'asked' | 'denied' | 'guarded' | 'open', ruledBy?: string): Partial<ToolRunnerDeps> => ({
  authority: {
    judge: () => ({ effect, rule, shadows: [], ...(ruledBy === undefined ? {} : { ruledBy: { name: ruledBy } }) }),
    policyOf: () => 'p',
  },
});

/** What becomes of a call that comes to the last gate, and the grant that it is started on. */
async function goOn(changes: Partial<ToolRunnerDeps>, ...more: Parameters<typeof asked>) {
  let ids = 0;
  const clock = testClock(1_000);
  const journal = openRunJournal(
    { store: createModelStore(clock), entryId: () => `id-${++ids}`, elapsed: clock.now },
    runId(),
  );
  const entries = [started, turn(1, 'a'), ...more.map((about) => asked(about))];
  await journal.commit(() => ({ entries, items: ['{}'], result: undefined }));
  const outcome = await runCall(lastGate(journal, changes), tool).catch((error: unknown) => String(error));
  const execution = journal.state()?.calls.get('1/a')?.execution;
  return { outcome, grant: execution === undefined || execution.type === 'none' ? undefined : execution.grant };
}

it('starts a free call without an approval, and names the rule that lets it run', async () => {
  expect(await goOn(judging('open'))).toEqual({ outcome: 'done', grant: { type: 'open' } });
  expect(await goOn(judging('open', 'Free'))).toEqual({ outcome: 'done', grant: { type: 'open', rule: 'Free' } });
});

it.each<[string, Partial<ToolRunnerDeps>, string]>([
  ['that a rule denies', judging('denied'), 'a rule denies it'],
  ['to which no person has said yes', judging('asked'), 'no person has approved it'],
])('starts no call %s', async (_what, changes, why) => {
  expect(await goOn(changes)).toEqual({ outcome: `GateChangedError: ${why}`, grant: undefined });
});

it('starts no call that people are asked about, although its tool is free by now', async () => {
  expect(await goOn(judging('open'), {})).toEqual({
    outcome: 'GateChangedError: people are asked about it',
    grant: undefined,
  });
});

const given = {
  ...{ id: grantId(), team: 'T1', tool: 'deploy', definition: 'd', policy: 'p', requester: ANN },
  ...{ offer: { line: 'deploy', match: 'any', scope: 'thread', forMs: 60_000 } as const, thread: THREAD },
  ...{ by: ANN, givenAtMs: 0, untilMs: 60_000, uses: 0 },
};
const trusting = (used: 'used' | 'ended'): ToolRunnerDeps['trust'] => ({
  find: async () => given,
  use: async () => used,
});

it('starts a call on a trust whose use is written, and none on a trust that ends before', async () => {
  const onTrust = { outcome: 'done', grant: { type: 'trust', grant: given.id } };
  expect(await goOn({ trust: trusting('used') })).toEqual(onTrust);
  expect(await goOn({ trust: trusting('ended') })).toEqual({
    outcome: 'GateChangedError: the trust that covered it has ended',
    grant: undefined,
  });
});

it('starts no guarded call on a trust (T11)', async () => {
  expect(await goOn({ ...judging('guarded'), trust: trusting('used') })).toEqual({
    outcome: 'GateChangedError: no person has approved it',
    grant: undefined,
  });
});
