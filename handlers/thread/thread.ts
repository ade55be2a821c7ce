import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../app/clock.ts';
import type { Log } from '../../app/log.ts';
import type { Surface } from '../../app/surface.ts';
import { createTurns } from '../../app/time/index.ts';
import { referredNote } from '../views/index.ts';
import { createCards } from './cards/cards.ts';
import { createFiles, type FileLimits } from './files.ts';
import { type Posting, postBefore, postOnce } from './posting.ts';
import { createReminding } from './reminding.ts';
import { amend, say } from './saying.ts';
import { createSessionStatus } from './session-status.ts';
import { createReplies } from './streaming/replies.ts';
import { findOwn, findWordless, payloadAt } from './thread-search.ts';

export interface SurfaceDeps {
  readonly client: WebClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly fileLimits: FileLimits;
  /** Where this bot keeps its facts, as `placeOf` says it. */
  readonly place?: string;
}

/** Writes to threads of one workspace in Slack: says things, shows cards, replaces them, and shows who has to act. */
export function createSurface({ client, log, clock, fileLimits, place }: SurfaceDeps): Omit<Surface, 'paintingHeld'> {
  const inTurn = createTurns();
  const posting: Posting = { client, log, inTurn, place };
  const replies = createReplies({ client, inTurn, log, findWordless: (thread) => findWordless(client, thread) });

  return {
    say: (thread, post) => say({ posting, replies }, thread, post),
    amend: (_thread, card, post) => amend(posting, card, post),
    beginReply: replies.begin,
    growReply: replies.grow,
    dropReply: replies.drop,
    takeBack: (_thread, card) => inTurn(card.channel, () => replies.remove(card)),
    takeBackSecond: async ({ id, list, thread }, pressed) => {
      const says = await payloadAt(client, pressed, thread.ts);
      if (says?.key === `card:${list ?? id}`) await replies.remove(pressed);
    },
    ...createCards(posting, clock),
    ...createReminding({
      client,
      log,
      inThread: ({ thread }, key, view) => postOnce(posting, thread, { key, view, maybePosted: true }),
    }),
    ownPosts: (thread) => findOwn(posting, thread),
    callByName: callByName(posting),
    ...createSessionStatus({ client, log }),
    ...createFiles({ client, log, limits: fileLimits }),
  };
}

function callByName(posting: Posting): Surface['callByName'] {
  return async (approval, { by, to }, { maybePosted }) => {
    const { thread, id } = approval;
    const key = `referral:${id}:${to}`;
    const before = maybePosted ? await postBefore(posting, thread, key) : undefined;
    if (before !== undefined) return 'called-before';
    await postOnce(posting, thread, { key, view: referredNote(approval, by, to), maybePosted: false });
    return 'called';
  };
}
