import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { RunId, type StandingTrust } from '../../records/index.ts';
import type { TrustEntryBody } from '../facts/trusts.ts';
import type { Stamp } from '../line/line.ts';
import { BrokenJournalError } from './changes.ts';

export interface TrustState {
  readonly trust: StandingTrust;
  /** A set, so that each call counts once even if its use is written twice. */
  readonly usedBy: ReadonlySet<string>;
  /** How many entries the journal has. */
  readonly version: number;
}

export function evolveTrust(state: TrustState | undefined, entry: TrustEntryBody & Stamp): TrustState {
  if (state === undefined) {
    if (entry.type !== 'grant-given') throw new BrokenJournalError(`begins with ${entry.type}`);
    const { type: _type, id: _id, atMs, grant: id, ...rest } = entry;
    return { trust: { ...given(rest), id, givenAtMs: atMs, uses: 0 }, usedBy: new Set(), version: 1 };
  }
  const version = state.version + 1;
  switch (entry.type) {
    case 'grant-given':
      throw new BrokenJournalError('gives one trust twice');
    case 'grant-used': {
      const usedBy = new Set([...state.usedBy, keyOfUse(entry)]);
      return { usedBy, version, trust: { ...state.trust, uses: usedBy.size } };
    }
    case 'grant-revoked':
      return { ...state, version, trust: { ...state.trust, revoked: { by: entry.by, atMs: entry.atMs } } };
    default:
      return unreachable(entry);
  }
}

export const keyOfUse = ({ run, call }: { readonly run: RunId; readonly call: string }) => `${run} ${call}`;

/** The runs of which a call used the trust, newest first. */
export function runsOn({ usedBy }: TrustState): readonly RunId[] {
  return [...new Set([...usedBy].reverse().map((use) => RunId.parse(use.split(' ')[0])))];
}
