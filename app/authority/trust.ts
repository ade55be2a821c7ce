import {
  covers,
  decideUse,
  evolveTrust,
  type GrantedCall,
  giverKey,
  hasEnded,
  scopeKey,
  TrustEntryBody,
  teamKey,
  threadsKey,
  trustEffects,
  unlessNewer,
} from '../journal/index.ts';
import { createRecorder, type RecorderDeps } from '../recorder/index.ts';
import { type Approval, type ApprovalId, type RunId, type StandingTrust, TrustId, UserId } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import type { Authority } from './authority.ts';
import {
  type TrustedAsk,
  type TrustRecorder,
  type TrustWish,
  trustInWords,
  trustOnCard,
  writeTrust,
} from './new-trusts.ts';
import { createTakenBack, type TakenBack, type WordsOfTrust } from './taken-back.ts';
import { createTrustEnding, type TrustEndingDeps } from './trust-ending.ts';

/** Gives, lists and ends trusts. Each trust is a journal of its own. */
export interface Trust {
  /** Trusts that count now for calls in this place: of the thread if one is named, of the channel, and of the person. */
  readonly list: (place: TrustedFrom) => Promise<readonly StandingTrust[]>;
  /**
   * Trusts that words to end trust may mean in this place: without a thread, of every thread of the channel as well, and what
   * the person gave anywhere. Trust given under other rules is among them: it counts when these are back.
   */
  readonly listToEnd: (place: TrustedFrom) => Promise<readonly StandingTrust[]>;
  /** Trusts that this person gave, or that count for what this person starts, wherever that is. */
  readonly listFor: (person: { readonly team: string; readonly user: UserId }) => Promise<readonly StandingTrust[]>;
  readonly give: (wish: TrustWish) => Promise<GiveResult>;
  /** With `approval`, also ends the trust that its decision gives and that is not written yet. It is not given later. */
  readonly revoke: (trust: TrustId, by: UserId, approval?: ApprovalId) => Promise<'revoked' | 'already' | 'unknown'>;
  readonly takenBack: TakenBack;
  /** Ends the trust that these words gave, if a process gave it. */
  readonly endGiven: (words: WordsOfTrust) => Promise<void>;
}

/** What the gate and the tool runner need of trust. */
export interface TrustAtWork {
  /** Ends all trust of a workspace that removed the app, or what was given before a time: a new installation begins without. */
  readonly endTrust: (team: string, beforeMs?: number) => Promise<number>;
  /** The trust that covers this call now, if there is one. */
  readonly find: (call: GrantedCall) => Promise<StandingTrust | undefined>;
  /** Counts the call on the trust, before it starts; `ended` when the trust no longer covers it. */
  readonly use: (
    trust: TrustId,
    call: GrantedCall & { readonly run: RunId; readonly call: string },
  ) => Promise<'used' | 'ended'>;
  /** Called when a trust may have ended: tells the runs that gave or used it. `owing`: not all of them show it yet. */
  readonly tellEnd: (trust: TrustId) => Promise<'told' | 'owing'>;
  /** Writes the trust that a decision gives. Writing it twice gives one trust. */
  readonly grantTrust: (approval: Approval, asked: TrustedAsk) => Promise<void>;
}

export interface TrustedFrom {
  readonly team: string;
  readonly channel: string;
  /** Absent after a slash command, which Slack does not allow in threads. */
  readonly threadTs?: string;
  readonly user: UserId;
}

export type GiveResult =
  | { readonly type: 'given'; readonly trust: StandingTrust }
  /** `why` is a sentence for the person: unknown tool, open already, guarded, or not theirs to trust. */
  | { readonly type: 'refused'; readonly why: string };

/** Stands for the person who ended a trust when the app was removed from its workspace. */
const NO_PERSON = UserId.parse('nobody');

export interface TrustDeps extends RecorderDeps, TrustEndingDeps, Pick<Authority, 'counts' | 'isCurrent' | 'mayGive'> {
  readonly store: Pick<Store, 'read' | 'append' | 'members' | 'moveDue' | 'takePlace' | 'leaveLists'>;
  /** With a delivery, always the same id for it. */
  readonly newTrustId: (team: string, delivery?: string) => TrustId;
}

/** A trust, and the time of the store's clock when it was read. */
interface Found {
  readonly trust: StandingTrust;
  readonly nowMs: number;
}

export function createTrust(deps: TrustDeps): Trust & TrustAtWork {
  const { store } = deps;
  const { end, endAgain, leaveLists, revoke, tellEnd } = createTrustEnding(deps);
  const open = (id: TrustId) => openTrust(deps, id);

  const look = async (id: string): Promise<readonly Found[]> => {
    const recorder = open(TrustId.parse(id));
    await recorder.refresh();
    await endAgain(recorder);
    await leaveLists(recorder);
    const state = recorder.state();
    return state === undefined ? [] : [{ trust: state.trust, nowMs: recorder.nowMs() }];
  };

  const inScopes = async (keys: readonly string[], lookAt = look): Promise<readonly Found[]> => {
    const ids = await Promise.all(keys.map((of) => store.members({ what: 'grants', of })));
    return (await Promise.all([...new Set(ids.flat())].map(lookAt))).flat();
  };

  const revokeTrust: Trust['revoke'] = (id, by, approval) => revoke(open(id), { id, by, approval });

  const standingIn = async (keys: readonly string[]) => standing(await inScopes(keys));
  const countingIn = async (keys: readonly string[]) => (await standingIn(keys)).filter(deps.isCurrent);

  return {
    find: async (call) => {
      const keys = (['thread', 'channel', 'requester'] as const).map((scope) => scopeKey(scope, call));
      // A trust that a newer version wrote covers nothing here, and people are asked.
      const readable = (id: string) =>
        unlessNewer(
          () => look(id),
          () => [],
        );
      for (const { trust, nowMs } of await inScopes(keys, readable)) {
        if (covers(trust, call, nowMs) && (await deps.counts(trust, call))) return trust;
      }
      return undefined;
    },
    use: async (id, call) => {
      const use = () => open(id).decide((state, nowMs) => decideUse(state, call, nowMs), 'ended');
      // A trust that a newer version wrote counts as ended here.
      const committed = await unlessNewer(use, () => 'late' as const);
      return committed === 'late' ? 'ended' : committed;
    },
    grantTrust: async (approval, asked) => {
      const decided = trustOnCard(approval, asked);
      if (decided !== undefined) await writeTrust(open(decided.trust), decided);
    },
    list: (place) => countingIn(keysOf(place)),
    listToEnd: (place) => standingIn(keysToEnd(place)),
    listFor: ({ team, user }) => {
      const here = { team, thread: { team, channel: '', ts: '' }, requester: user };
      return countingIn([giverKey(team, user), scopeKey('requester', here)]);
    },
    give: async (wish) => {
      const may = await deps.mayGive(wish);
      if ('why' in may) return { type: 'refused', why: may.why };
      const id = deps.newTrustId(wish.thread.team, wish.delivery);
      const trust = await writeTrust(open(id), { trust: id, body: trustInWords(wish, may) });
      if (trust.revoked === undefined) return { type: 'given', trust };
      return { type: 'refused', why: 'This trust was given before and has ended. Nothing was changed.' };
    },
    endTrust: async (team, beforeMs = Number.POSITIVE_INFINITY) => {
      const trusts = (await standingIn([teamKey(team)])).filter(({ givenAtMs }) => givenAtMs < beforeMs);
      for (const { id } of trusts) await end(open(id), NO_PERSON);
      return trusts.length;
    },
    revoke: revokeTrust,
    takenBack: createTakenBack(store),
    endGiven: async ({ by, delivery }) => {
      if (delivery !== undefined) await revokeTrust(deps.newTrustId(by.team, delivery), by.user);
    },
    tellEnd: async (id) => {
      const recorder = open(id);
      await recorder.refresh();
      return tellEnd(recorder);
    },
  };
}

const openTrust = (deps: TrustDeps, id: TrustId): TrustRecorder => createRecorder(deps, id, TRUST_JOURNAL);

const TRUST_JOURNAL = {
  ...{ schema: TrustEntryBody, evolve: evolveTrust, effects: trustEffects },
  mustBeDurable: () => true,
};

function keysOf({ team, channel, threadTs, user }: TrustedFrom): readonly string[] {
  const here = { team, thread: { team, channel, ts: threadTs ?? '' }, requester: user };
  const scopes =
    threadTs === undefined ? (['channel', 'requester'] as const) : (['thread', 'channel', 'requester'] as const);
  return scopes.map((scope) => scopeKey(scope, here));
}

function keysToEnd(place: TrustedFrom): readonly string[] {
  const { team, channel, threadTs, user } = place;
  const anywhere = threadTs === undefined ? [giverKey(team, user), threadsKey(team, channel)] : [];
  return [...keysOf(place), ...anywhere];
}

/** The trusts that have not ended, newest first. A list shows so many of them, and the oldest end soonest. */
function standing(found: readonly Found[]): readonly StandingTrust[] {
  return found
    .filter(({ trust, nowMs }) => !hasEnded(trust, nowMs))
    .map(({ trust }) => trust)
    .sort((a, b) => b.givenAtMs - a.givenAtMs);
}
