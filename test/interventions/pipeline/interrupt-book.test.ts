import { describe, expect, it } from 'vitest';
import { createInterruptBook, InterruptError, type Place } from '../../../interventions/index.ts';

const place: Place = { agentId: 'a', kind: 'beforeToolCall', turn: 1, attempt: 1, toolUseId: 't-1' };
const question = { id: 'one', name: 'one', source: 'hook' } as const;

describe('the questions of a pause', () => {
  it('are withdrawn unless they are answered (BEY-5)', () => {
    const answered = { ...question, id: 'two', response: false };
    const book = createInterruptBook([question, answered]);
    book.withdraw([question, answered]);

    expect(book.list()).toEqual([answered]);
  });

  it('wait on when their code brings an answer to one that was asked without it (I-04)', () => {
    const book = createInterruptBook();
    const raise = book.raiser(place);

    expect(() => raise({ name: 'ask' })).toThrow(InterruptError);
    expect(() => raise({ name: 'ask', response: true })).toThrow(InterruptError);
    expect(raise({ name: 'other', response: false })).toBe(false);
  });

  it('leave their names free once the pause is over (I-13)', () => {
    const book = createInterruptBook();
    const raise = book.raiser(place);
    expect(() => raise({ name: 'ask', reason: 'one' })).toThrow(InterruptError);
    expect(() => raise({ name: 'ask', reason: 'two' })).toThrow('Interrupt names must be unique');
    book.clear();

    expect(() => raise({ name: 'ask', reason: 'two' })).toThrow(InterruptError);
    expect(book.list().map(({ reason }) => reason)).toEqual(['two']);
  });
});
