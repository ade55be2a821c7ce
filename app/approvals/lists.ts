import { askedIndex, NewerJournalError, settledIndex, waitingIndex } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import { type Approval, ApprovalId, type Doubt, type UserId } from '../records/index.ts';
import type { IndexName, Store } from '../store/index.ts';
import type { Approvals, Presser, WaitingList } from './answers.ts';

export interface ListDeps {
  readonly store: Pick<Store, 'members'>;
  readonly find: (id: ApprovalId) => Promise<Approval | undefined>;
  /** One kind of id, and each journal knows what it is the id of. */
  readonly findDoubt: (id: ApprovalId) => Promise<Doubt | undefined>;
  /** The groups of the rules that this person is in, as far as anybody can say just now. Must not reject. */
  readonly groupsOf: (person: Presser) => Promise<readonly UserId[]>;
  readonly now: () => number;
}

/** What concerns one person. The lists are for showing only: what is open is said by the journals. */
export function createLists({
  store,
  find,
  findDoubt,
  groupsOf,
  now,
}: ListDeps): Pick<Approvals, 'waitingFor' | 'askedBy' | 'settledFor'> {
  const lookUp = async <Found>(
    ids: readonly string[],
    look: (id: ApprovalId) => Promise<Found | undefined>,
  ): Promise<readonly Found[]> => {
    const found = await Promise.all(ids.map((id) => look(ApprovalId.parse(id)).catch(unlessNewer)));
    return found.filter((one) => one !== undefined);
  };

  const open = async (
    indexes: readonly IndexName[],
    isTheirs: (approval: Approval) => boolean,
  ): Promise<WaitingList> => {
    const ids = [...new Set((await Promise.all(indexes.map((index) => store.members(index)))).flat())];
    const shown = ids.slice(0, LIMITS.waitingShown);
    const approvals = (await lookUp(shown, find))
      .filter((approval) => approval.status === 'pending' && isTheirs(approval))
      .sort((one, other) => one.askedAtMs - other.askedAtMs);
    const doubts = (await lookUp(shown, findDoubt)).filter(({ standing }) => standing.status === 'pending');
    return { approvals, doubts, more: ids.length - shown.length };
  };

  /** Day by day backwards, until there is enough to show. */
  const settledFor = async ({ team, user }: Presser): Promise<readonly Approval[]> => {
    const found: Approval[] = [];
    for (let day = 0; day < LIMITS.settledDays && found.length < LIMITS.settledShown; day += 1) {
      const ids = await store.members(settledIndex(team, user, now() - day * DAY_MS));
      found.push(...(await lookUp(ids.slice(0, LIMITS.settledRead), find)));
    }
    return found.sort((one, other) => settledAt(other) - settledAt(one)).slice(0, LIMITS.settledShown);
  };

  return {
    // What is asked of a group stands in the list of the group, and who is in it is asked of Slack each time.
    waitingFor: async (by) => {
      const whose = [by.user, ...(await groupsOf(by))];
      return open(
        whose.map((id) => waitingIndex(by.team, id)),
        (approval) => canStillAnswer(approval, by.user),
      );
    },
    askedBy: ({ team, user }) => open([askedIndex(team, user)], () => true),
    settledFor,
  };
}

/** What only a newer version reads is shown by that one; all others stand in the list of this one as well. */
function unlessNewer(error: unknown): undefined {
  if (!(error instanceof NewerJournalError)) throw error;
}

/** The list of a group knows neither who asked nor who has had their say. */
function canStillAnswer(approval: Approval, user: UserId): boolean {
  const { rule, requester, alsoSteeredBy, progress, referred } = approval;
  if (progress?.yeses.some(({ by }) => by === user)) return false;
  if (!rule.selfApproval && alsoSteeredBy.includes(user)) return false;
  const named = rule.approvers.length === 0 || referred.some(({ to }) => to === user);
  return named || rule.selfApproval || requester !== user;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function settledAt(approval: Approval): number {
  return 'decision' in approval ? approval.decision.atMs : approval.expiresAtMs;
}
