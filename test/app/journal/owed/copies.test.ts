import { describe, expect, it } from 'vitest';
import { decideCopiesFound, decideCopiesPainted } from '../../../../app/journal/decide/copies.ts';
import { decideCancel, decidePress } from '../../../../app/journal/decide/decide.ts';
import { decideTold } from '../../../../app/journal/decide/reminders.ts';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { owedCopies } from '../../../../app/journal/owed/copies.ts';
import type { Reminder } from '../../../../app/records/index.ts';
import { approvalId, asked, fold, foldOnto, HOUR_MS, pressed, started, turn, user } from '../../../support/journal.ts';

const BEN = user('U0BEN00001');
const ZOE = user('U0ZOE00001');
const rule = { approvers: [BEN], selfApproval: true };
const copy = { to: BEN, card: { channel: 'D1', ts: '5.0' } };
const waiting = fold(started, turn(1, 'a'), asked({ rule, noticeAtMs: 1, remindAtMs: HOUR_MS }));
const telling = (more: object = {}) =>
  ({ type: 'call-reminded', approval: approvalId(), what: 'notice', copies: [copy], ...more }) as const;
const tell = (state: RunState, more: object = {}) => foldOnto(state, ...decideTold(state, telling(more)).entries);
const deny = (state: RunState) => foldOnto(state, ...decidePress(state, pressed({ by: BEN, verdict: 'deny' })).entries);
const question = (state: RunState) => {
  const found = state.approvals.get(approvalId());
  if (found === undefined) throw new Error('Nobody was asked.');
  return found;
};
const paint = (state: RunState, shown = question(state)) =>
  foldOnto(state, ...decideCopiesPainted(state, shown).entries);
const owes = (state: RunState): boolean => owedCopies(state).length > 0;

const told = tell(waiting, { revision: 2 });

describe('a direct message about a question', () => {
  it('has to show the outcome of the question, until it is painted (P14)', () => {
    expect(owes(told)).toBe(false);
    expect(owes(deny(told))).toBe(true);
    expect(owes(paint(deny(told)))).toBe(false);
  });

  it('has to show the outcome at once when the question was answered while the message was sent (P14)', () => {
    const late = tell(deny(waiting), { revision: 2 });

    expect(owes(late)).toBe(true);
    expect(owes(paint(late))).toBe(false);
  });

  it('has to be painted again when an older painting comes after a newer one (P14)', () => {
    const [before, after] = [told, deny(told)];
    const both = paint(paint(after), question(before));

    expect(owes(both)).toBe(true);
    expect(owes(paint(both))).toBe(false);
  });

  it('stays unpainted when the painting process did not know of it (P14)', () => {
    const after = deny(told);
    const more = tell(after, { copies: [{ to: ZOE, card: { channel: 'D2', ts: '6.0' } }] });

    expect(owes(paint(more, question(after)))).toBe(true);
    expect(question(more).copies).toHaveLength(2);
  });

  it('has to be painted while one of several shows an older state (P14)', () => {
    const over = deny(told);
    const newer = {
      what: 'reminder',
      revision: question(over).news,
      copies: [{ to: ZOE, card: { channel: 'D2', ts: '6.0' } }],
    };

    expect(owes(tell(over, newer))).toBe(true);
  });

  it('is recorded as painted once for each state, and not for a state that is over', () => {
    const twice = { approvers: [BEN, ZOE], selfApproval: true, quorum: 2 };
    const asking = tell(fold(started, turn(1, 'a'), asked({ rule: twice })), { revision: 2 });
    const counted = foldOnto(asking, ...decidePress(asking, pressed({ by: ZOE })).entries);
    const over = deny(counted);

    expect(decideCopiesPainted(over, question(counted)).entries).toEqual([]);
    expect(decideCopiesPainted(over, question(over)).entries).toHaveLength(1);
    expect(decideCopiesPainted(paint(over), question(over)).entries).toEqual([]);
  });

  it('is one message, however often its place is recorded', () => {
    expect(decideTold(told, telling()).entries).toEqual([]);
    expect(decideTold(deny(told), telling()).entries).toEqual([]);
  });

  it('has nothing new to show when only the run of the call ends', () => {
    const yes = foldOnto(told, ...decidePress(told, pressed({ by: BEN })).entries);
    const begun: EntryBody = {
      ...{ type: 'call-started', call: '1/a', attempt: 'x', tool: 'deploy', digest: 'd1' },
      grant: { type: 'approval', approval: approvalId() },
    };

    expect(owes(foldOnto(paint(yes), begun))).toBe(false);
  });

  it('says that a newer question replaced this one', () => {
    const back = foldOnto(told, ...decideCancel(told, approvalId(), 'The rules have changed.').entries);
    const anew = foldOnto(paint(back), asked({ approval: approvalId(2), rule }));

    expect(owes(paint(back))).toBe(false);
    expect(owes(anew)).toBe(true);
  });
});

describe('a direct message that a process may have sent before it died', () => {
  const found = (state: RunState, copies: readonly (typeof copy)[], of: { what?: Reminder; stage?: number } = {}) =>
    decideCopiesFound(state, { type: 'copies-found', approval: approvalId(), what: 'notice', stage: 0, copies, ...of })
      .entries;

  const unchanged = (state: RunState): RunState => state;

  /** Ben approves, then one of the two of the next stage, and the other one denies. */
  const throughStages = (times: { readonly noticeAtMs?: number; readonly remindAtMs: number }, before = unchanged) => {
    const approvers = [ZOE, user('U0EVE00001')];
    const stages = [{ approvers: [BEN] }, { approvers, quorum: 2 }];
    const presses = [pressed({ by: BEN }), pressed({ by: ZOE }), pressed({ by: user('U0EVE00001'), verdict: 'deny' })];
    return presses.reduce(
      (state, press) => foldOnto(state, ...decidePress(state, press).entries),
      before(
        fold(
          started,
          turn(1, 'a'),
          asked({ rule: { approvers: [BEN, ...approvers], selfApproval: true, stages }, ...times }),
        ),
      ),
    );
  };

  it('is searched for once, when the question is over, and then painted (P14)', () => {
    const over = deny(waiting);
    expect(question(over).perhapsTold).toEqual([{ what: 'notice', stage: 0 }]);
    expect(owes(over)).toBe(true);

    expect(owes(foldOnto(over, ...found(over, [])))).toBe(false);
    const known = foldOnto(over, ...found(over, [copy]));
    expect(owes(known)).toBe(true);
    expect(found(known, [copy])).toEqual([]);
    expect(owes(paint(known))).toBe(false);
  });

  it('is searched for when its time came with the answer itself', () => {
    const answered = deny(fold(started, turn(1, 'a'), asked({ rule, noticeAtMs: 3 })));

    expect(question(answered).perhapsTold).toEqual([{ what: 'notice', stage: 0 }]);
  });

  it('is searched for by its reminder and stage, and what is found of another one is not recorded', () => {
    const over = throughStages({ noticeAtMs: 1, remindAtMs: 1 });
    const [first, second, reminder] = [
      { what: 'notice', stage: 0 },
      { what: 'notice', stage: 1 },
      { what: 'reminder', stage: 0 },
    ] as const;

    expect(question(over).perhapsTold).toEqual([first, second, reminder]);
    expect(found(over, [copy], { what: 'reminder', stage: 1 })).toEqual([]);
    expect(found(over, [copy], { stage: 2 })).toEqual([]);
    const left = (one: typeof first | typeof second) =>
      question(foldOnto(over, ...found(over, [copy], one))).perhapsTold;
    expect([left(first), left(second)]).toEqual([
      [second, reminder],
      [first, reminder],
    ]);
  });

  it('is searched for in a later stage from the yes that began it, and a reminder from its own time', () => {
    expect(question(throughStages({ remindAtMs: HOUR_MS })).perhapsTold).toEqual([{ what: 'notice', stage: 1 }]);
  });

  it('is searched for in a later stage also when the people of an earlier one were told', () => {
    const over = throughStages({ noticeAtMs: 1, remindAtMs: HOUR_MS }, (state) => tell(state));

    expect(question(over).perhapsTold).toEqual([{ what: 'notice', stage: 1 }]);
  });

  it('is not searched for before its time, or when it is recorded', () => {
    const early = fold(started, turn(1, 'a'), asked({ rule, noticeAtMs: HOUR_MS }));

    expect(owes(deny(early))).toBe(false);
    expect(question(deny(told)).perhapsTold).toEqual([]);
  });

  it('is not searched for in a run that was sealed without it', () => {
    const over = deny(waiting);

    expect(owes(foldOnto(over, { type: 'run-stopped', cause: 'Stopped.' }, { type: 'sealed' }))).toBe(false);
  });
});

it('a reminder of an older version, which recorded no place, leaves nothing to paint', () => {
  const older = EntryBody.parse({ type: 'call-reminded', approval: approvalId(), what: 'notice' });
  const state = deny(foldOnto(waiting, older));

  expect(owes(state)).toBe(false);
});
