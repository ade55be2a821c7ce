import type { Authority, People } from '../authority/index.ts';
import { type AskedApproval, namedNow } from '../journal/index.ts';
import type { Approval, UserId } from '../records/index.ts';

/** Finds the approvers who are named on a card that they cannot see, because they are not in its channel. */

export interface OutOfSightDeps {
  readonly people: People;
  readonly mayDecide: Authority['mayDecide'];
}

export interface OpenQuestion {
  readonly asked: AskedApproval;
  readonly approval: Approval;
  readonly input: string;
}

/** The approvers named now who may decide and are not known to be in the card's channel. Never rejects. */
export async function outOfSight(
  { people, mayDecide }: OutOfSightDeps,
  { asked, approval, input }: OpenQuestion,
): Promise<readonly UserId[]> {
  const { thread, requester } = approval;
  const { team, workspace, channel } = thread;
  const isTold = async (user: UserId): Promise<boolean> => {
    if (await people.isInChannel({ user, team, workspace }, channel)) return false;
    return (await mayDecide(asked, approval, { by: { user, team }, input })).type === 'allowed';
  };
  const named = namedNow(asked.rule, requester, asked.yeses);
  const told = await Promise.all(named.map(isTold));
  return named.filter((_, at) => told[at]);
}
