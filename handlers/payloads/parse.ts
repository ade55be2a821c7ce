import { z } from 'zod';
import { given } from '../../app/given.ts';
import { ApprovalId, type CardReceipt, InboxMessage, type Thread, UserId } from '../../app/records/index.ts';
import { readSights } from './app-context.ts';
import type { BotPayload } from './bot.ts';
import { unescaped } from './escapes.ts';
import { readForwarded } from './forwarded.ts';
import { readFiles } from './message-files.ts';
import { readWorkspace } from './origin.ts';

/** Turns Slack's events and commands into the types of this project. Outside of this room, no code knows the shape of a delivery. */

export type Delivered =
  /** A message that may be for the bot. */
  | { readonly type: 'message'; readonly message: InboxMessage; readonly addressed: boolean }
  /** A person deleted a card of the bot, on which this approval stood. */
  | { readonly type: 'card-deleted'; readonly card: CardReceipt; readonly approval: ApprovalId }
  | { readonly type: 'ignored'; readonly why: string; readonly chatter: boolean }
  /** A press, a command, or an event that a row of the table answers. */
  | { readonly type: 'other' };

/** Slack leaves a field out, or sends null. */
const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const Event = z.object({
  type: z.string(),
  subtype: Text,
  channel: Text,
  channel_type: Text,
  user: Text,
  user_team: Text,
  bot_id: Text,
  text: Text,
  ts: Text,
  thread_ts: Text,
  edited: z.unknown().optional(),
  files: z.unknown().optional(),
  attachments: z.unknown().optional(),
  app_context: z.unknown().optional(),
});
type Event = z.infer<typeof Event>;

const EventDelivery = z.object({ type: z.literal('event_callback'), event: Event });

export interface Reading {
  /** Names of the events that the table answers. */
  readonly answered: ReadonlySet<string>;
  readonly botsMayAsk: boolean;
}

export function readDelivery(body: unknown, bot: BotPayload, { answered, botsMayAsk }: Reading): Delivered {
  const parsed = EventDelivery.safeParse(body);
  if (!parsed.success) return isEvent(body) ? ignored('an event of an unknown shape') : { type: 'other' };
  const { event } = parsed.data;
  if (!answered.has(event.type)) return ignored(`no row answers the event ${event.type}`);
  if (event.type !== 'message' && event.type !== 'app_mention') return { type: 'other' };
  return readDeleted(body, bot) ?? readMessage(event, bot, { ...readWorkspace(body, bot), botsMayAsk });
}

const Deleted = z.object({
  event: z.object({
    subtype: z.literal('message_deleted'),
    channel: z.string(),
    deleted_ts: z.string(),
    previous_message: z.object({ user: z.string(), blocks: z.array(z.unknown()) }),
  }),
});

/** One id is enough: the receipts say which other questions stood on the card. */
function readDeleted(body: unknown, bot: BotPayload): Delivered | undefined {
  const event = Deleted.safeParse(body).data?.event;
  if (event?.previous_message.user !== bot.user_id) return undefined;
  const values = JSON.stringify(event.previous_message.blocks).matchAll(/"value":"(?:\w+ )?(\d{2}a[\w-]{22})"/g);
  const [first] = [...values].flatMap(([, id]) => ApprovalId.safeParse(id).data ?? []);
  if (first === undefined) return undefined;
  return { type: 'card-deleted', card: { channel: event.channel, ts: event.deleted_ts }, approval: first };
}

export function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'type' in body && body.type === 'event_callback';
}

function ignored(why: string, chatter = false): Delivered {
  return { type: 'ignored', why, chatter };
}

/**
 * Takes what people write, and no edits, deletions or joins. Where bots may ask, a bot has to mention this one each time,
 * because two bots that answer each other would never end.
 */
function readMessage(
  event: Event,
  bot: BotPayload,
  { botsMayAsk, ...where }: { readonly workspace?: string; readonly botsMayAsk: boolean },
): Delivered {
  const { subtype, channel, user, ts, text: written } = event;
  const mentioned = event.type === 'app_mention' || written?.includes(`<@${bot.user_id}>`) === true;
  const isWritten = subtype === undefined || WRITTEN.includes(subtype) || (botsMayAsk && subtype === OF_BOTS);
  if (!isWritten) return ignored(`a message of the kind ${subtype}`, true);
  if (event.edited != null) return ignored('an edited message', true);
  if (user === bot.user_id) return ignored('a message of our own', true);
  if (event.bot_id !== undefined && !(botsMayAsk && mentioned)) return ignored('a message of a bot', true);
  if (channel === undefined || user === undefined || ts === undefined) {
    return ignored('a message without channel, author or time');
  }

  const text = written ?? '';
  const files = readFiles(event.files);
  const forwarded = readForwarded(event.attachments);
  // The agent reads their words too.
  const alsoSteeredBy = [...new Set(forwarded.flatMap(({ by }) => by ?? []))].filter((by) => by !== bot.user_id);
  const direct = event.channel_type === 'im';
  // What a writer has open is for the app alone, so it is read in direct messages only.
  const sees = direct
    ? readSights(event.app_context, { teams: [bot.team_id, ...Object.values(where)], here: channel })
    : [];
  const message = InboxMessage.parse({
    // In a shared channel the event names the team of the author. The thread belongs to the bot's.
    thread: { team: bot.team_id, channel, ts: event.thread_ts ?? ts, ...where },
    user,
    ...given({ userTeam: event.user_team }),
    ts,
    text: readText(text, bot),
    ...(files.length === 0 ? {} : { files }),
    ...(forwarded.length === 0 ? {} : { forwarded }),
    ...(alsoSteeredBy.length === 0 ? {} : { alsoSteeredBy }),
    ...(sees.length === 0 ? {} : { sees }),
  });
  const addressed = mentioned || direct;
  if (!addressed && event.thread_ts === undefined) return ignored('a message that is not for us', true);
  return { type: 'message', message, addressed };
}

/** Subtypes that are ordinary messages to their writer: with a file, “Also send to the channel”, and `/me`. */
const WRITTEN = ['file_share', 'thread_broadcast', 'me_message'];
/** The subtype that workflows and older bots have. */
const OF_BOTS = 'bot_message';

/** The text without the bot's name in front. */
function readText(text: string, bot: BotPayload): string {
  const rest = text.trim().replace(new RegExp(`^(?:<@${bot.user_id}>[\\s,:]*)+`), '');
  return unescaped(rest).trim();
}

const Stopped = z.object({
  event: z.object({ channel: z.string(), thread_ts: z.string(), user: UserId, event_ts: Text }),
});

interface SessionStopped {
  readonly thread: Thread;
  readonly by: UserId;
  /** A second later than the event says: Slack may give whole seconds, and what ran then is stopped. */
  readonly said: string | undefined;
}

export function readSessionStopped(body: unknown, bot: BotPayload): SessionStopped {
  const { channel, thread_ts, user, event_ts } = Stopped.parse(body).event;
  const said = event_ts === undefined ? undefined : `${Number(event_ts) + 1}`;
  return { thread: { team: bot.team_id, channel, ts: thread_ts }, by: user, said };
}

const HomeOpened = z.object({ event: z.object({ user: UserId, tab: z.string().default('home') }) });

/** Reads which tab of the app a person opened. */
export function readHomeOpened(body: unknown): { readonly user: UserId; readonly tab: string } {
  return HomeOpened.parse(body).event;
}

const Command = z.object({
  text: Text,
  user_id: UserId,
  channel_id: z.string(),
  team_id: Text,
  trigger_id: Text,
});

export interface TypedCommand {
  readonly text: string;
  readonly user: UserId;
  readonly channel: string;
  /** The workspace it was typed in. */
  readonly team: string | undefined;
  /** The same each time that Slack delivers this command. */
  readonly delivery: string | undefined;
}

export function readCommand(body: unknown): TypedCommand {
  const { text = '', user_id: user, channel_id: channel, team_id: team, trigger_id: delivery } = Command.parse(body);
  return { text, user, channel, team, delivery };
}

const Person = z.object({
  response_url: z.string().optional(),
  event: z.object({ channel: z.string(), user: z.string(), thread_ts: z.string().optional() }).optional(),
});

/** Where the person behind any delivery can be told that it failed. */
export function readPerson(body: unknown): z.infer<typeof Person> {
  return Person.safeParse(body).data ?? {};
}

const Titled = z.object({ view: z.object({ title: z.object({ text: z.string() }) }) });

/** The title of a form, for the view that takes its place. */
export function readTitle(body: unknown): string {
  return Titled.safeParse(body).data?.view.title.text ?? 'Form';
}
