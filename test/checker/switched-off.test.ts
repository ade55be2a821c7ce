import { describe, expect, it } from 'vitest';
import { approvalOf } from '../../app/journal/fold/queries/approvals.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { user } from '../support/journal.ts';
import { CORE, type Core } from './core.ts';
import { explore } from './explore.ts';
import * as scenarios from './scenarios.ts';
import type { Scenario } from './world.ts';

interface SwitchedOff {
  readonly rule: string;
  readonly core: Partial<Core>;
  readonly scenario: Scenario;
  /** What the checker has to say about it. */
  readonly says: RegExp;
}

const OFF: readonly SwitchedOff[] = [
  {
    rule: 'a start compares the digest with the one that was shown (P18)',
    core: {
      decideStart: (state, start) =>
        CORE.decideStart(state, { ...start, digest: approvalOf(state, start.call)?.digest ?? start.digest }),
    },
    scenario: scenarios.ANOTHER_INPUT,
    says: /no start for these bytes/,
  },
  {
    rule: 'a start writes down the digest of what is about to run (P18)',
    core: {
      decideStart: (state, start) => {
        const shown = approvalOf(state, start.call)?.digest ?? start.digest;
        const decided = CORE.decideStart(state, { ...start, digest: shown });
        const entries = decided.entries.map((entry) =>
          entry.type === 'call-started' ? { ...entry, digest: start.digest } : entry,
        );
        return { ...decided, entries };
      },
    },
    scenario: scenarios.ANOTHER_INPUT,
    says: /something else than was shown/,
  },
  {
    rule: 'a start looks whether the call was started before (D2)',
    core: {
      decideStart: (state, start) => {
        const call = state.calls.get(start.call);
        const fresh = call === undefined ? call : { ...withoutAnswer(call), execution: { type: 'none' } as const };
        const calls = fresh === undefined ? state.calls : new Map([...state.calls, [start.call, fresh]]);
        return CORE.decideStart({ ...state, calls }, start);
      },
    },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /starts call .* a second time/,
  },
  {
    rule: 'a start looks whether the decision is a yes (D1)',
    core: {
      decideStart: (_state, { call, attempt, tool, digest, grant }) => ({
        entries: [{ type: 'call-started', call, attempt, tool, digest, grant }],
        result: { type: 'start' },
      }),
    },
    scenario: scenarios.FAILED_OPEN,
    says: /without a yes/,
  },
  {
    rule: 'nobody counts twice among those who have to say yes (P44)',
    core: {
      decidePress: (state, press) => {
        const yeses = [...state.approvals].map(
          ([id, one]) =>
            [id, { ...one, yeses: one.yeses.map((yes) => ({ ...yes, by: user('somebody else') })) }] as const,
        );
        return CORE.decidePress({ ...state, approvals: new Map(yeses) }, press);
      },
    },
    scenario: scenarios.SEVERAL,
    says: /1 of 2 people have said yes/,
  },
  {
    rule: 'nobody is asked about a call that was started (D7)',
    core: {
      decideAsk: (state, ask) => {
        const call = state.calls.get(ask.call);
        if (call?.execution.type === 'none') return CORE.decideAsk(state, ask);
        return {
          entries: [{ type: 'call-asked', ...ask }],
          result: { type: 'asked', approval: ask.approval, fresh: true },
        };
      },
    },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /asks about call .* which has been started/,
  },
  {
    rule: 'a press looks whether the approval is still open (D4)',
    core: {
      decidePress: (_state, { approval, verdict, by }) => ({
        entries: [{ type: 'call-decided', approval, verdict, by }],
        result: 'decided',
      }),
    },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /settles approval .* a second time/,
  },
  {
    rule: 'a press looks who presses (D1)',
    core: { rightOf: () => ({ type: 'allowed' }) },
    scenario: scenarios.STOP_AND_EXPIRY,
    says: /stranger .* decided, and may not/,
  },
  {
    rule: 'an expiry looks whether the approval is still open (D4)',
    core: {
      decideExpiry: (_state, approval) => ({ entries: [{ type: 'call-expired', approval }], result: 'expired' }),
    },
    scenario: scenarios.STOP_AND_EXPIRY,
    says: /settles approval .* a second time/,
  },
  {
    rule: 'a start looks whether the run was stopped (D6)',
    core: {
      decideStart: (state, start) => CORE.decideStart({ ...state, status: { type: 'running' } }, start),
    },
    scenario: { ...scenarios.ALL_AT_ONCE, may: { ...scenarios.ALL_AT_ONCE.may, crash: 0, passTime: 0 } },
    says: /after the run was over/,
  },
  {
    rule: 'unknown is said only of a start that has no end (D3)',
    core: {
      decideUnknown: (state) => {
        const ended = [...state.calls]
          .filter(([, { execution }]) => execution.type === 'finished')
          .map(([call]) => call);
        return {
          entries: ended.map((call) => ({ type: 'call-unknown', call, attempt: `R0.0 ${call}` })),
          result: ended,
        };
      },
    },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /ends call .* (a second time|which this attempt has not started)/,
  },
  {
    rule: 'what a dead process has begun is called unknown (D3, D9)',
    core: { decideUnknown: () => ({ entries: [], result: [] }) },
    scenario: { ...scenarios.CRASH_AND_LOST_REPLY, may: { ...scenarios.CRASH_AND_LOST_REPLY.may, loseReply: 0 } },
    says: /never ends/,
  },
  {
    rule: 'a choice looks whether another was made (D3)',
    core: {
      decideChoice: (_state, { doubt, choice, by }) => ({
        entries: [{ type: 'doubt-settled', doubt, by, how: choice, ...(choice === 'retry' ? { retry: '1/a~2' } : {}) }],
        result: 'recorded',
      }),
    },
    scenario: scenarios.LOST_CALL,
    says: /settles doubt .* (twice|a second time)|stranger .* decided/,
  },
  {
    rule: 'a late end looks whether a person has spoken (D3)',
    core: { decideFinish: (state, end) => CORE.decideFinish(withoutDoubts(state), end) },
    scenario: scenarios.LOST_CALL,
    says: /ends call .* a second time/,
  },
  {
    rule: 'a retry is a call on which nobody has decided (D1)',
    core: {
      decideStart: (_state, { call, attempt, tool, digest, grant }) => ({
        entries: [{ type: 'call-started', call, attempt, tool, digest, grant }],
        result: { type: 'start' },
      }),
    },
    scenario: { ...scenarios.LOST_CALL, careless: true },
    says: /without a yes|with something else than was shown/,
  },
  {
    rule: 'a use looks whether the trust was taken away (P19)',
    core: {
      decideUse: (_state, { run, call }) => ({ entries: [{ type: 'grant-used', run, call }], result: 'used' }),
    },
    scenario: scenarios.TRUSTED,
    says: /a trust that was taken away before/,
  },
  {
    rule: 'an append is let in only at the version it was decided on (FP1)',
    core: { fits: () => true },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /second time|which has been started/,
  },
  {
    rule: 'the store knows an append that is sent twice (FR4)',
    core: { knows: () => false, fits: (_expected, _version) => true },
    scenario: {
      ...scenarios.CRASH_AND_LOST_REPLY,
      replicas: 1,
      pressers: scenarios.CRASH_AND_LOST_REPLY.pressers.slice(0, 1),
    },
    says: /second time/,
  },
  {
    rule: '*started* is written before the tool runs (FK18)',
    core: { startsFirst: false },
    scenario: scenarios.CRASH_AND_LOST_REPLY,
    says: /no start for these bytes/,
  },
];

describe('the checker notices when a rule is switched off', () => {
  it.each(OFF.map((off) => [off.rule, off] as const))('%s', (rule, { core, scenario, says }) => {
    const { found, states } = explore(scenario, { core: { ...CORE, ...core } });
    process.stdout.write(`${rule}: ${states} states, ${found?.steps.length} steps. ${found?.broken[0]}\n`);

    expect(found?.broken.join(' ') ?? 'nothing').toMatch(says);
  });

  it('and it reports nothing about the same stories with all rules on', () => {
    expect(explore(scenarios.ANOTHER_INPUT).found).toBeUndefined();
  });
});

/** As if no person had been asked about the outcome of a call. */
function withoutDoubts(state: RunState): RunState {
  const calls = [...state.calls].map(([key, { doubt: _, ...call }]) => [key, call] as const);
  return { ...state, questions: new Map(), calls: new Map(calls) };
}

function withoutAnswer<Call extends { readonly answer?: number }>({ answer: _, ...call }: Call): Omit<Call, 'answer'> {
  return call;
}
