import { describe, expect, it } from 'vitest';
import { decidePress, decideStop } from '../../../../app/journal/decide/decide.ts';
import { type ChoiceFacts, decideChoice, decideDoubt } from '../../../../app/journal/decide/doubts.ts';
import { decideQuestionExpiry, decideWithdrawal } from '../../../../app/journal/decide/questions.ts';
import { decideFinish, decideStart, decideUnknown, type Start } from '../../../../app/journal/decide/start.ts';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { callNow, lastRetry, toolUseIdOf } from '../../../../app/journal/fold/queries/calls.ts';
import { pendingQuestions } from '../../../../app/journal/fold/queries/questions.ts';
import { owedQuestions } from '../../../../app/journal/owed/cards.ts';
import { effectsOf } from '../../../../app/journal/owed/effects.ts';
import { brokenPromises } from '../../../../app/keeping/audit/promises.ts';
import { threadKey } from '../../../../app/records/index.ts';
import {
  approvalId,
  asked,
  fold,
  foldOnto,
  grantId,
  HOUR_MS,
  OWN_RULE,
  pressed,
  started,
  THREAD,
  turn,
  user,
} from '../../../support/journal.ts';

const DOUBT = approvalId(7);
const CARD = { channel: THREAD.channel, ts: '2.0' };
const rule = { approvers: [], selfApproval: true };
const yes = { type: 'call-decided', approval: approvalId(), verdict: 'approve', by: user('ANN') } as const;
const begin = {
  type: 'call-started',
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  digest: 'd1',
  definition: 'v1',
  grant: { type: 'approval', approval: approvalId() },
} as const;
const lost = { type: 'call-unknown', call: '1/a', attempt: 't1' } as const;
const ask = {
  doubt: DOUBT,
  call: '1/a',
  tool: 'deploy',
  summary: 'Deploy.',
  digest: 'd1',
  effect: 'asked',
  rule,
  expiresAtMs: HOUR_MS,
} as const;
const doubted = { type: 'doubt-asked', ...ask } as const;
const posted = { type: 'doubt-posted', doubt: DOUBT, card: CARD } as const;
const before: readonly EntryBody[] = [started, turn(1, 'a'), asked(), yes, begin, lost];
const open = fold(...before, doubted, posted);

const chosen = (changes: Partial<ChoiceFacts> = {}): ChoiceFacts => ({
  doubt: DOUBT,
  choice: 'skip',
  by: user('ANN'),
  right: { type: 'allowed' },
  card: CARD,
  refusedKept: 2,
  ...changes,
});
const start = (changes: Partial<Start> = {}): Start => ({
  call: '1/a',
  attempt: 't2',
  tool: 'deploy',
  effect: 'asked',
  rule: OWN_RULE,
  definition: 'v1',
  digest: 'd1',
  grant: { type: 'approval', approval: approvalId() },
  idempotent: false,
  ...changes,
});

describe('the question about the outcome of a lost call', () => {
  it('is asked once about an unknown call whose end the model does not know', () => {
    expect(decideDoubt(fold(...before), ask).result).toEqual({ type: 'asked', doubt: DOUBT, fresh: true });
    expect(decideDoubt(open, { ...ask, doubt: approvalId(8) })).toEqual({
      entries: [],
      result: { type: 'asked', doubt: DOUBT, fresh: false },
    });
    const running = fold(...before.slice(0, -1));
    const told = fold(...before, { type: 'call-answered', call: '1/a', item: 3 });
    const stopped = fold(...before, { type: 'run-stopped', cause: 'x' });
    for (const state of [running, told, stopped]) {
      expect(decideDoubt(state, ask)).toEqual({ entries: [], result: { type: 'nothing-to-ask' } });
    }
  });

  it.each(['happened', 'skip', 'retry'] as const)('takes the first choice (%s), and none after it (D3)', (choice) => {
    const first = decideChoice(open, chosen({ choice }));
    expect(first).toMatchObject({ result: 'recorded', notAfterMs: HOUR_MS });

    const after = foldOnto(open, ...first.entries);
    const second = decideChoice(after, chosen({ choice: 'happened', by: user('BEN') }));
    expect(second.result).toBe('settled');
    expect(second.entries.map(({ type }) => type)).toEqual(['doubt-refused']);
    expect(pendingQuestions(after)).toEqual([]);
    expect(owedQuestions(after)).toHaveLength(1);
  });

  it('tells the model in the same append, except when the call is tried again', () => {
    const types = (choice: ChoiceFacts['choice']) => decideChoice(open, chosen({ choice })).entries.map((e) => e.type);

    expect(types('happened')).toEqual(['doubt-settled', 'call-answered']);
    expect(types('skip')).toEqual(['doubt-settled', 'call-answered']);
    expect(types('retry')).toEqual(['doubt-settled']);
  });

  it('takes no choice of a person who may not decide, and none from a copy of the card, and records a limited number of those (P34)', () => {
    const refused = { type: 'refused', why: 'not yours' } as const;
    expect(decideChoice(open, chosen({ right: refused })).result).toBe('not-yours');
    expect(decideChoice(open, chosen({ card: { ...CARD, ts: '3.0' } })).result).toBe('not-offered');
    const unposted = fold(...before, doubted);
    expect(decideChoice(unposted, chosen({ card: { channel: 'C2', ts: '2.0' } })).result).toBe('not-offered');
    expect(decideChoice(open, chosen({ doubt: approvalId(9) })).result).toBe('unknown');

    const once = foldOnto(open, ...decideChoice(open, chosen({ right: refused })).entries);
    const twice = foldOnto(once, ...decideChoice(once, chosen({ right: refused })).entries);
    expect(decideChoice(twice, chosen({ right: refused })).entries).toEqual([]);
    expect(pendingQuestions(twice)).toHaveLength(1);
  });

  it('expires by the clock of the store, and can be withdrawn unseen, and the model is told either way (P61b)', () => {
    expect(decideQuestionExpiry(open, DOUBT, HOUR_MS - 1)).toEqual({ entries: [], result: 'not-yet' });
    const expired = decideQuestionExpiry(open, DOUBT, HOUR_MS);
    expect(expired.entries.map(({ type }) => type)).toEqual(['doubt-settled', 'call-answered']);
    const unseen = decideWithdrawal(open, DOUBT);
    expect(unseen.entries.map(({ type }) => type)).toEqual(['doubt-settled', 'call-answered']);

    const over = foldOnto(open, ...expired.entries);
    expect(decideQuestionExpiry(over, DOUBT, HOUR_MS)).toEqual({ entries: [], result: 'settled' });
    expect(decideWithdrawal(over, DOUBT)).toEqual({ entries: [], result: 'settled' });
  });

  it('is withdrawn by a stop', () => {
    const stopped = foldOnto(open, ...decideStop(open, { cause: 'Stopped.' }).entries);

    expect(stopped.questions.get(DOUBT)?.standing).toEqual({ status: 'withdrawn' });
    expect(decideChoice(stopped, chosen()).result).toBe('settled');
  });

  it('wakes the process that goes on, and is on the lists of the people who can answer it while it is open', () => {
    const about = { thread: threadKey(THREAD), graceMs: 100 };
    const member = { index: { what: 'waiting', of: 'T1:ANN' }, member: DOUBT };

    expect(effectsOf(fold(...before, doubted), [doubted], about)).toEqual(
      expect.arrayContaining([{ type: 'member', ...member }, expect.objectContaining({ type: 'due' })]),
    );
    const { entries } = decideChoice(open, chosen());
    expect(effectsOf(foldOnto(open, ...entries), entries, about)).toEqual(
      expect.arrayContaining([
        { type: 'not-member', ...member },
        { type: 'not-due', item: { what: 'expiry', subject: DOUBT } },
        expect.objectContaining({ type: 'todo' }),
        expect.objectContaining({ type: 'hint' }),
      ]),
    );
  });
});

describe('a call that is tried again', () => {
  const retry = decideChoice(open, chosen({ choice: 'retry' })).entries;
  const retried = foldOnto(open, ...retry);

  it('is a new call without any decision (D1)', () => {
    expect(callNow(retried, 'a')).toBe('1/a~2');
    expect(toolUseIdOf(retried, '1/a~2')).toBe('a');
    expect(decideStart(retried, start({ call: '1/a~2' })).result).toEqual({
      type: 'refused',
      why: 'no person was asked about it',
    });
    expect(decideStart(retried, start()).result.type).toBe('refused');

    const again = asked({ call: '1/a~2', approval: approvalId(2) });
    const allowed = foldOnto(retried, again, { ...yes, approval: approvalId(2) });
    const grant = { type: 'approval', approval: approvalId(2) } as const;
    expect(decideStart(allowed, start({ call: '1/a~2', grant })).result).toEqual({ type: 'start' });
  });

  it('gets an id that no call of the model has, however often it is tried', () => {
    const crowded = fold(started, turn(1, 'a', 'a~2'), asked(), yes, begin, lost, doubted, posted);
    const { entries } = decideChoice(crowded, chosen({ choice: 'retry' }));

    expect(lastRetry(foldOnto(crowded, ...entries).calls, '1/a')).toBe('1/a~3');
  });
});

describe('the late end of a lost call', () => {
  const end = { call: '1/a', attempt: 't1', ok: true, ms: 5 };

  it('settles the question while no person has answered it (FP3)', () => {
    const late = decideFinish(open, end);
    expect(late.result).toBe('finished-late');

    const after = foldOnto(open, ...late.entries);
    expect(after.questions.get(DOUBT)?.standing).toEqual({ status: 'finished' });
    expect(after.calls.get('1/a')?.answer).toBeDefined();
    expect(decideChoice(after, chosen()).result).toBe('settled');
  });

  it.each(['happened', 'skip', 'retry'] as const)('changes nothing after a person chose %s (D3)', (choice) => {
    const after = foldOnto(open, ...decideChoice(open, chosen({ choice })).entries);

    expect(decideFinish(after, end)).toEqual({ entries: [], result: 'not-mine' });
  });

  it('keeps what the model was told before', () => {
    const told = foldOnto(fold(...before), { type: 'call-answered', call: '1/a', item: 3 });
    const after = foldOnto(told, ...decideFinish(told, end).entries);

    expect(after.calls.get('1/a')?.answer).toBe(3);
  });
});

describe('a call that can safely run twice', () => {
  const unknown = fold(...before);
  const again = (changes: Partial<Start> = {}) => decideStart(unknown, start({ idempotent: true, ...changes }));

  it('is begun again without a question, on the same grant, and says so (FK18)', () => {
    expect(again()).toEqual({
      entries: [{ ...begin, attempt: 't2', repeats: true }],
      result: { type: 'start' },
    });
  });

  it.each<[string, Partial<Start>]>([
    ['a tool that does not say so', { idempotent: false }],
    ['another input', { digest: 'd2' }],
    ['a tool that has changed', { definition: 'v2' }],
    ['another grant', { grant: { type: 'trust', grant: grantId() } }],
  ])('is not begun again with %s (D2)', (_what, changes) => {
    expect(again(changes).result).toEqual({ type: 'refused', why: 'it was started before' });
  });

  it('is not begun again while it may still run, after people were asked, or without end', () => {
    const running = fold(...before.slice(0, -1));
    expect(decideStart(running, start({ idempotent: true })).result.type).toBe('refused');
    expect(decideStart(open, start({ idempotent: true })).result.type).toBe('refused');

    const second = foldOnto(unknown, { ...begin, attempt: 't2', repeats: true }, { ...lost, attempt: 't2' });
    const third = foldOnto(second, { ...begin, attempt: 't3', repeats: true }, { ...lost, attempt: 't3' });
    expect(decideStart(second, start({ idempotent: true, attempt: 't3' })).result.type).toBe('start');
    expect(decideStart(third, start({ idempotent: true, attempt: 't4' })).result.type).toBe('refused');
  });

  it('keeps the result of its newest attempt, and ignores the end of an older one', () => {
    const second = foldOnto(unknown, ...again().entries);

    expect(decideFinish(second, { call: '1/a', attempt: 't1', ok: true, ms: 1 }).result).toBe('not-mine');
    expect(decideFinish(second, { call: '1/a', attempt: 't2', ok: true, ms: 1 }).result).toBe('finished');
    expect(decideUnknown(second, (attempt) => attempt === 't2').result).toEqual([]);
  });

  it('is not begun again when the journal does not say what the tool was', () => {
    const { definition: _, ...older } = begin;
    expect(EntryBody.parse(older)).toEqual(older);

    const state = fold(...before.slice(0, 4), older, lost);
    expect(decideStart(state, start({ idempotent: true })).result.type).toBe('refused');
  });
});

describe('the audit', () => {
  const says = (...entries: readonly EntryBody[]) => brokenPromises(entries).map((broken) => broken.says);
  const settled = { type: 'doubt-settled', doubt: DOUBT, how: 'skip', by: user('ANN') } as const;

  it('finds nothing wrong with what the deciding functions write', () => {
    for (const choice of ['happened', 'skip', 'retry'] as const) {
      expect(says(...before, doubted, posted, ...decideChoice(open, chosen({ choice })).entries)).toEqual([]);
    }
    const late = decideFinish(open, { call: '1/a', attempt: 't1', ok: true, ms: 5 });
    expect(says(...before, doubted, posted, ...late.entries)).toEqual([]);
    expect(says(...before, { ...begin, attempt: 't2', repeats: true })).toEqual([]);
  });

  it.each<[string, readonly EntryBody[], RegExp]>([
    ['a question about a call that is known', [doubted], /asks how call 1\/a ended, which is known/],
    ['a question that is settled twice', [lost, doubted, settled, settled], /settles doubt .* a second time/],
    ['a question that was never asked', [lost, settled], /which was never asked/],
    [
      'a choice without a person',
      [lost, doubted, { type: 'doubt-settled', doubt: DOUBT, how: 'happened' }],
      /which no person chose/,
    ],
    [
      'an end after a person has spoken',
      [lost, doubted, settled, { type: 'call-finished', call: '1/a', attempt: 't1', ok: true, ms: 1, item: 5 }],
      /ends call 1\/a a second time/,
    ],
    ['a second start that does not say so', [lost, { ...begin, attempt: 't2' }], /starts call 1\/a a second time/],
    [
      'a repeat of a call that may still run',
      [{ ...begin, attempt: 't2', repeats: true }],
      /starts call 1\/a a second time/,
    ],
    [
      'a repeat with another input',
      [lost, { ...begin, attempt: 't2', digest: 'd2', repeats: true }],
      /starts call 1\/a a second time/,
    ],
  ])('finds %s', (_what, entries, words) => {
    const found = says(...before.slice(0, 5), ...entries);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(words);
  });

  it('counts the input that an approver wrote as the approved input', () => {
    const state = fold(started, turn(1, 'a'), asked());
    const edit = { input: { text: '{"x":1}' }, digest: 'd2', summary: 'Deploy x.' };
    const { entries } = decidePress(state, pressed({ edit }));

    expect(says(started, turn(1, 'a'), asked(), ...entries, { ...begin, digest: 'd2' })).toEqual([]);
    expect(says(started, turn(1, 'a'), asked(), ...entries, begin)).toEqual([
      'starts call 1/a with something else than was shown',
    ]);
  });
});
