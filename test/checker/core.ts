import { decideAsk } from '../../app/journal/decide/ask.ts';
import { decideExpiry, decidePress, decideStop } from '../../app/journal/decide/decide.ts';
import { decideChoice, decideDoubt } from '../../app/journal/decide/doubts.ts';
import { decideQuestionExpiry } from '../../app/journal/decide/questions.ts';
import { decideFinish, decideStart, decideUnknown } from '../../app/journal/decide/start.ts';
import { decideRevoke, decideUse } from '../../app/journal/decide/trusts.ts';
import type { TrustEntryBody } from '../../app/journal/facts/trusts.ts';
import { evolve } from '../../app/journal/fold/evolve.ts';
import { evolveTrust, type TrustState } from '../../app/journal/fold/trusts.ts';

/** The rules under test. They are a parameter, so that a test can switch one off. */
export const CORE = {
  evolve,
  decideAsk,
  decidePress,
  decideExpiry,
  decideStop,
  decideStart,
  decideFinish,
  decideUnknown,
  decideDoubt,
  decideChoice,
  decideQuestionExpiry,
  decideUse,
  decideRevoke,
  /** Computes a trust from its own journal. */
  foldGrant: (entries: readonly TrustEntryBody[]): TrustState => {
    const folded = entries.reduce<TrustState | undefined>(
      (state, entry, at) => evolveTrust(state, { ...entry, id: `g${at}`, atMs: 0 }),
      undefined,
    );
    if (folded === undefined) throw new Error('A grant begins with being given.');
    return folded;
  },
  /** Whether a person may decide, computed at the press. */
  rightOf: (person: { readonly mayDecide: boolean }): Right =>
    person.mayDecide ? { type: 'allowed' } : { type: 'refused', why: 'not theirs to decide' },
  /** Whether the store accepts an append: only at the version it was decided on. */
  fits: (expectedVersion: number, version: number): boolean => expectedVersion === version,
  /** Does the store know an append that was sent twice? */
  knows: (sentId: string, storedId: string | undefined): boolean => sentId === storedId,
  /** Does the store refuse a press that is too late? */
  isLate: (nowMs: number, notAfterMs: number): boolean => nowMs > notAfterMs,
  /** What runs right after *started* is written, and not before. */
  startsFirst: true as boolean,
};

export type Core = typeof CORE;

type Right = { readonly type: 'allowed' } | { readonly type: 'refused'; readonly why: string };
