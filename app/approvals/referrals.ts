import { decideReferral } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import { type Cards, orFailed, settleSoon } from '../questions/index.ts';
import type { ApprovalId, UserId } from '../records/index.ts';
import type { Surface } from '../surface.ts';
import { type Approvals, type Presser, type ReferResult, settledAnswer } from './answers.ts';
import { type DecidingDeps, openPressed } from './deciding.ts';

export interface ReferralDeps extends Pick<DecidingDeps, 'open' | 'mayDecide'> {
  readonly cards: Cards;
  readonly callByName: Surface['callByName'];
  readonly log: Log;
}

/** Asking somebody by name: recorded and shown, and no right of its own. */
export function createReferrals({ open, mayDecide, cards, callByName, log }: ReferralDeps): Pick<Approvals, 'refer'> {
  const refer = async (id: ApprovalId, by: Presser, to: UserId): Promise<ReferResult> => {
    const opened = await openPressed({ open }, id);
    if (opened === undefined) return { type: 'unknown' };
    const { journal, before: approval, asked, input } = opened;
    if (approval.status !== 'pending') return settledAnswer(approval);

    const { team } = approval.thread;
    const right = (person: Presser) => mayDecide(asked, approval, { by: person, input });
    const concerned = by.team === team && by.user === approval.requester;
    const mine = concerned ? ({ type: 'allowed' } as const) : await right(by);
    if (mine.type === 'refused') return { type: 'not-yours', why: mine.why, rule: approval.rule };
    // Whoever is asked in vain waits, and so does everybody else.
    const theirs = await right({ user: to, team });
    if (theirs.type === 'outdated') return { type: 'unfit', problem: theirs.why };
    if (theirs.type === 'refused') return { type: 'unfit', problem: 'This person may not decide about this call.' };

    const committed = await journal.decide(
      (state) => decideReferral(state, { approval: id, by: by.user, to, most: LIMITS.referralsKept }),
      'settled',
    );
    const result = committed.type === 'done' ? committed.result : 'settled';
    switch (result) {
      case 'referred':
        await settleSoon(cards, journal);
        return call(approval, { by: by.user, to }, { maybePosted: false });
      case 'known':
        // Whoever asked before may have heard that they could not be called.
        return call(approval, { by: by.user, to }, { maybePosted: true });
      case 'too-many':
        return { type: 'unfit', problem: `${LIMITS.referralsKept} people were asked by name already. That has to do.` };
      case 'settled':
        return settledAnswer(await journal.approval(id));
    }
  };

  const call = async (...about: Parameters<Surface['callByName']>): Promise<ReferResult> => {
    const [approval, { to }] = about;
    try {
      const called = await callByName(...about);
      if (called === 'called') return { type: 'referred', approval };
      return { type: 'unfit', problem: 'This person was asked already.' };
    } catch (error) {
      log.warn('Somebody stands on a card as asked and could not be called.', { approval: approval.id, to, error });
      return { type: 'uncalled', approval };
    }
  };

  return {
    refer: (id, by, to) =>
      refer(id, by, to).catch(orFailed(log, 'Somebody was to be asked by name and was not.', { approval: id })),
  };
}
