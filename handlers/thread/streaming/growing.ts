import type { AnyChunk } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Log } from '../../../app/log.ts';
import type { CardReceipt } from '../../../app/records/index.ts';
import type { GrowingReply } from '../../../app/surface.ts';
import { pause } from '../../../app/time/index.ts';
import { isRateLimited, isSlackError, refusalIn } from '../../sender/index.ts';
import { growingReply, growingTasks, PLACEHOLDER } from '../../views/index.ts';

/**
 * Replies that this process writes. New text goes to Slack's stream at a pace that Slack allows. A stream that has ended
 * after its five minutes, or whose content is unknown, is given up, and edits carry on the same message.
 */
export interface Growing {
  readonly begin: (card: CardReceipt, by: Grown['by']) => void;
  /** Resolves when this or something newer was tried. */
  readonly grow: (card: CardReceipt, reply: GrowingReply) => Promise<void>;
  /** Ends the growing. Returns what is known of the reply, if this process began it. */
  readonly letGo: (card: CardReceipt) => Promise<Grown | undefined>;
  /** Stops the stream. `true` when no stream is open there any more. Never rejects. */
  readonly stop: (card: CardReceipt) => Promise<boolean>;
}

export interface Grown {
  /** How it is written now. */
  readonly by: 'stream' | 'edits';
  /** A stream may be open there. Slack takes few stops a minute, so a message that is no stream is not stopped. */
  readonly open: boolean;
  /** The text that the stream has taken. An edit sends the whole text. */
  readonly sent: string;
  /** The status of each call that the stream shows. */
  readonly tasks: ReadonlyMap<string, string>;
  /** The newest that was to be shown. The pace may have been too slow for it. */
  readonly newest: GrowingReply | undefined;
}

interface Live extends Grown {
  by: Grown['by'];
  open: boolean;
  sent: string;
  /** The text of the last edit that Slack took. */
  edited: string | undefined;
  readonly tasks: Map<string, string>;
  newest: GrowingReply | undefined;
  /** It was let go, or Slack takes no more of it: a person pressed Stop, the message is gone, or it refuses edits. */
  ended: boolean;
  wanted: GrowingReply | undefined;
  work: Promise<void> | undefined;
  /** Called when this or something newer was tried. */
  readonly tried: (() => void)[];
  /** On its way to Slack. What the stream holds is known only when this is answered. */
  sending: Promise<unknown> | undefined;
}

export interface GrowingDeps {
  readonly client: WebClient;
  readonly log: Log;
}

/** Slack takes a hundred appends a minute for a whole workspace, and fifty edits. */
const PACE_MS = { stream: 800, edits: 2_500 } as const;
const LONGEST_PAUSE_MS = 30_000;
const MOST_LIVE = 10_000;

export function createGrowing(deps: GrowingDeps): Growing {
  const live = new Map<string, Live>();
  return {
    begin: (card, by) => {
      // This process is not told about runs that another process took over, so their replies would stay here forever.
      if (live.size >= MOST_LIVE) {
        for (const one of live.values()) one.ended = true;
        live.clear();
      }
      live.set(nameOf(card), newReply(by));
    },
    grow: (card, reply) => {
      const one = live.get(nameOf(card));
      return one === undefined || one.ended ? Promise.resolve() : growTo(deps, card, one, reply);
    },
    letGo: async (card) => {
      const one = live.get(nameOf(card));
      live.delete(nameOf(card));
      if (one !== undefined) one.ended = true;
      await one?.sending;
      return one;
    },
    stop: (card) => stop(deps, card),
  };
}

function newReply(by: Grown['by']): Live {
  const nothing = {
    ended: false,
    edited: undefined,
    wanted: undefined,
    newest: undefined,
    work: undefined,
    tried: [],
    sending: undefined,
  };
  return { by, open: by === 'stream', sent: '', tasks: new Map(), ...nothing };
}

function growTo(deps: GrowingDeps, card: CardReceipt, one: Live, reply: GrowingReply): Promise<void> {
  one.wanted = reply;
  one.newest = reply;
  return new Promise((resolve) => {
    one.tried.push(resolve);
    one.work ??= keepUp(deps, card, one).finally(() => {
      one.work = undefined;
      wasTried(one);
    });
  });
}

/** Shows the newest text at a pace that Slack allows. Texts that arrive during a pause are shown together. */
async function keepUp(deps: GrowingDeps, card: CardReceipt, one: Live): Promise<void> {
  while (one.wanted !== undefined && !one.ended) {
    const reply = one.wanted;
    one.wanted = undefined;
    const sending = showMore(deps, card, one, reply);
    one.sending = sending;
    const again = await sending;
    // Before the pause, as the text can be read now.
    wasTried(one);
    if (again === 'never') one.ended = true;
    else if (again === 'shown') await pause(PACE_MS[one.by]);
    else {
      one.wanted ??= reply;
      await pause(again);
    }
  }
}

function wasTried(one: Live): void {
  for (const tell of one.tried.splice(0)) tell();
}

/** `shown`, `never` where a further try is useless, or the pause before the next try. */
async function showMore(
  deps: GrowingDeps,
  card: CardReceipt,
  one: Live,
  reply: GrowingReply,
): Promise<'shown' | 'never' | number> {
  try {
    await (one.by === 'stream' ? append(deps, card, one, reply) : rewrite(deps, card, one, reply));
    return 'shown';
    // Slack may refuse for a moment, for good, or only the stream. The result says which.
  } catch (error) {
    if (isRateLimited(error)) return Math.min(error.retryAfter * 1_000, LONGEST_PAUSE_MS);
    deps.log.debug('More of a reply could not be shown', { channel: card.channel, ts: card.ts, error });
    if (isOver(error)) return 'never';
    if (one.by === 'edits') return refusalIn(error) === undefined ? PACE_MS.edits : 'never';
    // The stream ended after five minutes, or what it holds is unknown.
    one.by = 'edits';
    one.open = !hasDied(error) && !(await stop(deps, card));
    return 0;
  }
}

async function append({ client }: GrowingDeps, card: CardReceipt, one: Live, reply: GrowingReply): Promise<void> {
  const text = growingReply(reply.text);
  const more = text.startsWith(one.sent) ? text.slice(one.sent.length) : '';
  const tasks = newTasks(one, reply);
  const chunks: AnyChunk[] = [...tasks, ...(more === '' ? [] : [{ type: 'markdown_text' as const, text: more }])];
  if (chunks.length === 0) return;
  await client.chat.appendStream({ ...card, chunks });
  one.sent += more;
  for (const { id, status } of tasks) one.tasks.set(id, status);
}

/** The calls that the stream shows otherwise, or not at all. */
export function newTasks(one: Pick<Grown, 'tasks'>, { calls }: GrowingReply): ReturnType<typeof growingTasks> {
  return growingTasks(calls).filter((task) => one.tasks.get(task.id) !== task.status);
}

async function rewrite({ client }: GrowingDeps, card: CardReceipt, one: Live, reply: GrowingReply): Promise<void> {
  const text = growingReply(reply.text);
  // The reply may have grown by calls alone, which only a stream shows.
  if (text === '' || text === one.edited) return;
  await client.chat.update({ ...card, text: PLACEHOLDER.text, blocks: [{ type: 'markdown', text }] });
  one.edited = text;
}

function stop({ client, log }: GrowingDeps, card: CardReceipt): Promise<boolean> {
  return client.chat.stopStream({ ...card }).then(
    () => true,
    (error: unknown) => {
      log.debug('A stream could not be stopped', { channel: card.channel, ts: card.ts, error });
      return hasDied(error);
    },
  );
}

/** A person pressed Stop, the message is gone, or the bot may write nothing here any more: more of the reply helps no person. */
function isOver(error: unknown): boolean {
  const { code = '', meaning } = refusalIn(error) ?? {};
  return meaning === 'channel' || meaning === 'workspace' || ['stopped_by_user', 'message_not_found'].includes(code);
}

/** It was stopped before, its five minutes are over, or it never was a stream. */
export function hasDied(error: unknown): boolean {
  return isSlackError(error, 'message_not_in_streaming_state');
}

const nameOf = ({ channel, ts }: CardReceipt): string => `${channel}:${ts}`;
