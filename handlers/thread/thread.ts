import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../app/clock.ts';
import type { Log } from '../../app/log.ts';
import type { Approval, ApprovalId, CardReceipt, Doubt, Inquiry, ListCard, Thread } from '../../app/records/index.ts';
import type { GrowingReply, Painting, Post, Surface } from '../../app/surface.ts';
import { createTurns } from '../../app/time/index.ts';
import { isDoubtful, isSlackError, refusedFor } from '../sender/index.ts';
import {
  approvalCard,
  doubtCard,
  inquiryCard,
  listCard,
  type MessageView,
  referredNote,
  replyMessages,
} from '../views/index.ts';
import { createPaintings } from './cards/paintings.ts';
import { createFiles, type FileLimits, type Files } from './files.ts';
import { createReminding } from './reminding.ts';
import { createSessionStatus } from './session-status.ts';
import { createReplies } from './streaming/replies.ts';
import { EVENT_TYPE, findPost, findWordless, keyAt, unlessRefused } from './thread-search.ts';

/** A surface that knows where it is, and need not be told. */
export type WorkspaceSurface = Omit<Surface, 'growReply' | 'readFile'> &
  Files & { readonly growReply: (card: CardReceipt, reply: GrowingReply) => Promise<void> };

export interface SurfaceDeps {
  readonly client: WebClient;
  readonly log: Log;
  readonly clock: Clock;
  readonly fileLimits: FileLimits;
}

/** Writes to threads in Slack: says things, shows cards and replaces them, and tells whose turn it is. */
export function createSurface({ client, log, clock, fileLimits }: SurfaceDeps): WorkspaceSurface {
  const inTurn = createTurns();
  const paintings = createPaintings(clock);

  const replies = createReplies({ client, inTurn, log, findWordless: (thread) => findWordless(client, thread) });

  const say = async (thread: Thread, post: Post): Promise<CardReceipt> => {
    const { key, into, maybePosted } = post;
    let first: CardReceipt | undefined;
    for (const [index, view] of replyMessages(post.text, post).entries()) {
      const place = { thread, key: partKey(key, index), maybePosted };
      first ??= into === undefined ? undefined : await finishInto(into, view, place);
      if (index > 0 || first === undefined) {
        const receipt = await postOnce(thread, place.key, view, maybePosted);
        first ??= receipt;
      }
    }
    if (first === undefined) throw new Error(`The post ${key} has no text. Give it some.`);
    return first;
  };

  /** What people have read along with becomes the post, unless it is gone. Then it is posted like any other. */
  const finishInto = async (
    card: CardReceipt,
    view: MessageView,
    { thread, key, maybePosted }: { readonly thread: Thread; readonly key: string; readonly maybePosted: boolean },
  ): Promise<CardReceipt | undefined> => {
    const before = maybePosted ? await inTurn(thread.channel, () => findPost(client, thread, key)) : undefined;
    if (before !== undefined) return before;
    return (await replies.finish(card, view, metadata(key))) === 'finished' ? card : undefined;
  };

  const amend: Surface['amend'] = async (_thread, card, post) => {
    const [view] = replyMessages(post.text, post);
    if (view === undefined) return;
    try {
      await client.chat.update({ ...card, text: view.text, blocks: view.blocks, metadata: metadata(post.key) });
    } catch (error) {
      const why = refusedFor(error);
      if (why === undefined) throw error;
      log.warn('A line cannot be changed any more', { key: post.key, why });
    }
  };

  const postCard = (approval: Approval, { maybePosted }: { readonly maybePosted: boolean }): Promise<CardReceipt> =>
    postOnce(approval.thread, cardKey(approval), approvalCard(approval), maybePosted, origin(approval));

  const findCard = (approval: Approval): Promise<CardReceipt | undefined> =>
    inTurn(approval.thread.channel, () => findPost(client, approval.thread, cardKey(approval)));

  const postList: Surface['postList'] = (list, { maybePosted }) =>
    postOnce(list.thread, listKey(list), listCard(list), maybePosted);

  const findList = (list: ListCard): Promise<CardReceipt | undefined> =>
    inTurn(list.thread.channel, () => findPost(client, list.thread, listKey(list)));

  const reminding = createReminding({
    client,
    log,
    inThread: (approval, key, view) => postOnce(approval.thread, key, view, true),
  });

  const callByName: Surface['callByName'] = async (approval, { by, to }, { maybePosted }) => {
    const { thread, id } = approval;
    const key = `referral:${id}:${to}`;
    const before = maybePosted ? await inTurn(thread.channel, () => findPost(client, thread, key)) : undefined;
    if (before !== undefined) return 'called-before';
    await postOnce(thread, key, referredNote(approval, by, to), false);
    return 'called';
  };

  const postInquiry: Surface['postInquiry'] = (inquiry, { maybePosted }) =>
    postOnce(inquiry.thread, inquiryKey(inquiry), inquiryCard(inquiry), maybePosted);

  const findInquiry = (inquiry: Inquiry): Promise<CardReceipt | undefined> =>
    inTurn(inquiry.thread.channel, () => findPost(client, inquiry.thread, inquiryKey(inquiry)));

  const postDoubt: Surface['postDoubt'] = (doubt, { maybePosted }) =>
    postOnce(doubt.thread, doubtKey(doubt), doubtCard(doubt), maybePosted);

  const findDoubt = (doubt: Doubt): Promise<CardReceipt | undefined> =>
    inTurn(doubt.thread.channel, () => findPost(client, doubt.thread, doubtKey(doubt)));

  /** A lost reply is a doubt like any other, so the thread is searched before anything is posted a second time. */
  const postOnce = (
    thread: Thread,
    key: string,
    view: MessageView,
    maybePosted: boolean,
    about: Origin = {},
  ): Promise<CardReceipt> =>
    inTurn(thread.channel, async () => {
      const before = maybePosted ? await findPost(client, thread, key) : undefined;
      if (before !== undefined) return before;
      try {
        return await post(thread, key, view, about);
      } catch (error) {
        if (!isDoubtful(error)) throw error;
        log.warn('A post may or may not have arrived; the thread is searched for it', { channel: thread.channel, key });
        return (await findPost(client, thread, key)) ?? post(thread, key, view, about);
      }
    });

  const post = async (thread: Thread, key: string, view: MessageView, about: Origin): Promise<CardReceipt> => {
    const to = { channel: thread.channel, thread_ts: thread.ts };
    const posted = await client.chat
      .postMessage({ ...to, ...view, metadata: metadata(key, about) })
      .catch(unlessRefused(thread));
    return receiptOf(posted);
  };

  const paintCard: Surface['paintCard'] = (approval) =>
    paint({ ...approval, key: cardKey(approval), origin: origin(approval) }, () => approvalCard(approval));

  const paintList: Surface['paintList'] = (list) => paint({ ...list, key: listKey(list) }, () => listCard(list));

  /** It is painted once, when it is settled. */
  const paintInquiry: Surface['paintInquiry'] = (inquiry) =>
    paint({ ...inquiry, revision: 1, key: inquiryKey(inquiry) }, () => inquiryCard(inquiry));

  /** As an inquiry. */
  const paintDoubt: Surface['paintDoubt'] = (doubt) =>
    paint({ ...doubt, revision: 1, key: doubtKey(doubt) }, () => doubtCard(doubt));

  const paint = async ({ card, id, revision, key, origin }: Painted, view: () => MessageView): Promise<Painting> => {
    if (card === undefined || !paintings.begin(id, revision)) return 'painted';
    try {
      const { text, blocks } = view();
      await client.chat.update({ channel: card.channel, ts: card.ts, text, blocks, metadata: metadata(key, origin) });
      return 'painted';
    } catch (error) {
      const why = refusedFor(error);
      if (why === undefined) {
        paintings.failed(id, revision);
        throw error;
      }
      log.warn('A card cannot be repainted any more; its decision counts all the same', { card: id, why });
      return isSlackError(error, 'message_not_found') ? 'gone' : 'painted';
    }
  };

  return {
    say,
    amend,
    beginReply: replies.begin,
    growReply: replies.grow,
    dropReply: replies.drop,
    takeBack: (_thread, card) => inTurn(card.channel, () => replies.remove(card)),
    takeBackSecond: async ({ id, list, thread }, pressed) => {
      if ((await keyAt(client, thread, pressed)) === `card:${list ?? id}`) await replies.remove(pressed);
    },
    postCard,
    findCard,
    paintCard,
    postList,
    findList,
    paintList,
    ...reminding,
    callByName,
    postInquiry,
    findInquiry,
    paintInquiry,
    postDoubt,
    findDoubt,
    paintDoubt,
    ...createSessionStatus({ client, log }),
    ...createFiles({ client, log, limits: fileLimits }),
  };
}

interface Painted {
  readonly id: ApprovalId;
  readonly card?: CardReceipt;
  readonly revision: number;
  readonly key: string;
  readonly origin?: Origin;
}

/** Which run it belongs to, and in which store. */
type Origin = Readonly<Record<string, string>>;

const metadata = (key: string, about: Origin = {}) => ({ event_type: EVENT_TYPE, event_payload: { key, ...about } });
const origin = ({ run, firstEntry }: Approval): Origin => ({
  run,
  ...(firstEntry === undefined ? {} : { firstEntry }),
});
const cardKey = ({ id }: Approval): string => `card:${id}`;
const listKey = ({ id }: ListCard): string => `card:${id}`;
const inquiryKey = ({ id }: Inquiry): string => `inquiry:${id}`;
const doubtKey = ({ id }: Doubt): string => `doubt:${id}`;
const partKey = (key: string, index: number): string => (index === 0 ? key : `${key}#${index + 1}`);

function receiptOf({ channel, ts }: { readonly channel?: string; readonly ts?: string }): CardReceipt {
  if (channel !== undefined && ts !== undefined) return { channel, ts };
  throw new Error(
    'Slack accepted a post and did not say where it stands. Search the thread for it before posting again.',
  );
}
