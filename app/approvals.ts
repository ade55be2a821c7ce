import type { Cards } from './cards.ts';
import type { CheckedEdit } from './edits.ts';
import {
  decideAskedAgain,
  decideCancel,
  decideExpiry,
  decidePress,
  decideTrustEnded,
  type PressFacts,
} from './journal/decide.ts';
import { waitingIndex } from './journal/effects.ts';
import type { AskedApproval, RunState } from './journal/state.ts';
import { LIMITS } from './limits.ts';
import type { Log } from './log.ts';
import {
  type Approval,
  ApprovalId,
  type CardReceipt,
  type DecisionRule,
  type GrantId,
  type ThreadKey,
  type TrustOffer,
  type TrustTerms,
  threadKey,
  type UserId,
  type Verdict,
} from './records.ts';
import type { RunJournal } from './run-journal.ts';
import type { AtStep } from './step.ts';
import type { Store } from './store/store.ts';

/** The one place that decides; every surface calls it. */
export interface Approvals {
  /** Never throws for an outage: an answer that was not recorded is `failed`, and pressing again is safe. */
  readonly decide: (press: Press) => Promise<DecideResult>;
  readonly find: (approval: ApprovalId) => Promise<Approval | undefined>;
  /** Could this person decide it now? For whoever is about to fill in a form; nothing is recorded, and a press asks again. */
  readonly consider: (approval: ApprovalId, by: Presser) => Promise<ConsiderResult>;
  /** Open questions that this person can answer, oldest first. */
  readonly waitingFor: (by: Presser) => Promise<WaitingList>;
  /** The line that a trust on these terms would be stored under, if this person may give it. Nothing is recorded. */
  readonly offerTrust: (approval: ApprovalId, by: Presser, terms: TrustTerms) => Promise<OfferResult>;
  /** Puts an expired request to the agent once more, in the name of whoever made it. Decides nothing. */
  readonly askAgain: (approval: ApprovalId, by: Presser) => Promise<AskAgainResult>;
}

/** What happens to an approval without a person. */
export interface ApprovalsAtWork {
  /** Called when the time of an approval may have come; the store's clock has the last word. */
  readonly expire: (approval: ApprovalId) => Promise<void>;
  /** The trust that a decision gave was taken away: its card stops offering that. */
  readonly trustEnded: (approval: ApprovalId, by: UserId) => Promise<void>;
  /** Takes a question back that no person can answer. */
  readonly cancel: (approval: ApprovalId, cause: string) => Promise<void>;
}

export interface Press {
  readonly approval: ApprovalId;
  readonly verdict: Verdict;
  readonly by: Presser;
  /** Where it was pressed. A card must be the one that was posted; a full view has no message. */
  readonly from: { readonly type: 'card'; readonly card: CardReceipt } | { readonly type: 'full-view' };
  readonly reason?: string;
  /** As it was typed: what is to run in place of what was asked. */
  readonly edit?: string;
  /** For a trust on other terms than the card's own. */
  readonly terms?: TrustTerms;
}

/** From the verified payload, never from text. */
export interface Presser {
  readonly user: UserId;
  readonly team: string;
}

export type DecideResult =
  | { readonly type: 'decided'; readonly approval: Approval }
  | { readonly type: 'already-decided'; readonly approval: Approval }
  /** Expired or cancelled: nothing was run. */
  | { readonly type: 'over'; readonly approval: Approval }
  /** `why` is a sentence for the presser; it names who can. */
  | { readonly type: 'not-yours'; readonly why: string; readonly rule: DecisionRule }
  /** A verdict that this card does not draw, or a copy of the card elsewhere. */
  | { readonly type: 'not-offered'; readonly approval: Approval }
  /** What was typed or chosen cannot be; nothing is recorded, and the form stays open. */
  | { readonly type: 'unfit'; readonly problem: string }
  | { readonly type: 'unknown' }
  /** The store did not record it. */
  | { readonly type: 'failed' };

export type ConsiderResult =
  | { readonly type: 'open'; readonly approval: Approval }
  | Exclude<DecideResult, { readonly type: 'decided' | 'not-offered' | 'unfit' }>;

export interface WaitingList {
  readonly approvals: readonly Approval[];
  /** How many more there are. */
  readonly more: number;
}

export type OfferResult =
  | { readonly type: 'offered'; readonly approval: Approval; readonly offer: TrustOffer }
  | { readonly type: 'unfit'; readonly problem: string }
  | Exclude<ConsiderResult, { readonly type: 'open' }>;

export type AskAgainResult =
  | { readonly type: 'asked' | 'asked-before' | 'not-expired' | 'not-yours'; readonly approval: Approval }
  | { readonly type: 'unknown' | 'failed' };

export interface ApprovalsDeps {
  readonly store: Pick<Store, 'findApproval' | 'members'>;
  readonly journalOf: (approvalRun: RunState['run']) => RunJournal;
  readonly cards: Cards;
  /** Asked at the press, with facts fetched then. Whatever cannot be found out means no. */
  readonly mayDecide: (
    asked: AskedApproval,
    run: Pick<RunState, 'requester' | 'thread'>,
    by: Presser,
  ) => Promise<PressFacts['right']>;
  /** A card that hides a part of the input draws no yes; only its full view does. */
  readonly showsWholeInput: (approval: Approval) => boolean;
  /** Can all of it be shown in a form? Only then can it be edited, and approved from there. */
  readonly isEditable: (approval: Approval) => boolean;
  readonly checkEdit: (asked: AskedApproval, before: string, typed: string) => CheckedEdit;
  /** The line of the one table for these terms, or why this person cannot give that. */
  readonly offer: (
    asked: Pick<AskedApproval, 'tool'>,
    about: { readonly requester: UserId; readonly by: UserId; readonly terms: TrustTerms },
  ) => TrustOffer | { readonly why: string };
  readonly newGrantId: (team: string) => GrantId;
  /** Writes the standing yes that a trust decision gives. */
  readonly grantTrust: (approval: Approval, definition: string) => Promise<void>;
  /** The same request as a message of this person, taken once for each approval. */
  readonly request: (approval: Approval, by: Presser) => Promise<unknown>;
  /** The thread can go on. The hint told whoever is awake; this is for when nobody is. */
  readonly wake: (thread: ThreadKey) => void;
  readonly log: Log;
  readonly step: AtStep;
}

export function createApprovals(deps: ApprovalsDeps): Approvals & ApprovalsAtWork {
  const { store, cards, log, step } = deps;

  const open = async (id: ApprovalId): Promise<RunJournal | undefined> => {
    const run = await store.findApproval(id);
    if (run === undefined) return undefined;
    const journal = deps.journalOf(run);
    await journal.refresh();
    return journal;
  };

  /** After a final state is stored: wake whoever goes on, and let the card say so. */
  const follow = async (journal: RunJournal): Promise<void> => {
    const state = journal.state();
    if (state !== undefined) deps.wake(threadKey(state.thread));
    await cards.settle(journal);
  };

  const decide = async (press: Press): Promise<DecideResult> => {
    const journal = await open(press.approval);
    const before = await journal?.approval(press.approval);
    const asked = journal?.state()?.approvals.get(press.approval);
    if (journal === undefined || before === undefined || asked === undefined) return { type: 'unknown' };

    const right = await deps.mayDecide(asked, before, press.by);
    const isOpen = before.status === 'pending' && right.type === 'allowed';
    const offer = isOpen && press.terms !== undefined ? offerOf(before, press.by, press.terms) : undefined;
    if (offer !== undefined && 'why' in offer) return { type: 'unfit', problem: offer.why };
    const edit = isOpen && press.edit !== undefined ? deps.checkEdit(asked, before.input, press.edit) : undefined;
    if (edit?.type === 'unfit') return edit;

    const facts: PressFacts = {
      approval: press.approval,
      verdict: press.verdict,
      by: press.by.user,
      right,
      drawn: press.from.type === 'full-view' ? press.verdict !== 'trust' : isDrawn(before, press),
      refusedPressesKept: LIMITS.refusedPressesKept,
      ...(press.reason === undefined ? {} : { reason: press.reason.slice(0, LIMITS.reasonChars) }),
      ...(press.from.type === 'card' ? { card: press.from.card } : {}),
      ...(offer === undefined ? {} : { trust: offer }),
      ...(press.verdict === 'trust' ? { grant: deps.newGrantId(before.thread.team) } : {}),
    };
    const committed = await journal.commit((state) => {
      if (state === undefined) return { entries: [], result: 'unknown' as const };
      if (edit === undefined) return decidePress(state, facts);
      const { input, digest, summary } = edit;
      const long = input.length > LIMITS.inlineInputChars;
      const ref = long ? { at: state.items } : { text: input };
      const decided = decidePress(state, { ...facts, edit: { input: ref, digest, summary } });
      return { ...decided, items: long && decided.result === 'decided' ? [input] : [] };
    });
    if (committed.type === 'late') {
      await expire(press.approval);
      return settledAnswer(await find(press.approval));
    }

    const approval = (await journal.approval(press.approval)) ?? before;
    switch (committed.result) {
      case 'decided':
        await step('call-decided');
        if (press.verdict === 'trust') await deps.grantTrust(approval, asked.definition).catch(logLater('trust'));
        await follow(journal);
        return { type: 'decided', approval };
      case 'settled':
        // The card was stale, or it could not have been pressed.
        await cards.settle(journal);
        return settledAnswer(approval);
      case 'not-yours':
        return {
          type: 'not-yours',
          why: facts.right.type === 'refused' ? facts.right.why : '',
          rule: approval.rule,
        };
      case 'not-offered':
        return { type: 'not-offered', approval };
      case 'unknown':
        return { type: 'unknown' };
    }
  };

  const isDrawn = (approval: Approval, { verdict, edit }: Press): boolean => {
    if (edit !== undefined) return verdict === 'approve' && deps.isEditable(approval);
    return verdict === 'deny' || deps.showsWholeInput(approval);
  };

  const consider = async (id: ApprovalId, by: Presser): Promise<ConsiderResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const asked = journal?.state()?.approvals.get(id);
    if (approval === undefined || asked === undefined) return { type: 'unknown' };
    if (approval.status !== 'pending') return settledAnswer(approval);
    const right = await deps.mayDecide(asked, approval, by);
    if (right.type === 'refused') return { type: 'not-yours', why: right.why, rule: approval.rule };
    return { type: 'open', approval };
  };

  const offerOf = (approval: Approval, { user }: Presser, terms: TrustTerms) =>
    deps.offer(approval, { requester: approval.requester, by: user, terms });

  const offerTrust = async (id: ApprovalId, by: Presser, terms: TrustTerms): Promise<OfferResult> => {
    const considered = await consider(id, by);
    if (considered.type !== 'open') return considered;
    const { approval } = considered;
    const offer = offerOf(approval, by, terms);
    return 'why' in offer ? { type: 'unfit', problem: offer.why } : { type: 'offered', approval, offer };
  };

  const waitingFor = async ({ team, user }: Presser): Promise<WaitingList> => {
    const ids = await store.members(waitingIndex(team, user));
    const shown = ids.slice(0, LIMITS.waitingShown);
    const found = await Promise.all(shown.map((id) => find(ApprovalId.parse(id))));
    // The list is only for showing; what is open is said by the journals.
    const approvals = found
      .filter((approval) => approval?.status === 'pending')
      .sort((one, other) => one.askedAtMs - other.askedAtMs);
    return { approvals, more: ids.length - shown.length };
  };

  const askAgain = async (id: ApprovalId, by: Presser): Promise<AskAgainResult> => {
    const journal = await open(id);
    const approval = await journal?.approval(id);
    const state = journal?.state();
    if (journal === undefined || approval === undefined || state === undefined) return { type: 'unknown' };
    // Another workspace may know the same id for somebody else.
    const mine = by.team === approval.thread.team;
    const { result } = decideAskedAgain(state, id, by.user);
    if (result !== 'asked' || !mine) return { type: mine ? result : 'not-yours', approval };
    // First the message: it is taken once, so dying in between loses nothing and repeats nothing.
    await deps.request(approval, by);
    await journal.commit((now) =>
      now === undefined ? { entries: [], result: undefined } : decideAskedAgain(now, id, by.user),
    );
    await cards.settle(journal);
    return { type: 'asked', approval };
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

  return {
    find,
    waitingFor,
    expire,
    consider: (id, by) =>
      consider(id, by).catch((error: unknown): ConsiderResult => {
        log.error('Nobody could say who may decide.', { approval: id, error });
        return { type: 'failed' };
      }),
    decide: async (press) => {
      // An outage is never a yes and never silence: the person is told that nothing was recorded.
      try {
        await step('press-received');
        return await decide(press);
      } catch (error) {
        log.error('A press was not recorded.', { approval: press.approval, verdict: press.verdict, error });
        return { type: 'failed' };
      }
    },
    offerTrust: (id, by, terms) =>
      offerTrust(id, by, terms).catch((error: unknown): OfferResult => {
        log.error('Nobody could say who may give trust.', { approval: id, error });
        return { type: 'failed' };
      }),
    askAgain: (id, by) =>
      askAgain(id, by).catch((error: unknown): AskAgainResult => {
        log.error('An expired request was not asked again.', { approval: id, error });
        return { type: 'failed' };
      }),
    trustEnded: async (id, by) => {
      try {
        const journal = await open(id);
        await journal?.commit((state) =>
          state === undefined ? { entries: [], result: undefined } : decideTrustEnded(state, id, by),
        );
        if (journal !== undefined) await cards.settle(journal);
      } catch (error) {
        // The trust has ended all the same; a press on the card says so.
        log.warn('A card does not show yet that its trust has ended.', { approval: id, error });
      }
    },
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

type Settled = Extract<DecideResult, { readonly type: 'already-decided' | 'over' | 'failed' }>;

function settledAnswer(approval: Approval | undefined): Settled {
  switch (approval?.status) {
    case undefined:
    case 'pending':
      // Somebody's clock and the store's disagree for a moment: nothing was recorded, so pressing again is safe.
      return { type: 'failed' };
    case 'approved':
    case 'trusted':
    case 'denied':
      return { type: 'already-decided', approval };
    case 'expired':
    case 'cancelled':
      return { type: 'over', approval };
  }
}
