import { describe, expect, it } from 'vitest';
import {
  applyAnswers,
  dismissInterrupts,
  type Interrupt,
  InterventionError,
  type Json,
} from '../../../interventions/index.ts';

const open: Interrupt = { id: 'one', name: 'gate', source: 'hook' };
const other: Interrupt = { ...open, id: 'two' };
const answer = (interruptId: string, response: Json) => ({ interruptResponse: { interruptId, response } });
const standing = { interrupts: [open, other], spent: [], nowMs: 1_000 };

function circle(): unknown {
  const value: { inner?: unknown } = {};
  value.inner = value;
  return value;
}

describe('the answers of a resume', () => {
  it('count until the time of their question is over (I-19)', () => {
    const before = { ...standing, interrupts: [{ ...open, expiresAtMs: 1_001 }] };
    const after = { ...standing, interrupts: [{ ...open, expiresAtMs: 1_000 }] };

    expect(applyAnswers([answer('one', true)], before)).toMatchObject({ interrupts: [{ id: 'one', response: true }] });
    expect(() => applyAnswers([answer('one', true)], after)).toThrow('has expired');
  });

  it('may come twice, and repeat the newest answer to a question that was answered before (I-19)', () => {
    const spent = [false, true].map((response) => ({ interruptId: 'gone', response }));

    expect(applyAnswers([answer('gone', true)], { ...standing, spent })).toEqual({ type: 'repeated' });
    expect(() => applyAnswers([answer('gone', false)], { ...standing, spent })).toThrow(
      'decided already, and otherwise',
    );
  });

  it('belong to their question, in any letter case when they are words (BEY-38)', () => {
    const words = { ...standing, interrupts: [{ ...open, answers: ['keep', { size: 1 }, 'Now'] }] };
    const given = (response: Json) => () => applyAnswers([answer('one', response)], words);

    for (const response of ['keep', ' KEEP ', { size: 1 }, 'Now']) expect(given(response)().type).toBe('answered');
    for (const response of ['drop', { size: 2 }, true, null]) expect(given(response)).toThrow('so it is still open');
  });

  it('to a question of a callback, that lists its answers, say a known decision or one of the list (BEY-38)', () => {
    const asked = { ...standing, interrupts: [{ ...open, answers: ['keep', { decision: 'later' }] }] };
    const given = (decision: Json) => () => applyAnswers([answer('one', { decision })], asked);

    for (const decision of ['approve', 'cancelled', 'later']) expect(given(decision)().type).toBe('answered');
    for (const decision of ['aprove', 7, null]) expect(given(decision)).toThrow('so it is still open');
  });

  it.each<[string, unknown]>([
    ['a date', { decision: 'approve', editedInput: { at: new Date(0) } }],
    ['a function', () => true],
    ['a number that is none', Number.NaN],
    ['a big integer', 1n],
    ['a member that runs code', Object.defineProperty({ decision: 'approve' }, 'editedInput', { get: () => 1 })],
    ['a list with an undefined item', { decision: 'approve', editedInput: [undefined] }],
    ['a circle', Object.assign([], { 0: standing.spent, 1: circle() })],
  ])('that are or hold %s are refused, because a store would lose them (BEY-8)', (_what, value) => {
    expect(() => applyAnswers([answer('one', value as Json)], standing)).toThrow(
      expect.objectContaining({ problem: 'invalid', message: expect.stringContaining('JSON cannot hold') }),
    );
  });

  it('may leave members undefined, as programs do, also when they are repeated (BEY-5, BEY-8)', () => {
    const value = { decision: 'approve', comment: undefined } as unknown as Json;

    const stored = [{ interruptId: 'one', response: { decision: 'approve' } }];

    expect(applyAnswers([answer('one', value)], standing).type).toBe('answered');
    expect(applyAnswers([answer('one', value)], { ...standing, interrupts: [], spent: stored }).type).toBe('repeated');
  });

  it('that were already given make a list with new ones invalid, and the error names them (BEY-6)', () => {
    const decided = { ...standing, interrupts: [{ ...open, response: true }, other] };

    expect(() => applyAnswers([answer('two', true), answer('one', true)], decided)).toThrow(
      expect.objectContaining({ problem: 'decided', interruptId: 'one' }),
    );
  });

  it('that were used long ago are accepted only unchanged (BEY-5)', () => {
    const used = { ...standing, interrupts: [], spent: [{ interruptId: 'one', response: { b: 1, a: 2 } }] };

    expect(applyAnswers([answer('one', { a: 2, b: 1 })], used)).toEqual({ type: 'repeated' });
    expect(() => applyAnswers([answer('one', false)], used)).toThrow('was decided already, and otherwise');
    expect(() => applyAnswers([answer('two', false)], used)).toThrow('is not a question of this agent');
  });
});

describe('withdrawing questions', () => {
  const cancelled = { decision: 'cancelled', comment: 'no need' };

  it('withdraws all of them, and keeps those that were answered (BEY-7)', () => {
    const left = dismissInterrupts([{ ...open, response: true }, other], { reason: 'no need' });

    expect(left.map(({ response }) => response)).toEqual([true, cancelled]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['one id', 'one'],
    ['an object', { ids: ['one'] }],
  ])('withdraws none when it is given %s in place of a list, and says so (BEY-7, BEY-40)', (_what, ids) => {
    const withdraw = () => dismissInterrupts([open], { ids: ids as string[], reason: 'no need' });

    expect(withdraw).toThrow(InterventionError);
    expect(withdraw).toThrow('which is no list of ids. Give a list, or leave it out to take all back.');
  });

  it('withdraws those that are named, and no other (BEY-7)', () => {
    const left = dismissInterrupts([open, other], { ids: ['two'], reason: 'no need' });

    expect(left.map(({ response }) => response)).toEqual([undefined, cancelled]);
    expect(() => dismissInterrupts([open, other], { ids: ['two', 'three'], reason: 'no need' })).toThrow(
      expect.objectContaining({ problem: 'unknown', interruptId: 'three' }),
    );
  });
});
