import { expect, it } from 'vitest';
import type { Judgement } from '../../../../app/authority/index.ts';
import { testClock } from '../../../../app/clock.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { createGate, type GateDeps } from '../../../../app/runs/gate/gate.ts';
import { toolTable } from '../../../../app/tools/index.ts';
import { type BeforeToolCallEvent, type Handler, type Json, transform } from '../../../../interventions/index.ts';
import { tool } from '../../../support/in-process/index.ts';
import { OWN_RULE, runId, started, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const OPEN: Judgement = { effect: 'open', rule: OWN_RULE, shadows: [] };
const CHANGED = { service: 'search' };

const changesInput: Handler = {
  name: 'changes',
  beforeToolCall: () =>
    transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: CHANGED })),
};

/** An open call goes through the gate, and a handler behind the gate changes its input to one that is judged so. */
async function changedBehindTheGate(judgement: Judgement) {
  const entryId = () => `id-${++ids}`;
  let ids = 0;
  const journal = openRunJournal({ store: createModelStore(testClock(1_000)), entryId, elapsed: () => 0 }, runId());
  await journal.commit(() => ({ entries: [started, turn(1, 'restart-1')], items: ['{}', '{}'], result: undefined }));
  const asked: Json[] = [];
  const nothing = async () => undefined;
  const deps: GateDeps = {
    ...{ journal, tools: toolTable([tool('restart')]), cards: { settle: async () => 'paid' } },
    trust: { find: nothing },
    authority: {
      judge: ({ input }) => (JSON.stringify(input) === JSON.stringify(CHANGED) ? judgement : OPEN),
      policyOf: () => 'p',
    },
    people: {
      account: async () => 'person',
      isInGroup: async () => false,
      isInChannel: async () => true,
      members: nothing,
    },
    caps: { beforeCall: nothing, take: nothing, afterTurn: nothing },
    denied: { stateOf: nothing, afterDenialMs: 0, now: () => 0 },
    onCap: async () => {},
    onNobody: () => {},
    ask: async ({ toolUse }) => {
      asked.push(toolUse.input);
      return { decision: 'approve', approver: user('ANN') };
    },
    redact: (_tool, input) => input,
    traced: (ask) => ask,
  };
  const restart = witness('restart');
  const { state } = await loop({
    model: scriptedModel([call('restart', { service: 'payments' })], 'Done.'),
    tools: [restart],
    interventions: [...createGate(deps), changesInput],
  });
  return { asked, ran: restart.runs, told: resultsOf(state.messages).join() };
}

it('a call whose input changes behind the gate does not run where a rule denies the new input (BEY-22)', async () => {
  const ruledBy = { name: 'Freeze', effect: 'deny' } as const;
  const { asked, ran, told } = await changedBehindTheGate({ ...OPEN, effect: 'denied', ruledBy });

  expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  expect(told).toContain('The rule "Freeze" of this deployment does not allow this call');
});

it('a call whose input changes behind the gate does not run where no person may approve the new input (BEY-22)', async () => {
  const rule = { approvers: [user('ANN')], selfApproval: false };
  const { asked, ran, told } = await changedBehindTheGate({ ...OPEN, effect: 'asked', rule });

  expect({ asked, ran }).toEqual({ asked: [], ran: [] });
  expect(told).toContain('No approver is configured for restart');
});

it('a call whose input changes behind the gate runs only after people have seen the new input (BEY-22)', async () => {
  const { asked, ran } = await changedBehindTheGate({ ...OPEN, effect: 'asked' });

  expect({ asked, ran }).toEqual({ asked: [CHANGED], ran: [CHANGED] });
});
