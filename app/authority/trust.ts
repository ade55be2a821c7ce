import { given } from '../given.ts';
import {
  type AskedApproval,
  covers,
  decideRevoke,
  decideUse,
  evolveTrust,
  type GrantedCall,
  giverKey,
  hasEnded,
  scopeKey,
  TrustEntryBody,
  type TrustState,
  teamKey,
  trustEffects,
  unlessNewer,
} from '../journal/index.ts';
import { createRecorder, type Recorder, type RecorderDeps } from '../recorder/index.ts';
import {
  type Approval,
  type ApprovalId,
  type RunId,
  type StandingTrust,
  type Thread,
  TrustId,
  type TrustOffer,
  UserId,
} from '../records/index.ts';
import type { Store } from '../store/index.ts';

/** Gives, lists and ends trusts. Each trust is a journal of its own. */
export interface Trust {
  /** Trusts that count now for calls in this place: of the thread if one is named, of the channel, and of the person. */
  readonly list: (place: TrustedFrom) => Promise<readonly StandingTrust[]>;
  /** Trusts that this person gave, or that count for what this person starts, wherever that is. */
  readonly listFor: (person: { readonly team: string; readonly user: UserId }) => Promise<readonly StandingTrust[]>;
  readonly give: (wish: TrustWish) => Promise<GiveResult>;
  readonly revoke: (trust: TrustId, by: UserId) => Promise<'revoked' | 'already' | 'unknown'>;
}

/** What the gate and the tool runner need of trust. */
export interface TrustAtWork {
  /** Ends all trust of a workspace that removed the app: a new installation begins without any trust. */
  readonly endTrust: (team: string) => Promise<number>;
  /** The trust that covers this call now, if there is one. */
  readonly find: (call: GrantedCall) => Promise<StandingTrust | undefined>;
  /** Counts the call on the trust, before it starts; `ended` when the trust no longer covers it. */
  readonly use: (
    trust: TrustId,
    call: GrantedCall & { readonly run: RunId; readonly call: string },
  ) => Promise<'used' | 'ended'>;
  /** Writes the trust that a decision gives. Writing it twice gives one trust. */
  readonly grantTrust: (approval: Approval, asked: TrustedAsk) => Promise<void>;
}

/** The tool's definition and the deployment's policy for it, when people were asked. */
export type TrustedAsk = Pick<AskedApproval, 'definition' | 'policy'>;

export interface TrustedFrom {
  readonly team: string;
  readonly channel: string;
  /** Absent after a slash command, which Slack does not allow in threads. */
  readonly threadTs?: string;
  readonly user: UserId;
}

/** A trust asked for in words, without a card: for later calls, never for one that is pending. */
export interface TrustWish {
  readonly tool: string;
  readonly scope: 'thread' | 'channel' | 'requester';
  /** The thread of a trust with scope `thread`. For other scopes its `ts` is of the place where the trust was asked for. */
  readonly thread: Thread;
  readonly forMs: number;
  readonly by: UserId;
}

export type GiveResult =
  | { readonly type: 'given'; readonly trust: StandingTrust }
  /** `why` is a sentence for the person: unknown tool, open already, guarded, or not theirs to trust. */
  | { readonly type: 'refused'; readonly why: string };

/** Stands for the person who ended a trust when the app was removed from its workspace. */
const NO_PERSON = UserId.parse('nobody');

export interface TrustDeps extends RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'members'>;
  readonly newTrustId: (team: string) => TrustId;
  /** Whether the giver could decide about this call now. A giver who has lost that right gives no trust any more. */
  readonly counts: (trust: StandingTrust, call: GrantedCall) => Promise<boolean>;
  /** Whether the tool and the policy are still those under which the trust was given. */
  readonly isCurrent: (trust: StandingTrust) => boolean;
  /** The terms of this trust, or a sentence that says why this person may not give it. */
  readonly mayGive: (
    wish: TrustWish,
  ) => Promise<{ readonly definition: string; readonly policy: string } | { readonly why: string }>;
  /** Called when a trust from a card has ended, so that the card shows it. Must not reject. */
  readonly ended: (approval: ApprovalId, by: UserId) => Promise<void>;
  /** The sentence for a trust. The same text is shown and stored. */
  readonly trustLine: (tool: string, terms: Omit<TrustOffer, 'line'>) => string;
}

/** A trust, and the time of the store's clock when it was read. */
interface Found {
  readonly trust: StandingTrust;
  readonly nowMs: number;
}

export function createTrust(deps: TrustDeps): Trust & TrustAtWork {
  const { store } = deps;
  const open = (id: TrustId): Recorder<TrustState, TrustEntryBody> =>
    createRecorder(deps, id, {
      schema: TrustEntryBody,
      evolve: evolveTrust,
      effects: trustEffects,
      mustBeDurable: () => true,
    });

  const look = async (id: string): Promise<readonly Found[]> => {
    const recorder = open(TrustId.parse(id));
    const state = await recorder.refresh();
    return state === undefined ? [] : [{ trust: state.trust, nowMs: recorder.nowMs() }];
  };

  const inScopes = async (keys: readonly string[], lookAt = look): Promise<readonly Found[]> => {
    const ids = await Promise.all(keys.map((of) => store.members({ what: 'grants', of })));
    return (await Promise.all(ids.flat().map(lookAt))).flat();
  };

  const countingIn = async (keys: readonly string[]): Promise<readonly StandingTrust[]> =>
    countingNow(await inScopes(keys), deps.isCurrent);

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
      const committed = await unlessNewer(use, () => ({ type: 'late' }) as const);
      return committed.type === 'done' ? committed.result : 'ended';
    },
    grantTrust: async (approval, asked) => {
      const decided = trustOnCard(approval, asked);
      if (decided !== undefined) await writeTrust(open(decided.trust), decided);
    },
    list: ({ team, channel, threadTs, user }) => {
      const here = { team, thread: { team, channel, ts: threadTs ?? '' }, requester: user };
      const scopes =
        threadTs === undefined ? (['channel', 'requester'] as const) : (['thread', 'channel', 'requester'] as const);
      return countingIn(scopes.map((scope) => scopeKey(scope, here)));
    },
    listFor: ({ team, user }) => {
      const here = { team, thread: { team, channel: '', ts: '' }, requester: user };
      return countingIn([giverKey(team, user), scopeKey('requester', here)]);
    },
    give: async (wish) => {
      const may = await deps.mayGive(wish);
      if ('why' in may) return { type: 'refused', why: may.why };
      const wished = { trust: deps.newTrustId(wish.thread.team), body: trustInWords(wish, may, deps.trustLine) };
      const trust = await writeTrust(open(wished.trust), wished);
      return { type: 'given', trust };
    },
    endTrust: async (team) => {
      const trusts = await countingIn([teamKey(team)]);
      for (const { id } of trusts) await open(id).decide((state) => decideRevoke(state, NO_PERSON), 'unknown');
      return trusts.length;
    },
    revoke: async (id, by) => {
      const recorder = open(id);
      const committed = await recorder.decide((state) => decideRevoke(state, by), 'unknown');
      const { trust } = recorder.state() ?? {};
      if (trust?.approval !== undefined) await deps.ended(trust.approval, trust.revoked?.by ?? by);
      return committed.type === 'done' ? committed.result : 'unknown';
    },
  };
}

/** The trusts that count now, oldest first, each once. */
function countingNow(found: readonly Found[], isCurrent: TrustDeps['isCurrent']): readonly StandingTrust[] {
  return [...new Map(found.map((one) => [one.trust.id, one])).values()]
    .filter(({ trust, nowMs }) => !hasEnded(trust, nowMs) && isCurrent(trust))
    .map(({ trust }) => trust)
    .sort((a, b) => a.givenAtMs - b.givenAtMs);
}

interface NewTrust {
  readonly trust: TrustId;
  readonly body: Omit<Extract<TrustEntryBody, { type: 'grant-given' }>, 'type' | 'grant' | 'untilMs'>;
  /** When the trust was agreed to; absent, it is now. */
  readonly sinceMs?: number;
}

/** The trust that a decision on a card gives, if it gives one. */
function trustOnCard(approval: Approval, { definition, policy }: TrustedAsk): NewTrust | undefined {
  if (approval.status !== 'trusted' || approval.trust === undefined || approval.decision.grant === undefined)
    return undefined;
  const body = {
    team: approval.thread.team,
    tool: approval.tool,
    definition,
    ...given({ policy }),
    offer: approval.trust,
    thread: approval.thread,
    requester: approval.requester,
    by: approval.decision.by,
    approval: approval.id,
    ...(approval.trust.match === 'exact' ? { digest: approval.digest } : {}),
  };
  // The process that recorded the decision may have died, so another one may write the trust hours later.
  return { trust: approval.decision.grant, body, sinceMs: approval.decision.atMs };
}

function trustInWords(
  { tool, scope, thread, forMs, by }: TrustWish,
  { definition, policy }: { readonly definition: string; readonly policy: string },
  trustLine: TrustDeps['trustLine'],
): NewTrust['body'] {
  const terms = { match: 'any', scope, forMs } as const;
  const offer = { ...terms, line: trustLine(tool, terms) };
  return { team: thread.team, tool, definition, policy, offer, thread, requester: by, by };
}

/** Writes the trust, unless it is there already. */
async function writeTrust(
  recorder: Recorder<TrustState, TrustEntryBody>,
  { trust, body, sinceMs }: NewTrust,
): Promise<StandingTrust> {
  await recorder.refresh();
  await recorder.commit((state, nowMs) => ({
    entries:
      state === undefined
        ? [{ type: 'grant-given', grant: trust, ...body, untilMs: (sinceMs ?? nowMs) + body.offer.forMs }]
        : [],
    result: undefined,
  }));
  const state = recorder.state();
  if (state === undefined) throw new Error(`Trust ${trust} was not written, for no known reason. Try again.`);
  return state.trust;
}
