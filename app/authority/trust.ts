import { given } from '../given.ts';
import {
  type AskedApproval,
  covers,
  decideRevoke,
  decideUse,
  evolveGrant,
  type GrantBody,
  type GrantedCall,
  GrantBody as GrantSchema,
  type GrantState,
  giverKey,
  grantEffects,
  hasEnded,
  NewerJournalError,
  scopeKey,
  teamKey,
} from '../journal/index.ts';
import { createRecorder, type Recorder, type RecorderDeps } from '../recorder/index.ts';
import {
  type Approval,
  type ApprovalId,
  type Grant,
  GrantId,
  type RunId,
  type Thread,
  type TrustOffer,
  UserId,
} from '../records/index.ts';
import type { Store } from '../store/index.ts';

/** Standing yeses: given, listed, used and taken away. Each is a journal of its own. */
export interface Trust {
  /** Grants that count now for calls in this place: of the thread if one is named, of the channel, of the person. */
  readonly list: (place: TrustPlace) => Promise<readonly Grant[]>;
  /** Grants that this person gave or that count for whatever they start, wherever that is. */
  readonly listFor: (person: { readonly team: string; readonly user: UserId }) => Promise<readonly Grant[]>;
  readonly give: (wish: TrustWish) => Promise<GiveResult>;
  readonly revoke: (grant: GrantId, by: UserId) => Promise<'revoked' | 'already' | 'unknown'>;
}

/** What the gate and the tool runner need of it. */
export interface TrustAtWork {
  /** The app was removed from this workspace: whoever installs it again begins without any trust. */
  readonly endTrust: (team: string) => Promise<number>;
  /** The grant that covers this call now, if there is one. */
  readonly find: (call: GrantedCall) => Promise<Grant | undefined>;
  /** Counts the call on the grant, before it starts; `ended` when the grant no longer covers it. */
  readonly use: (
    grant: GrantId,
    call: GrantedCall & { readonly run: RunId; readonly call: string },
  ) => Promise<'used' | 'ended'>;
  /** Writes the standing yes of a trust decision. Doing it twice is one grant. */
  readonly grantTrust: (approval: Approval, asked: TrustedAsk) => Promise<void>;
}

/** What the tool was, and what the deployment said of it, when people were asked. */
export type TrustedAsk = Pick<AskedApproval, 'definition' | 'policy'>;

export interface TrustPlace {
  readonly team: string;
  readonly channel: string;
  /** Absent where the words were typed behind a slash, which Slack does not allow in threads. */
  readonly threadTs?: string;
  readonly user: UserId;
}

/** Asked for in words, without a card: for later calls, never for one that is pending. */
export interface TrustWish {
  readonly tool: string;
  readonly scope: 'thread' | 'channel' | 'requester';
  /** With scope `thread`, the thread; otherwise its `ts` is that of the place it was said in. */
  readonly thread: Thread;
  readonly forMs: number;
  readonly by: UserId;
}

export type GiveResult =
  | { readonly type: 'given'; readonly grant: Grant }
  /** A sentence for the person: unknown tool, open already, guarded, or not theirs to trust. */
  | { readonly type: 'refused'; readonly why: string };

/** A trust that ended with the app in its workspace: no person took it away. */
const NOBODY = UserId.parse('nobody');

export interface TrustDeps extends RecorderDeps {
  readonly store: Pick<Store, 'read' | 'append' | 'members'>;
  readonly newGrantId: (team: string) => GrantId;
  /** Could the giver decide about this very call, now? A right that was taken away takes its trust along. */
  readonly counts: (grant: Grant, call: GrantedCall) => Promise<boolean>;
  /** Are the tool and the policy still those under which it was given? */
  readonly isCurrent: (grant: Grant) => boolean;
  /** May this person let this tool run in that scope without asking? A sentence says why not. */
  readonly mayGive: (
    wish: TrustWish,
  ) => Promise<{ readonly definition: string; readonly policy: string } | { readonly why: string }>;
  /** A grant that a card gave has ended: the card is to show it. Must not reject. */
  readonly ended: (approval: ApprovalId, by: UserId) => Promise<void>;
  /** The one table of lines: what is shown is what is stored. */
  readonly trustLine: (tool: string, terms: Omit<TrustOffer, 'line'>) => string;
}

/** A grant, and what the store's clock said when it was read. */
interface Found {
  readonly grant: Grant;
  readonly nowMs: number;
}

export function createTrust(deps: TrustDeps): Trust & TrustAtWork {
  const { store } = deps;
  const open = (id: GrantId): Recorder<GrantState, GrantBody> =>
    createRecorder(deps, id, {
      schema: GrantSchema,
      evolve: evolveGrant,
      effects: grantEffects,
      mustBeDurable: () => true,
    });

  const look = async (id: string): Promise<readonly Found[]> => {
    const recorder = open(GrantId.parse(id));
    const state = await recorder.refresh();
    return state === undefined ? [] : [{ grant: state.grant, nowMs: recorder.nowMs() }];
  };

  const inScopes = async (keys: readonly string[], lookAt = look): Promise<readonly Found[]> => {
    const ids = await Promise.all(keys.map((of) => store.members({ what: 'grants', of })));
    return (await Promise.all(ids.flat().map(lookAt))).flat();
  };

  const countingIn = async (keys: readonly string[]): Promise<readonly Grant[]> =>
    countingNow(await inScopes(keys), deps.isCurrent);

  return {
    find: async (call) => {
      const keys = (['thread', 'channel', 'requester'] as const).map((scope) => scopeKey(scope, call));
      // A trust that only a newer version reads covers nothing here: people are asked. Whoever lists or ends trust hears of it.
      const readable = (id: string) => look(id).catch(orWhenNewer<readonly Found[]>([]));
      for (const { grant, nowMs } of await inScopes(keys, readable)) {
        if (covers(grant, call, nowMs) && (await deps.counts(grant, call))) return grant;
      }
      return undefined;
    },
    use: async (id, call) => {
      const used = open(id).decide((state, nowMs) => decideUse(state, call, nowMs), 'ended');
      const committed = await used.catch(orWhenNewer({ type: 'late' } as const));
      return committed.type === 'done' ? committed.result : 'ended';
    },
    grantTrust: async (approval, asked) => {
      const decided = grantOnCard(approval, asked);
      if (decided !== undefined) await writeGrant(open(decided.grant), decided);
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
      const wished = { grant: deps.newGrantId(wish.thread.team), body: grantInWords(wish, may, deps.trustLine) };
      const grant = await writeGrant(open(wished.grant), wished);
      return { type: 'given', grant };
    },
    endTrust: async (team) => {
      const grants = await countingIn([teamKey(team)]);
      for (const { id } of grants) await open(id).decide((state) => decideRevoke(state, NOBODY), 'unknown');
      return grants.length;
    },
    revoke: async (id, by) => {
      const recorder = open(id);
      const committed = await recorder.decide((state) => decideRevoke(state, by), 'unknown');
      const { grant } = recorder.state() ?? {};
      if (grant?.approval !== undefined) await deps.ended(grant.approval, grant.revoked?.by ?? by);
      return committed.type === 'done' ? committed.result : 'unknown';
    },
  };
}

/** Those that count now, oldest first, each once. */
function countingNow(found: readonly Found[], isCurrent: TrustDeps['isCurrent']): readonly Grant[] {
  return [...new Map(found.map((one) => [one.grant.id, one])).values()]
    .filter(({ grant, nowMs }) => !hasEnded(grant, nowMs) && isCurrent(grant))
    .map(({ grant }) => grant)
    .sort((a, b) => a.givenAtMs - b.givenAtMs);
}

interface NewGrant {
  readonly grant: GrantId;
  readonly body: Omit<Extract<GrantBody, { type: 'grant-given' }>, 'type' | 'grant' | 'untilMs'>;
  /** When it was agreed to; absent, it is now. */
  readonly sinceMs?: number;
}

/** The trust that a decision on a card gives, if it gives one. */
function grantOnCard(approval: Approval, { definition, policy }: TrustedAsk): NewGrant | undefined {
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
  // The process that recorded the decision may have died, so another one may write the grant hours later.
  return { grant: approval.decision.grant, body, sinceMs: approval.decision.atMs };
}

function grantInWords(
  { tool, scope, thread, forMs, by }: TrustWish,
  { definition, policy }: { readonly definition: string; readonly policy: string },
  trustLine: TrustDeps['trustLine'],
): NewGrant['body'] {
  const terms = { match: 'any', scope, forMs } as const;
  const offer = { ...terms, line: trustLine(tool, terms) };
  return { team: thread.team, tool, definition, policy, offer, thread, requester: by, by };
}

/** Writes the grant, unless it is there already. */
async function writeGrant(
  recorder: Recorder<GrantState, GrantBody>,
  { grant, body, sinceMs }: NewGrant,
): Promise<Grant> {
  await recorder.refresh();
  await recorder.commit((state, nowMs) => ({
    entries:
      state === undefined
        ? [{ type: 'grant-given', grant, ...body, untilMs: (sinceMs ?? nowMs) + body.offer.forMs }]
        : [],
    result: undefined,
  }));
  const state = recorder.state();
  if (state === undefined) throw new Error(`Grant ${grant} was not written, and nobody said why. Try again.`);
  return state.grant;
}

const orWhenNewer =
  <Answer>(answer: Answer) =>
  (error: unknown): Answer => {
    if (error instanceof NewerJournalError) return answer;
    throw error;
  };
