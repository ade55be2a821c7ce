/**
 * How often Slack takes each method, and how the sender treats it. The windows are those that Slack documents, a little
 * longer, because not every call takes the same time to arrive.
 */
export interface MethodPolicy {
  readonly rank: Rank;
  readonly window: Window;
  /** The argument whose values Slack counts apart. Absent, the whole workspace is counted together. */
  readonly apart?: string;
  /** Doing it twice does no harm, so it is sent again where the answer of Slack was lost. */
  readonly repeatable: boolean;
  /** The caller does not wait: a limit rejects the call at once. */
  readonly impatient?: true;
  /** This many calls of the window are left to others. */
  readonly leaves?: number;
  /** Calls that agree in these arguments show the same thing. Only the newest of several that wait is sent. */
  readonly newest?: readonly string[];
}

/** At most this many calls in any stretch of this length. */
export interface Window {
  readonly most: number;
  readonly withinMs: number;
}

/** The order in which calls go when not all can go now. */
export const RANKS = ['opening', 'answer', 'card', 'speech', 'lookup', 'message', 'cosmetic'] as const;
export type Rank = (typeof RANKS)[number];

const MINUTE_MS = 61_000;
const tier = (most: number): Window => ({ most, withinMs: MINUTE_MS });
const TIER_2 = tier(20);
const TIER_3 = tier(50);
const TIER_4 = tier(100);
/** About one a second in a channel, in bursts of ten. */
const POSTS: Window = { most: 10, withinMs: 10_250 };

const lookup = (window: Window): MethodPolicy => ({ rank: 'lookup', window, repeatable: true });
/** A person pressed and looks at the screen. */
const answer = (window: Window, repeatable: boolean): MethodPolicy => ({ rank: 'answer', window, repeatable });
const speech = (window: Window): MethodPolicy => ({ rank: 'speech', window, repeatable: false });
const shown = (window: Window, ...newest: readonly string[]): MethodPolicy => ({
  rank: 'cosmetic',
  window,
  repeatable: true,
  newest,
});

const POLICIES: ReadonlyMap<string, MethodPolicy> = new Map([
  // A trigger opens one view and lives three seconds, so these go before everything else.
  ['views.open', { ...answer(TIER_4, false), rank: 'opening' }],
  ['views.update', answer(TIER_4, true)],
  // Not repeatable: people would read a second private answer.
  ['chat.postEphemeral', answer(TIER_4, false)],
  // Who the presser is decides about the press.
  ['users.info', answer(TIER_4, true)],
  ['usergroups.list', answer(TIER_2, true)],
  ['usergroups.users.list', answer(TIER_2, true)],
  ['auth.teams.list', answer(TIER_2, true)],
  ['auth.test', answer(tier(200), true)],

  ['chat.update', { rank: 'card', window: TIER_3, repeatable: true, newest: ['channel', 'ts'] }],
  ['views.publish', { rank: 'card', window: TIER_4, repeatable: true, newest: ['user_id'] }],

  ['chat.postMessage', { ...speech(POSTS), apart: 'channel' }],
  ['chat.startStream', { ...speech(TIER_2), impatient: true }],
  ['chat.appendStream', { ...speech(TIER_4), impatient: true }],
  ['chat.stopStream', speech(TIER_2)],
  ['chat.delete', speech(TIER_3)],
  ['files.getUploadURLExternal', speech(TIER_4)],
  ['files.completeUploadExternal', speech(TIER_4)],
  // These look for a post before it is sent again.
  ['files.info', { ...lookup(TIER_4), rank: 'speech' }],
  ['conversations.replies', { ...lookup(TIER_3), rank: 'speech' }],
  ['conversations.open', { ...lookup(TIER_3), rank: 'speech' }],

  ['conversations.history', lookup(TIER_3)],
  ['conversations.info', lookup(TIER_3)],
  ['conversations.members', lookup(TIER_4)],
  ['users.list', lookup(TIER_2)],
  ['chat.getPermalink', lookup(tier(300))],

  ['agents.sessions.setStatus', shown(TIER_3, 'channel_id', 'thread_ts')],
  ['reactions.add', shown(TIER_3, 'channel', 'timestamp', 'name')],
]);

const SHARE_OF_PRESSES = 0.4;

/** A method without a row is sent late, seldom and once. */
const UNKNOWN: MethodPolicy = { rank: 'lookup', window: TIER_2, repeatable: false };

/** Marks a direct message to one person, in its metadata. No reader waits for a change of such a message. */
export const DIRECT = 'countersign_direct';

const FOR_MESSAGE = Symbol('for a message');

/**
 * Marks a call that finds out whether a message is heard, or says that it is not. Many people can write at once, so such calls
 * leave a part of each window to those for presses. Slack is not sent the mark.
 */
export const forMessage = <Args extends object>(args: Args): Args => ({ ...args, [FOR_MESSAGE]: true });

const WANTED = Symbol('wanted');

/** Marks a call that is not sent any more once the signal is aborted: it may wait long for its lane. Slack is not sent the mark. */
export const untilAborted = <Args extends object>(args: Args, signal: AbortSignal): Args => ({
  ...args,
  [WANTED]: signal,
});

export function wantedOf({ [WANTED]: signal }: Readonly<Record<string | symbol, unknown>>): AbortSignal | undefined {
  return signal instanceof AbortSignal ? signal : undefined;
}

export function policyOf(
  method: string,
  { metadata, [FOR_MESSAGE]: isForMessage }: Readonly<Record<string | symbol, unknown>> = {},
): MethodPolicy {
  const policy = POLICIES.get(method) ?? UNKNOWN;
  if (isForMessage === true) return { ...policy, rank: 'message', leaves: policy.window.most * SHARE_OF_PRESSES };
  return method === 'chat.update' && isDirect(metadata) ? { ...policy, rank: 'cosmetic' } : policy;
}

function isDirect(metadata: unknown): boolean {
  return (
    typeof metadata === 'object' && metadata !== null && 'event_type' in metadata && metadata.event_type === DIRECT
  );
}

export const KNOWN_METHODS: readonly string[] = [...POLICIES.keys()];
