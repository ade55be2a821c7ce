import type { Cards } from '../cards.ts';
import type { PressFacts } from '../journal/decide.ts';
import { decideReferral } from '../journal/referrals.ts';
import type { AskedApproval } from '../journal/state.ts';
import { LIMITS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Approval, ApprovalId, UserId } from '../records.ts';
import type { RunJournal } from '../run-journal.ts';
import { type Approvals, type Presser, type ReferResult, settledAnswer } from './answers.ts';

export interface ReferralDeps {
  readonly open: (id: ApprovalId) => Promise<RunJournal | undefined>;
  readonly mayDecide: (
    asked: AskedApproval,
    approval: Approval,
    press: { readonly by: Presser; readonly input: string },
  ) => Promise<PressFacts['right']>;
  readonly cards: Cards;
  readonly log: Log;
}

/** Asking somebody by name: recorded and shown, and no right of its own. */
export function createReferrals({ open, mayDecide, cards, log }: ReferralDeps): Pick<Approvals, 'refer'> {
  const refer = async (id: ApprovalId, by: Presser, to: UserId): Promise<ReferResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const asked = journal?.state()?.approvals.get(id);
    if (journal === undefined || approval === undefined || asked === undefined) return { type: 'unknown' };
    if (approval.status !== 'pending') return settledAnswer(approval);

    const { team } = approval.thread;
    const input = (await journal.inputOf(id))?.asked ?? '';
    const right = (person: Presser) => mayDecide(asked, approval, { by: person, input });
    const concerned = by.team === team && by.user === approval.requester;
    const mine = concerned ? ({ type: 'allowed' } as const) : await right(by);
    if (mine.type === 'refused') return { type: 'not-yours', why: mine.why, rule: approval.rule };
    // Whoever is asked in vain waits, and so does everybody else.
    const theirs = await right({ user: to, team });
    if (theirs.type === 'outdated') return { type: 'unfit', problem: theirs.why };
    if (theirs.type === 'refused') return { type: 'unfit', problem: 'This person may not decide about this call.' };

    const committed = await journal.commit((state) =>
      state === undefined
        ? { entries: [], result: 'settled' as const }
        : decideReferral(state, { approval: id, by: by.user, to, most: LIMITS.referralsKept }),
    );
    const result = committed.type === 'done' ? committed.result : 'settled';
    switch (result) {
      case 'referred':
        await cards.settle(journal);
        return { type: 'referred', approval };
      case 'known':
        return { type: 'unfit', problem: 'This person was asked already.' };
      case 'too-many':
        return { type: 'unfit', problem: `${LIMITS.referralsKept} people were asked by name already. That has to do.` };
      case 'settled':
        return settledAnswer(await journal.approval(id));
    }
  };

  return {
    refer: (id, by, to) =>
      refer(id, by, to).catch((error: unknown): ReferResult => {
        log.error('Somebody was to be asked by name and was not.', { approval: id, error });
        return { type: 'failed' };
      }),
  };
}
