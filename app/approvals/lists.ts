import { askedIndex, settledIndex, waitingIndex } from '../journal/effects.ts';
import { LIMITS } from '../limits.ts';
import { type Approval, ApprovalId, type Doubt } from '../records.ts';
import type { IndexName, Store } from '../store/store.ts';
import type { Approvals, Presser, WaitingList } from './answers.ts';

export interface ListDeps {
  readonly store: Pick<Store, 'members'>;
  readonly find: (id: ApprovalId) => Promise<Approval | undefined>;
  /** One kind of id, and each journal knows what it is the id of. */
  readonly findDoubt: (id: ApprovalId) => Promise<Doubt | undefined>;
  readonly now: () => number;
}

/** What concerns one person. The lists are for showing only: what is open is said by the journals. */
export function createLists({
  store,
  find,
  findDoubt,
  now,
}: ListDeps): Pick<Approvals, 'waitingFor' | 'askedBy' | 'settledFor'> {
  const lookUp = async (ids: readonly string[]): Promise<readonly Approval[]> => {
    const found = await Promise.all(ids.map((id) => find(ApprovalId.parse(id))));
    return found.filter((approval) => approval !== undefined);
  };

  const open = async (index: IndexName): Promise<WaitingList> => {
    const ids = await store.members(index);
    const shown = ids.slice(0, LIMITS.waitingShown);
    const approvals = (await lookUp(shown))
      .filter(({ status }) => status === 'pending')
      .sort((one, other) => one.askedAtMs - other.askedAtMs);
    const lost = await Promise.all(shown.map((id) => findDoubt(ApprovalId.parse(id))));
    const doubts = lost.flatMap((doubt) => (doubt?.standing.status === 'pending' ? [doubt] : []));
    return { approvals, doubts, more: ids.length - shown.length };
  };

  /** Day by day backwards, until there is enough to show. */
  const settledFor = async ({ team, user }: Presser): Promise<readonly Approval[]> => {
    const found: Approval[] = [];
    for (let day = 0; day < LIMITS.settledDays && found.length < LIMITS.settledShown; day += 1) {
      const ids = await store.members(settledIndex(team, user, now() - day * DAY_MS));
      found.push(...(await lookUp(ids.slice(0, LIMITS.settledRead))));
    }
    return found.sort((one, other) => settledAt(other) - settledAt(one)).slice(0, LIMITS.settledShown);
  };

  return {
    waitingFor: ({ team, user }) => open(waitingIndex(team, user)),
    askedBy: ({ team, user }) => open(askedIndex(team, user)),
    settledFor,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function settledAt(approval: Approval): number {
  return 'decision' in approval ? approval.decision.atMs : approval.expiresAtMs;
}
