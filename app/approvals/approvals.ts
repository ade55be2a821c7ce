import {
  type AskedApproval,
  decideCancel,
  decideExpiry,
  notRecorded,
  type PressResult,
  type RunState,
} from '../journal/index.ts';
import type { Log } from '../log.ts';
import { type Cards, createFindJournal, settleSoon } from '../questions/index.ts';
import type { RunJournal } from '../recorder/index.ts';
import {
  type Approval,
  type ApprovalId,
  type CardReceipt,
  type ListCard,
  type ThreadKey,
  type TrustTerms,
  threadKey,
  type UserId,
} from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import type { Surface } from '../surface.ts';
import { createAftermath } from './aftermath.ts';
import {
  type Approvals,
  type ApprovalsAtWork,
  type ConsiderResult,
  type DecideResult,
  type OfferResult,
  type Press,
  type Presser,
  settledAnswer,
} from './answers.ts';
import { createLists } from './lists.ts';
import { createPresses, type PressesDeps, realInput } from './presses.ts';
import { createReferrals } from './referrals.ts';
import { createTogether } from './together.ts';

export type * from './answers.ts';

export interface ApprovalsDeps extends Omit<PressesDeps, 'open'> {
  readonly store: Pick<Store, 'findApproval' | 'members'>;
  readonly mayApproveTogether: (list: ListCard) => boolean;
  readonly journalOf: (approvalRun: RunState['run']) => RunJournal;
  readonly cards: Cards;
  /** Writes the standing yes that a trust decision gives. */
  readonly grantTrust: (approval: Approval, asked: AskedApproval) => Promise<void>;
  /** The same request as a message of this person, taken once for each approval. */
  readonly request: (approval: Approval, by: Presser) => Promise<unknown>;
  /** Shows once more what stood on a card that is gone. */
  readonly showAgain: (
    journal: RunJournal,
    lost: { readonly approval: ApprovalId; readonly card: CardReceipt },
  ) => Promise<void>;
  readonly callByName: Surface['callByName'];
  /** The thread can go on. The hint told whoever is awake; this is for when nobody is. */
  readonly wake: (thread: ThreadKey) => void;
  /** For showing what waits for a group; it decides nothing. Must not reject. */
  readonly groupsOf: (person: Presser) => Promise<readonly UserId[]>;
  /** For showing what is recent; it decides nothing. */
  readonly now: () => number;
  readonly log: Log;
  readonly step: AtStep;
}

export function createApprovals(deps: ApprovalsDeps): Approvals & ApprovalsAtWork {
  const { store, cards, log, step } = deps;
  const open = createFindJournal(deps);
  const record = createPresses({ ...deps, open });

  /** After a final state is stored: wake whoever goes on, and let the card say so. */
  const follow = async (journal: RunJournal): Promise<void> => {
    wake(journal);
    await settleSoon(cards, journal);
  };

  const wake = (journal: RunJournal): void => {
    const state = journal.state();
    if (state !== undefined) deps.wake(threadKey(state.thread));
  };

  const decide = async (press: Press, then: (journal: RunJournal) => unknown = follow): Promise<DecideResult> => {
    const recorded = await record(press);
    if (recorded.type !== 'recorded') return recorded;
    const { journal, before, asked, facts, committed } = recorded;
    if (committed.type === 'late') {
      await expire(press.approval);
      return settledAnswer(await find(press.approval));
    }

    const approval = (await journal.approval(press.approval)) ?? before;
    if (isStale(press, approval, committed.result)) void cards.repaint(journal, approval.id);
    const second = secondCard(press, approval);
    if (second !== undefined) void cards.takeBack(approval, second);
    switch (committed.result) {
      case 'decided':
        await step('call-decided');
        if (press.verdict === 'trust') {
          await deps.grantTrust(approval, asked).catch(logLater('trust'));
          await step('trust-given');
        }
        await then(journal);
        return { type: 'decided', approval };
      case 'counted':
        await step('yes-counted');
        await settleSoon(cards, journal);
        return { type: 'counted', approval };
      case 'counted-before':
      case 'not-your-turn':
        if ((facts.lost ?? []).length > 0) await settleSoon(cards, journal);
        return { type: 'not-yours', why: WHY[committed.result], rule: approval.rule };
      case 'settled':
        await settleSoon(cards, journal);
        return settledAnswer(approval);
      case 'not-yours':
        return {
          type: 'not-yours',
          why: facts.right.type === 'refused' ? facts.right.why : '',
          rule: approval.rule,
        };
      case 'outdated':
        await follow(journal);
        return { type: 'outdated', why: facts.right.type === 'outdated' ? facts.right.why : '' };
      case 'not-offered':
        return { type: 'not-offered', approval };
      case 'unknown':
        return { type: 'unknown' };
    }
  };

  const consider = async (id: ApprovalId, by: Presser): Promise<ConsiderResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const asked = journal?.state()?.approvals.get(id);
    if (approval === undefined || asked === undefined) return { type: 'unknown' };
    if (approval.status !== 'pending') {
      if (journal !== undefined) void cards.repaint(journal, id);
      return settledAnswer(approval);
    }
    const right = await deps.mayDecide(asked, approval, { by, input: await realInput(journal, id) });
    if (right.type === 'refused') return { type: 'not-yours', why: right.why, rule: approval.rule };
    return { type: 'open', approval };
  };

  const offerTrust = async (id: ApprovalId, by: Presser, terms: TrustTerms): Promise<OfferResult> => {
    const considered = await consider(id, by);
    if (considered.type !== 'open') return considered;
    const { approval } = considered;
    const offer = await deps.offer(approval, { by, terms, input: await realInput(await open(id), id) });
    return 'why' in offer ? { type: 'unfit', problem: offer.why } : { type: 'offered', approval, offer };
  };

  /** The decision stands; a run that is resumed finds what is missing and writes it. */
  const logLater = (what: string) => (error: unknown) => log.warn('Not written yet after a decision.', { what, error });

  const find = async (id: ApprovalId): Promise<Approval | undefined> => (await open(id))?.approval(id);

  const expire = async (id: ApprovalId): Promise<void> => {
    const journal = await open(id);
    const committed = await journal?.commit((state, nowMs) =>
      state === undefined ? { entries: [], result: 'settled' as const } : decideExpiry(state, id, nowMs),
    );
    if (journal !== undefined && committed?.type === 'done' && committed.result === 'expired') {
      await step('call-expired');
      await follow(journal);
    }
  };

  /** An outage is never a yes and never silence: the person is told that nothing was recorded. */
  const surely = async (press: Press, then?: (journal: RunJournal) => unknown): Promise<DecideResult> => {
    try {
      await step('press-received');
      return await decide(press, then);
    } catch (error) {
      log.error('A press was not recorded.', { approval: press.approval, verdict: press.verdict, error });
      return notRecorded(error);
    }
  };

  return {
    ...createTogether({ ...deps, open, decide: (press) => surely(press, wake) }),
    ...createAftermath({ open, cards, request: deps.request, log }),
    ...createLists({
      store,
      find,
      findDoubt: async (id) => (await open(id))?.doubt(id),
      groupsOf: deps.groupsOf,
      now: deps.now,
    }),
    ...createReferrals({ ...deps, open }),
    find,
    isLost: async ({ approval, run, firstEntry }) => {
      if ((await store.findApproval(approval)) !== undefined) return false;
      return (await deps.journalOf(run).refresh())?.firstEntry === firstEntry;
    },
    expire,
    cardDeleted: async (approval, card) => {
      const journal = await open(approval);
      if (journal !== undefined) await deps.showAgain(journal, { approval, card });
    },
    consider: (id, by) =>
      consider(id, by).catch((error: unknown): ConsiderResult => {
        log.error('Nobody could say who may decide.', { approval: id, error });
        return notRecorded(error);
      }),
    decide: (press) => surely(press),
    offerTrust: (id, by, terms) =>
      offerTrust(id, by, terms).catch((error: unknown): OfferResult => {
        log.error('Nobody could say who may give trust.', { approval: id, error });
        return notRecorded(error);
      }),
    cancel: async (id, cause) => {
      const journal = await open(id);
      const committed = await journal?.commit((state) =>
        state === undefined ? { entries: [], result: 'settled' as const } : decideCancel(state, id, cause),
      );
      if (journal !== undefined && committed?.type === 'done' && committed.result === 'cancelled') {
        await follow(journal);
      }
    },
  };
}

/** Did its presser see the card older than its record, so that nothing else will paint it? */
function isStale({ from }: Press, { revision }: Approval, result: PressResult): boolean {
  if (from.type !== 'card') return false;
  // A card that shows an end has nothing to decide on it.
  return result === 'settled' || (from.shows !== undefined && from.shows < revision && !PAINTED.includes(result));
}

/** A process that stood still while it posted left it there, and died before it could see that another one had posted. */
function secondCard({ from }: Press, { card, thread }: Approval): CardReceipt | undefined {
  if (from.type !== 'card' || card === undefined || from.card.channel !== thread.channel) return undefined;
  return from.card.ts === card.ts ? undefined : from.card;
}

/** Something was written that its card is painted for. */
const PAINTED: readonly PressResult[] = ['decided', 'counted', 'outdated'];

/** Said of a person who may decide, and not now. */
const WHY = {
  'counted-before': 'Your approval counts already; somebody else has to approve as well.',
  'not-your-turn': 'It is not your turn: other people decide first.',
} as const;
