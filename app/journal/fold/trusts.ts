import { unreachable } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { RunId, type StandingTrust } from '../../records/index.ts';
import type { TrustEntryBody } from '../facts/trusts.ts';
import type { Stamp } from '../line/line.ts';
import { BrokenJournalError } from './changes.ts';

export interface TrustState {
  readonly trust: StandingTrust;
  /** A call counts once, even if its use is written twice. */
  readonly usedBy: Uses;
  /** How many entries the journal has. */
  readonly version: number;
}

export function evolveTrust(state: TrustState | undefined, entry: TrustEntryBody & Stamp): TrustState {
  if (state === undefined) {
    if (entry.type !== 'grant-given') throw new BrokenJournalError(`begins with ${entry.type}`);
    const { type: _type, id: _id, atMs, grant: id, ...rest } = entry;
    return { trust: { ...given(rest), id, givenAtMs: atMs, uses: 0 }, usedBy: uses(new Map(), 0), version: 1 };
  }
  const version = state.version + 1;
  switch (entry.type) {
    case 'grant-given':
      throw new BrokenJournalError('gives one trust twice');
    case 'grant-used': {
      const usedBy = state.usedBy.and(keyOfUse(entry));
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
  return [
    ...new Set(
      usedBy
        .all()
        .reverse()
        .map((use) => RunId.parse(use.split(' ')[0])),
    ),
  ];
}

/** The calls that used a trust. Later states share the table of earlier ones, because it has no bound. */
interface Uses {
  readonly size: number;
  readonly has: (use: string) => boolean;
  readonly all: () => string[];
  readonly and: (use: string) => Uses;
}

/** `table` has the position of each use. Those behind the first `size` are of later states. */
function uses(table: Map<string, number>, size: number): Uses {
  const has = (use: string) => (table.get(use) ?? size) < size;
  const all = () => [...table.keys()].slice(0, size);
  return {
    size,
    has,
    all,
    and: (use) => {
      if (has(use)) return uses(table, size);
      // Another state has gone on from this one.
      const own = table.size === size ? table : new Map(all().map((known, at) => [known, at]));
      return uses(own.set(use, size), size + 1);
    },
  };
}
