import { describe, expect, it } from 'vitest';
import { decideFeedback, type FeedbackFacts } from '../../../../app/journal/decide/feedback.ts';
import { fold, foldOnto, started, turn, user } from '../../../support/journal.ts';

const card = { channel: 'C1', ts: '2.0' };
const told = fold(
  started,
  turn(1),
  { type: 'posted', key: 'turn/1', card },
  { type: 'run-finished' },
  { type: 'sealed' },
);
const facts = (changes: Partial<FeedbackFacts> = {}): FeedbackFacts => ({
  turn: 1,
  by: user('ANN'),
  opinion: 'good',
  card,
  most: 3,
  ...changes,
});

describe('feedback on an answer', () => {
  it('is recorded with its author, even after the run is over (P44)', () => {
    expect(decideFeedback(told, facts())).toEqual({
      entries: [{ type: 'feedback-given', about: 'turn/1', by: user('ANN'), opinion: 'good' }],
      result: 'kept',
    });
  });

  it('is recorded once per person, and may change', () => {
    const once = foldOnto(told, ...decideFeedback(told, facts()).entries);

    expect(decideFeedback(once, facts())).toEqual({ entries: [], result: 'kept-before' });
    expect(decideFeedback(once, facts({ opinion: 'bad' })).result).toBe('kept');
    expect(decideFeedback(once, facts({ by: user('BEN') })).result).toBe('kept');
  });

  it.each([
    ['an answer that was never posted', { turn: 2 }],
    ['a copy in another channel', { card: { channel: 'C2', ts: '2.0' } }],
  ])('is refused about %s', (_what, changes) => {
    expect(decideFeedback(told, facts(changes))).toEqual({ entries: [], result: 'unknown' });
  });

  it('is limited, so that it cannot fill a journal', () => {
    const full = ['A', 'B', 'C'].reduce(
      (state, by) => foldOnto(state, ...decideFeedback(state, facts({ by: user(by) })).entries),
      told,
    );

    expect(decideFeedback(full, facts()).result).toBe('full');
  });
});
