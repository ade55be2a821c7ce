import { describe, expect, it } from 'vitest';
import { decidePress } from '../../../../app/journal/decide/decide.ts';
import { decideReferral } from '../../../../app/journal/decide/referrals.ts';
import { EntryBody } from '../../../../app/journal/facts/entries.ts';
import type { RunState } from '../../../../app/journal/fold/state.ts';
import { owedPaintings } from '../../../../app/journal/owed/cards.ts';
import { effectsOf } from '../../../../app/journal/owed/effects.ts';
import { threadKey } from '../../../../app/records/index.ts';
import { approvalId, asked, fold, foldOnto, pressed, started, THREAD, turn, user } from '../../../support/journal.ts';

const waiting = fold(started, turn(1, 'a'), asked());
const refer = (state: RunState, to: string, most = 5) =>
  decideReferral(state, { approval: approvalId(), by: user('ANN'), to: user(to), most });
const to = (state: RunState, ...people: readonly string[]) =>
  people.reduce((before, person) => foldOnto(before, ...refer(before, person).entries), state);
const listed = (state: RunState, entries: readonly EntryBody[]) =>
  effectsOf(state, entries, { thread: threadKey(THREAD), graceMs: 0 }).flatMap((effect) =>
    'index' in effect && effect.index.of === 'T1:BEN' ? [effect.type] : [],
  );

describe('a call for a person by name', () => {
  it('is an entry that can be read back, and changes the card', () => {
    const [entry] = refer(waiting, 'BEN').entries;

    expect(EntryBody.parse(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
    expect(owedPaintings(waiting)).toEqual([]);
    expect(owedPaintings(to(waiting, 'BEN'))).toHaveLength(1);
  });

  it('puts the question on the list of that person, and its end removes it', () => {
    const { entries } = refer(waiting, 'BEN');
    const referred = foldOnto(waiting, ...entries);
    const decided = decidePress(referred, pressed());

    expect(listed(referred, entries)).toEqual(['member']);
    expect(listed(foldOnto(referred, ...decided.entries), decided.entries)).toEqual(['not-member']);
  });

  it('is made once for each person, a limited number of times, and for no settled question', () => {
    expect(refer(to(waiting, 'BEN'), 'BEN').result).toBe('known');
    expect(refer(to(waiting, 'BEN', 'CAT'), 'DAN', 2).result).toBe('too-many');
    expect(refer(foldOnto(waiting, ...decidePress(waiting, pressed()).entries), 'BEN').result).toBe('settled');
  });
});
