import type { WebClient } from '@slack/web-api';
import type { Trust, TrustedFrom } from '../../app/authority/index.ts';
import type { StandingTrust, Thread } from '../../app/records/index.ts';
import type { Wish, WishScope } from '../payloads/index.ts';
import {
  ANSWERS,
  type MessageView,
  type Mrkdwn,
  misread,
  trustedView,
  trustGiven,
  trustRefused,
  trustTaken,
} from '../views/index.ts';
import { whyNotMember } from './membership.ts';
import { sentence } from './tell.ts';

/** What became of a wish to trust something no longer. */
interface TakenAway {
  readonly revoked: number;
  readonly failed: number;
  /** The threads in which trust ended, where the person does not look at them. */
  readonly threads: readonly Thread[];
}

/** Trust by words, the same in a thread and in a command. It covers later calls and decides no pending one. */

export type TrustWords = Extract<Wish, { readonly type: 'trust' | 'untrust' | 'trusted' | 'misread' | 'help' }>;

export interface WordsAnswer {
  readonly view: MessageView;
  /** Why nothing was done, for the writer and for the log. */
  readonly refused?: string;
}

export interface TrustWordsDeps {
  readonly trust: Trust;
  readonly client: WebClient;
}

/** Carries out the words and answers them. The same words give one trust, however often they are delivered. */
export async function answerTrustWords(
  deps: TrustWordsDeps,
  {
    wish,
    place,
    help,
    delivery,
  }: {
    readonly wish: TrustWords;
    readonly place: TrustedFrom;
    readonly help: Mrkdwn;
    /** Names the words, if they are delivered again. */
    readonly delivery?: string | undefined;
  },
): Promise<WordsAnswer> {
  const { trust } = deps;
  switch (wish.type) {
    case 'help':
      return { view: sentence(help) };
    case 'misread':
      return { view: sentence(misread(wish.problem, help)), refused: wish.problem };
    case 'trusted':
      return { view: await listTrusted(trust, place) };
    case 'trust':
      return trustOnce(deps, { ...wish, delivery }, place);
    case 'untrust': {
      const words = { by: place, tool: wish.tool, delivery };
      const taken = await trust.takenBack.once(words, () => takeAway(trust, wish, place));
      if (taken === 'before') return { view: sentence(ANSWERS.doneBefore), refused: 'carried out before' };
      return { view: sentence(trustTaken({ tool: wish.tool, inThread: place.threadTs !== undefined, ...taken })) };
    }
  }
}

type TrustWish = Extract<TrustWords, { readonly type: 'trust' }> & { readonly delivery: string | undefined };

/** The first answer to the words stands. Where it refuses them, trust of another process, which may have died, ends. */
async function trustOnce(deps: TrustWordsDeps, wish: TrustWish, place: TrustedFrom): Promise<WordsAnswer> {
  const { takenBack, endGiven } = deps.trust;
  const words = { by: place, tool: wish.tool, delivery: wish.delivery };
  let stands = await takenBack.answerTo(words);
  if (stands === undefined) {
    const answer = await giveTrust(deps, { ...wish, isTakenBack: await takenBack.watch(words) }, place);
    stands = await takenBack.settle(words, { why: answer.refused });
    if (stands.why === undefined && answer.refused === undefined) return answer;
  }
  const { why } = stands;
  if (why === undefined) return { view: sentence(ANSWERS.doneBefore), refused: 'carried out before' };
  await endGiven(words);
  return refusedTrust(why);
}

const TAKEN_BACK = 'You wrote untrust after it.';

/** Without a scope, the first is taken that this person may give: a command names no thread. */
async function giveTrust(
  { trust, client }: TrustWordsDeps,
  { tool, scope, forMs, delivery, isTakenBack }: TrustWish & { readonly isTakenBack: () => Promise<boolean> },
  place: TrustedFrom,
): Promise<WordsAnswer> {
  let why = await whyNotMember(client, place);
  if (why === undefined && (await isTakenBack())) why = TAKEN_BACK;
  if (why !== undefined) return refusedTrust(why);
  const usual: readonly WishScope[] = place.threadTs === undefined ? ['requester', 'channel'] : ['thread'];
  for (const each of scope === undefined ? usual : [scope]) {
    const given = await trust.give({ tool, scope: each, forMs, thread: threadOf(place), by: place.user, delivery });
    if (given.type === 'given' && (await isTakenBack())) {
      await trust.revoke(given.trust.id, place.user);
      return refusedTrust(TAKEN_BACK);
    }
    if (given.type === 'given') return { view: sentence(trustGiven(given.trust)) };
    why ??= given.why;
  }
  return refusedTrust(why ?? '');
}

function refusedTrust(why: string): WordsAnswer {
  return { view: sentence(trustRefused(why)), refused: why };
}

/** A command does not name its thread, so what the person trusts in any thread is listed as well. */
export async function listTrusted(trust: Pick<Trust, 'list' | 'listFor'>, place: TrustedFrom): Promise<MessageView> {
  if (place.threadTs !== undefined) return trustedView(await trust.list(place), 'thread');
  return trustedView(await eachOnce([trust.list(place), trust.listFor(place)]), 'channel');
}

async function eachOnce(asked: readonly Promise<readonly StandingTrust[]>[]): Promise<readonly StandingTrust[]> {
  const lists = await Promise.all(asked);
  return [...new Map(lists.flat().map((one) => [one.id, one])).values()];
}

/**
 * Ends what counts here. A command names no thread, so it ends trust in every thread of its channel as well, and what the
 * person trusts anywhere: these are the threads that the person may see for certain.
 */
async function takeAway(
  trust: Pick<Trust, 'listToEnd' | 'revoke'>,
  { tool, scope }: { readonly tool: string; readonly scope: WishScope | undefined },
  place: TrustedFrom,
): Promise<TakenAway> {
  const isCommand = place.threadTs === undefined;
  const found = await trust.listToEnd(place);
  const meant = found.filter((one) => (tool === 'all' || one.tool === tool) && isIn(scope, one, place));
  const results = await Promise.all(meant.map(({ id }) => trust.revoke(id, place.user)));
  const revoked = results.filter((result) => result === 'revoked').length;
  const threads = isCommand ? meant.flatMap(({ offer, thread }) => (offer.scope === 'thread' ? [thread] : [])) : [];
  return { revoked, failed: results.length - revoked, threads };
}

function isIn(scope: WishScope | undefined, { offer, thread }: StandingTrust, { channel }: TrustedFrom): boolean {
  if (scope === undefined) return true;
  return offer.scope === scope && (scope !== 'channel' || thread.channel === channel);
}

function threadOf({ team, channel, threadTs = NO_THREAD }: TrustedFrom): Thread {
  return { team, channel, ts: threadTs };
}

/** A slash command has no thread; the place it was typed in is its channel. */
const NO_THREAD = '0';
