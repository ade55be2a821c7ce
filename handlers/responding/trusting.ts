import type { Trust, TrustedFrom } from '../../app/authority/index.ts';
import type { StandingTrust, Thread } from '../../app/records/index.ts';
import type { Wish, WishScope } from '../payloads/index.ts';
import {
  fallback,
  type MessageView,
  type Mrkdwn,
  misread,
  section,
  trustedView,
  trustGiven,
  trustRefused,
  trustTaken,
} from '../views/index.ts';

/** What became of a wish to trust something no longer. */
export interface TakenAway {
  readonly revoked: number;
  readonly failed: number;
}

/** Trust by words, the same in a thread and in a command. It covers later calls and decides no pending one. */

export type TrustWords = Extract<Wish, { readonly type: 'trust' | 'untrust' | 'trusted' | 'misread' | 'help' }>;

export interface WordsAnswer {
  readonly view: MessageView;
  /** Why nothing was done, for the writer and for the log. */
  readonly refused?: string;
}

export async function answerTrustWords(
  trust: Trust,
  {
    wish,
    place,
    help,
    takenAway,
  }: {
    readonly wish: TrustWords;
    readonly place: TrustedFrom;
    readonly help: Mrkdwn;
    /** Present where the door has revoked already. */
    readonly takenAway?: TakenAway | undefined;
  },
): Promise<WordsAnswer> {
  switch (wish.type) {
    case 'help':
      return { view: sentence(help) };
    case 'misread':
      return { view: sentence(misread(wish.problem, help)), refused: wish.problem };
    case 'trusted':
      return { view: await listTrusted(trust, place) };
    case 'trust': {
      const { tool, scope, forMs } = wish;
      const given = await trust.give({ tool, scope, forMs, thread: threadOf(place), by: place.user });
      return given.type === 'given' ? { view: sentence(trustGiven(given.trust)) } : refusedTrust(given.why);
    }
    case 'untrust': {
      const taken = takenAway ?? (await takeAway(trust, wish, place));
      return { view: sentence(trustTaken({ tool: wish.tool, ...taken })) };
    }
  }
}

export function refusedTrust(why: string): WordsAnswer {
  return { view: sentence(trustRefused(why)), refused: why };
}

/** A command does not name its thread, so what the person trusts in any thread is listed as well. */
export async function listTrusted(trust: Pick<Trust, 'list' | 'listFor'>, place: TrustedFrom): Promise<MessageView> {
  if (place.threadTs !== undefined) return trustedView(await trust.list(place), 'thread');
  const lists = await Promise.all([trust.list(place), trust.listFor({ team: place.team, user: place.user })]);
  const each = new Map(lists.flat().map((one) => [one.id, one]));
  return trustedView([...each.values()], 'channel');
}

export function sentence(text: Mrkdwn): MessageView {
  return { text: fallback(text), blocks: [section('answer', text)] };
}

export async function takeAway(
  trust: Pick<Trust, 'list' | 'revoke'>,
  { tool, scope }: { readonly tool: string; readonly scope: WishScope | undefined },
  place: TrustedFrom,
): Promise<TakenAway> {
  const meant = (one: StandingTrust) =>
    (tool === 'all' || one.tool === tool) && (scope === undefined || one.offer.scope === scope);
  const trusts = (await trust.list(place)).filter(meant);
  const results = await Promise.all(trusts.map(({ id }) => trust.revoke(id, place.user)));
  const revoked = results.filter((result) => result === 'revoked').length;
  return { revoked, failed: results.length - revoked };
}

function threadOf({ team, channel, threadTs = NO_THREAD }: TrustedFrom): Thread {
  return { team, channel, ts: threadTs };
}

/** A slash command has no thread; the place it was typed in is its channel. */
const NO_THREAD = '0';
