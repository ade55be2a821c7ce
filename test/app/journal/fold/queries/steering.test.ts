import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../../../app/journal/facts/entries.ts';
import { alsoSteeredBy, steeredBy } from '../../../../../app/journal/fold/queries/steering.ts';
import { covers, type GrantedCall } from '../../../../../app/journal/fold/queries/trusts.ts';
import { fold, grantId, HOUR_MS, started, THREAD, turn, user } from '../../../../support/journal.ts';

const [ANN, BEN, ZOE] = [user('ANN'), user('BEN'), user('ZOE')];

const said = (by: typeof ANN, item: number): EntryBody => ({ type: 'person-said', key: `m${item}`, user: by, item });
const guided = (item: number): EntryBody => ({ type: 'guided', item });

describe('the people who steered a call', () => {
  it('are only the requester when no other person wrote (MF-6)', () => {
    expect(steeredBy(fold(started, said(ANN, 0), turn(1, 'a')), '1/a')).toEqual([ANN]);
    expect(alsoSteeredBy(fold(started, said(ANN, 0), turn(1, 'a')), '1/a')).toEqual([]);
  });

  it('are the authors of every message that the model got before the turn that asked, each once (MF-6)', () => {
    const state = fold(started, said(ANN, 0), said(BEN, 1), said(ANN, 2), guided(3), turn(1, 'a'));

    expect(steeredBy(state, '1/a')).toEqual([ANN, BEN]);
    expect(alsoSteeredBy(state, '1/a')).toEqual([BEN]);
  });

  it('include the author of the very first message, even when another person is the requester (MF-6)', () => {
    expect(steeredBy(fold(started, said(BEN, 0), turn(1, 'a')), '1/a')).toEqual([ANN, BEN]);
  });

  it('include no author of a later message, which steers only the calls of the next turn (MF-6)', () => {
    const state = fold(started, said(ANN, 0), turn(1, 'a', 'b'), said(BEN, 2), turn(2, 'a'), said(ZOE, 4));

    expect(steeredBy(state, '1/a')).toEqual([ANN]);
    expect(steeredBy(state, '1/b')).toEqual([ANN]);
    expect(steeredBy(state, '2/a')).toEqual([ANN, BEN]);
  });

  it('are the same for a call that a person had tried again (MF-6)', () => {
    const state = fold(started, said(ANN, 0), turn(1, 'a'), said(BEN, 2), turn(2, 'c'));

    expect(steeredBy(state, '1/a~2')).toEqual([ANN]);
  });

  it('are all authors of the run for a call that no turn asked for (MF-6)', () => {
    const state = fold(started, said(ANN, 0), turn(1, 'a'), said(BEN, 2));

    expect(steeredBy(state, '7/a')).toEqual([ANN, BEN]);
    expect(steeredBy(state, 'nonsense')).toEqual([ANN, BEN]);
  });

  it('include the requester, even when the journal holds no message of the requester (MF-6)', () => {
    expect(steeredBy(fold(started, turn(1, 'a')), '1/a')).toEqual([ANN]);
  });
});

describe('trust in what one person starts', () => {
  const covered = (scope: 'requester' | 'thread' | 'channel', authors: GrantedCall['steeredBy']): boolean => {
    const place = { team: THREAD.team, thread: THREAD, requester: ANN };
    const call = { tool: 'deploy', definition: 'v1', policy: 'p1' };
    const offer = { line: 'deploy', match: 'any', scope, forMs: HOUR_MS } as const;
    const given = { id: grantId(), by: ANN, givenAtMs: 0, untilMs: HOUR_MS, uses: 0 };
    return covers(
      { ...place, ...call, ...given, offer },
      { ...place, ...call, digest: 'd1', input: {}, steeredBy: authors },
      1,
    );
  };

  it('covers a call that this person alone steered, and no call that another person also steered (MF-6, T11)', () => {
    expect(covered('requester', [ANN])).toBe(true);
    expect(covered('requester', [ANN, BEN])).toBe(false);
  });

  it('differs from trust in a place, which covers calls that any of its members steered (MF-6)', () => {
    expect(covered('thread', [ANN, BEN])).toBe(true);
    expect(covered('channel', [ANN, BEN])).toBe(true);
  });
});
