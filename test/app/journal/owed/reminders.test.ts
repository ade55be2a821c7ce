import { describe, expect, it } from 'vitest';
import { decideExpiry, decidePress, decideStop } from '../../../../app/journal/decide/decide.ts';
import { decideReminder, decideTold } from '../../../../app/journal/decide/reminders.ts';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { toApproval } from '../../../../app/journal/fold/queries/view.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { reminderEffects, toldPerhaps } from '../../../../app/journal/owed/reminders.ts';
import type { Reminder } from '../../../../app/records/index.ts';
import { approvalId, asked, fold, foldOnto, HOUR_MS, pressed, started, turn, user } from '../../../support/journal.ts';

const escalation = { atMs: 2_000, to: [user('S0ONCALL')] };
const question = asked({ remindAtMs: 1_000, escalation });
const waiting = fold(started, turn(1, 'a'), question);
const about = (what: 'reminder' | 'escalation') => ({ approval: approvalId(), what });
const at = (state: RunState, what: 'reminder' | 'escalation', nowMs: number) =>
  answered(decideReminder(state, about(what), nowMs));
const answered = (due: ReturnType<typeof decideReminder>) => (typeof due === 'string' ? due : 'remind');
/** After it was sent, with no person told directly. */
const afterwards = (state: RunState, what: Reminder, nowMs: number): RunState => {
  const due = decideReminder(state, { approval: approvalId(), what }, nowMs);
  return typeof due === 'string' ? state : foldOnto(state, ...decideTold(state, due).entries);
};

describe('a reminder', () => {
  it('is sent when its time has come by the clock of the store, and not before (P61)', () => {
    expect(at(waiting, 'reminder', 999)).toBe('not-yet');
    expect(at(waiting, 'reminder', 1_000)).toBe('remind');
    expect(at(waiting, 'escalation', 1_999)).toBe('not-yet');
    expect(at(waiting, 'escalation', 2_000)).toBe('remind');
  });

  it('comes at its time even after an earlier notice (P36)', () => {
    const unseen = fold(started, turn(1, 'a'), asked({ noticeAtMs: 500, remindAtMs: 1_000 }));
    const notice = { approval: approvalId(), what: 'notice' } as const;
    const told = afterwards(unseen, 'notice', 500);

    expect(decideReminder(unseen, notice, 499)).toBe('not-yet');
    expect(decideReminder(told, notice, HOUR_MS)).toBe('over');
    expect(at(told, 'reminder', 1_000)).toBe('remind');
  });

  it('is sent at most once of each kind (P61)', () => {
    const reminded = afterwards(waiting, 'reminder', 1_000);

    expect(at(reminded, 'reminder', HOUR_MS)).toBe('over');
    expect(at(reminded, 'escalation', HOUR_MS)).toBe('remind');
  });

  it.each([
    ['decided', decidePress(waiting, pressed())],
    ['expired', decideExpiry(waiting, approvalId(), HOUR_MS)],
    ['stopped', decideStop(waiting, { cause: 'Stopped.' })],
  ])('is not sent for a question that is %s (P61)', (_how, { entries }) => {
    expect(at(foldOnto(waiting, ...entries), 'reminder', HOUR_MS)).toBe('over');
  });

  it('is not sent for a question that an older version asked', () => {
    const older = fold(started, turn(1, 'a'), asked());

    expect(at(older, 'reminder', HOUR_MS)).toBe('over');
    expect(reminderEffects(older, asked())).toEqual([]);
    expect(reminderEffects(older, { type: 'call-expired', approval: approvalId() })).toEqual([]);
  });

  it('settles nothing: the question is as open as before', () => {
    const reminded = afterwards(waiting, 'escalation', 2_000);
    const record = (state: RunState) => {
      const approval = state.approvals.get(approvalId());
      return approval === undefined ? undefined : toApproval(state, approval, () => undefined);
    };

    expect(record(reminded)).toEqual(record(waiting));
    expect(record(reminded)).toMatchObject({ status: 'pending', escalation });
    expect(decidePress(reminded, pressed()).result).toBe('decided');
  });
});

describe('the times of a question', () => {
  const effects = (entry: EntryBody) => reminderEffects(waiting, entry).map(({ type, ...rest }) => [type, rest]);
  const item = (what: string) => ({ item: { what, subject: approvalId() } });

  it('begin with the question', () => {
    expect(effects(question)).toEqual([
      ['due', { ...item('reminder'), atMs: 1_000 }],
      ['due', { ...item('escalation'), atMs: 2_000 }],
    ]);
  });

  it.each([
    ['a decision', { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('ANN') }],
    ['an expiry', { type: 'call-expired', approval: approvalId() }],
    ['a cancellation', { type: 'call-cancelled', approval: approvalId(), cause: 'Stopped.' }],
  ] as const)('end with %s', (_how, entry) => {
    expect(effects(entry)).toEqual([
      ['not-due', item('reminder')],
      ['not-due', item('escalation')],
    ]);
  });

  it('end one by one as people are reminded', () => {
    expect(effects({ type: 'call-reminded', approval: approvalId(), what: 'reminder' })).toEqual([
      ['not-due', item('reminder')],
    ]);
  });
});

describe('the people of a later stage', () => {
  const [BEN, CAT] = [user('U0BEN00001'), user('U0CAT00001')];
  const rule = { approvers: [BEN, CAT], selfApproval: true, stages: [{ approvers: [BEN] }, { approvers: [CAT] }] };
  const unseen = fold(started, turn(1, 'a'), asked({ rule, noticeAtMs: 1 }));
  const yes = { type: 'yes-counted', approval: approvalId(), by: BEN } as const;
  const no = { type: 'yes-dropped', approval: approvalId(), by: BEN } as const;
  const notice = { approval: approvalId(), what: 'notice' } as const;
  const next = foldOnto(afterwards(unseen, 'notice', 1), yes);
  const begins = (state: RunState, entry: EntryBody) => reminderEffects(state, entry).map(({ type }) => type);

  it('are told when their stage begins, once, and by the clock of the store (P57)', () => {
    expect(decideReminder(next, notice, HOUR_MS)).toEqual({ type: 'call-reminded', ...notice, stage: 1 });
    expect(begins(next, yes)).toEqual(['due']);

    const told = afterwards(next, 'notice', HOUR_MS);
    expect(decideReminder(told, notice, HOUR_MS)).toBe('over');
    expect(begins(told, { type: 'call-reminded', ...notice, stage: 1 })).toEqual(['not-due']);
  });

  it('are told at the beginning of their stage, and not at a yes within a stage (P57)', () => {
    const both = { approvers: [BEN, CAT], selfApproval: true, quorum: 2 };
    const half = foldOnto(fold(started, turn(1, 'a'), asked({ rule: both, noticeAtMs: 1 })), yes);

    expect(begins(half, yes)).toEqual([]);
  });

  it('are told nothing after the end of a question whose first stage told no person by name (P57)', () => {
    const state = fold(started, turn(1, 'a'), asked({ rule }));
    const end = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: BEN } as const;

    expect(reminderEffects(state, end)).toEqual([{ type: 'not-due', item: { what: 'notice', subject: approvalId() } }]);
  });

  it('are told in their turn, even a moment after the stage before them was told (P57)', () => {
    // It is written that the first were told when it is the turn of the next already.
    expect(begins(next, { type: 'call-reminded', ...notice })).toEqual([]);
  });

  it('are not told a second time when an earlier yes is dropped and given again (P57)', () => {
    const again = foldOnto(afterwards(next, 'notice', HOUR_MS), no, yes);

    expect(begins(again, yes)).toEqual([]);
    expect(decideReminder(again, notice, HOUR_MS)).toBe('over');
  });

  it('are not told one by one when the stage is a group, whose members look for themselves (P57)', () => {
    const group = { ...rule, stages: [{ approvers: [BEN] }, { approvers: [user('S0ONCALL01')] }] };
    const state = foldOnto(fold(started, turn(1, 'a'), asked({ rule: group })), yes);

    expect(begins(state, yes)).toEqual([]);
  });
});

it.each<[Reminder, number, readonly string[]]>([
  ['notice', 1, ['U0ZOE00001']],
  ['reminder', 0, ['U0BEN00001', 'U0ZOE00001']],
  ['escalation', 0, []],
])(
  'the people whom an unfinished try of a %s may have told are known, those of an earlier stage included (P14)',
  (what, stage, people) => {
    const [ben, zoe] = [user('U0BEN00001'), user('U0ZOE00001')];
    const rule = { approvers: [], selfApproval: false, stages: [{ approvers: [ben] }, { approvers: [zoe] }] };
    const state = fold(started, turn(1, 'a'), asked({ rule }), {
      type: 'yes-counted',
      approval: approvalId(),
      by: ben,
    });
    const approval = state.approvals.get(approvalId());

    expect(approval && toldPerhaps(approval, user('ANN'), { what, stage })).toEqual(people);
  },
);
