import { decideReferral } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import { type Cards, orFailed, settleSoon } from '../questions/index.ts';
import type { ApprovalId, Person, UserId } from '../records/index.ts';
import type { Surface } from '../surface.ts';
import { type Approvals, type ReferResult, settledAnswer } from './answers.ts';
import { type DecidingDeps, openPressed } from './deciding.ts';

export interface ReferralDeps extends Pick<DecidingDeps, 'open' | 'mayDecide'> {
  readonly cards: Cards;
  readonly callByName: Surface['callByName'];
  readonly log: Log;
}

/** Asks a person by name. The referral is recorded and shown, and gives no right to decide. */
export function createReferrals({ open, mayDecide, cards, callByName, log }: ReferralDeps): Pick<Approvals, 'refer'> {
  const refer = async (id: ApprovalId, by: Person, to: UserId): Promise<ReferResult> => {
    const opened = await openPressed({ open }, id);
    if (opened === undefined) return { type: 'unknown' };
    const { journal, before: approval, asked, input } = opened;
    if (approval.status !== 'pending') return settledAnswer(approval);

    const { team } = approval.thread;
    const right = (person: Person) => mayDecide(asked, approval, { by: person, input });
    const concerned = by.team === team && by.user === approval.requester;
    const ownRight = concerned ? ({ type: 'allowed' } as const) : await right(by);
    if (ownRight.type === 'refused') return { ...ownRight, type: 'not-yours', approval };
    // A person without the right would be asked in vain, and everyone would wait for the answer.
    const theirRight = await right({ user: to, team });
    if (theirRight.type === 'outdated') return { type: 'unfit', problem: theirRight.why };
    if (theirRight.type === 'refused')
      return { type: 'unfit', problem: 'This person may not decide about this call. Choose another.' };

    const committed = await journal.decide(
      (state) => decideReferral(state, { approval: id, by: by.user, to, most: LIMITS.referralsKept }),
      'settled',
    );
    const result = committed === 'late' ? 'settled' : committed;
    switch (result) {
      case 'referred':
        await settleSoon(cards, journal);
        return call(approval, { by: by.user, to }, { maybePosted: false });
      case 'known':
        // The earlier referral may be recorded without a message to that person.
        return call(approval, { by: by.user, to }, { maybePosted: true });
      case 'too-many':
        return { type: 'unfit', problem: `${LIMITS.referralsKept} people were asked already, which is the most.` };
      case 'settled':
        return settledAnswer(await journal.approval(id));
    }
  };

  const call = async (...about: Parameters<Surface['callByName']>): Promise<ReferResult> => {
    const [approval, { to }] = about;
    const what = 'A person is named on a card as asked and could not be called.';
    // Slack may refuse or be away. The referral stays recorded, and the presser hears that no message was sent.
    const called = await orLog(log.warn, what, { approval: approval.id, to }, () => callByName(...about));
    if (called === undefined) return { type: 'uncalled', approval };
    if (called === 'called') return { type: 'referred', approval };
    return { type: 'unfit', problem: 'This person was asked already.' };
  };

  return {
    refer: (id, by, to) =>
      orFailed(log, 'A person was to be asked by name and was not.', { approval: id }, () => refer(id, by, to)),
  };
}
