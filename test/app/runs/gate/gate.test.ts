import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../../app/authority/index.ts';
import { testClock } from '../../../../app/clock.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import type { StandingTrust } from '../../../../app/records/index.ts';
import { createGate, type GateDeps } from '../../../../app/runs/gate/gate.ts';
import { systemTimers } from '../../../../app/time/index.ts';
import { toolTable } from '../../../../app/tools/index.ts';
import { type BeforeToolCallEvent, type Handler, type Json, transform } from '../../../../interventions/index.ts';
import { tool } from '../../../support/in-process/index.ts';
import { asked, grantId, HOUR_MS, OWN_RULE, runId, started, THREAD, turn, user } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';
import { MEMBERS } from '../../../support/people.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const OPEN: Judgement = { effect: 'open', rule: OWN_RULE, shadows: [] };
const ASKED: Judgement = { ...OPEN, effect: 'asked' };
const nothing = async () => undefined;
const CHANGED = { service: 'search' };

const changesInput: Handler = {
  name: 'changes',
  beforeToolCall: () =>
    transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: CHANGED })),
};

interface Around {
  readonly judge: GateDeps['authority']['judge'];
  readonly trust?: GateDeps['trust'];
  /** What stands in the journal behind the answer with the call. */
  readonly before?: readonly EntryBody[];
  readonly behind?: readonly Handler[];
}

/** A call goes through the gate, and people approve whatever they are asked. */
async function throughTheGate({ judge, trust = { find: nothing }, before = [], behind = [] }: Around) {
  const entryId = () => `id-${++ids}`;
  let ids = 0;
  const journal = openRunJournal({ store: createModelStore(testClock(1_000)), entryId, elapsed: () => 0 }, runId());
  await journal.commit(() => ({
    entries: [started, turn(1, 'restart-1'), ...before],
    items: ['{}'],
    result: undefined,
  }));
  const questions: Json[] = [];
  const deps: GateDeps = {
    ...{ journal, tools: toolTable([tool('restart')]), cards: { settle: async () => 'paid' } },
    ...{ trust, authority: { judge, ruleNow: async ({ rule }) => ({ rule }), policyOf: () => 'p' } },
    people: MEMBERS,
    timers: systemTimers,
    caps: { beforeCall: nothing, take: nothing, afterTurn: nothing },
    denied: { stateOf: nothing, afterDenialMs: 0, now: () => 0 },
    capReached: async (words) => new Error(words),
    posts: { mention: async () => {} },
    ask: async ({ toolUse }) => {
      questions.push(toolUse.input);
      return { decision: 'approve', approver: user('ANN') };
    },
    traced: (ask) => ask,
  };
  const restart = witness('restart');
  const { state } = await loop({
    model: scriptedModel([call('restart', { service: 'payments' })], 'Done.'),
    tools: [restart],
    interventions: [...createGate(deps), ...behind],
  });
  return { asked: questions, ran: restart.runs, told: resultsOf(state.messages).join() };
}

/** An open call, and a handler behind the gate changes its input to one that is judged so. */
const changedBehindTheGate = (judgement: Judgement) =>
  throughTheGate({
    judge: ({ input }) => (JSON.stringify(input) === JSON.stringify(CHANGED) ? judgement : OPEN),
    behind: [changesInput],
  });

it('a call whose input changes behind the gate does not run where a rule denies the new input (BEY-22)', async () => {
  const ruledBy = { name: 'Freeze', effect: 'deny' } as const;
  const { told, ...done } = await changedBehindTheGate({ ...OPEN, effect: 'denied', ruledBy });

  expect(done).toEqual({ asked: [], ran: [] });
  expect(told).toContain('The rule "Freeze" of this deployment does not allow this call');
});

it('a call whose input changes behind the gate does not run where no person may approve the new input (BEY-22)', async () => {
  const rule = { approvers: [user('ANN')], selfApproval: false };
  const { told, ...done } = await changedBehindTheGate({ ...ASKED, rule });

  expect(done).toEqual({ asked: [], ran: [] });
  expect(told).toContain('No person can approve this call of restart');
});

it('a call whose input changes behind the gate runs only after people have seen the new input (BEY-22)', async () => {
  const done = await changedBehindTheGate(ASKED);

  expect(done).toMatchObject({ asked: [CHANGED], ran: [CHANGED] });
});

describe('a trust that covers a call', () => {
  const since: StandingTrust = {
    ...{ id: grantId(), team: 'T1', tool: 'restart', definition: 'v1', policy: 'p', thread: THREAD },
    ...{ requester: user('ANN'), by: user('ANN'), givenAtMs: 0, untilMs: HOUR_MS, uses: 0 },
    offer: { line: 'restart, any input', match: 'any', scope: 'thread', forMs: HOUR_MS },
  };
  const trust = { find: async () => since };

  it('lets it run without a question', async () => {
    expect(await throughTheGate({ judge: () => ASKED, trust })).toMatchObject({ asked: [], ran: [{}] });
  });

  it('leaves it to people who were asked about it before', async () => {
    const before = [asked({ call: '1/restart-1' })];

    expect(await throughTheGate({ judge: () => ASKED, trust, before })).toMatchObject({ asked: [{}], ran: [{}] });
  });
});
