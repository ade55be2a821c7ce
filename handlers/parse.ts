import { z } from 'zod';
import {
  ApprovalId,
  type CardReceipt,
  GrantId,
  InboxMessage,
  type Thread,
  TrustTerms,
  UserId,
} from '../app/records.ts';

/** Slack's payloads in, our words out. Past this file nobody knows what Slack sends. */

/** Who we are in this workspace; from `auth.test`. */
/** Somebody whose workspace is not named belongs to none of ours, and may decide nothing. */
const UNKNOWN_TEAM = 'unknown';

export const Bot = z.object({ team_id: z.string(), user_id: z.string(), bot_id: z.string().optional() });
export type Bot = z.infer<typeof Bot>;

export type Delivered =
  /** Somebody wrote something that may be for us. */
  | { readonly type: 'message'; readonly message: InboxMessage; readonly addressed: boolean }
  | { readonly type: 'ignored'; readonly why: string; readonly chatter: boolean }
  /** A press, a command, or an event that somebody in the table answers. */
  | { readonly type: 'other' };

const Event = z.object({
  type: z.string(),
  subtype: z.string().optional(),
  channel: z.string().optional(),
  channel_type: z.string().optional(),
  user: z.string().optional(),
  user_team: z.string().optional(),
  bot_id: z.string().nullish(),
  text: z.string().nullish(),
  ts: z.string().optional(),
  thread_ts: z.string().optional(),
  edited: z.unknown().optional(),
});
type Event = z.infer<typeof Event>;

const EventDelivery = z.object({ type: z.literal('event_callback'), event: Event });

export function readDelivery(body: unknown, bot: Bot, answered: ReadonlySet<string>): Delivered {
  const parsed = EventDelivery.safeParse(body);
  if (!parsed.success) return isEvent(body) ? ignored('an event of a shape that nobody knows') : { type: 'other' };
  const { event } = parsed.data;
  if (!answered.has(event.type)) return ignored(`nobody answers the event ${event.type}`);
  if (event.type !== 'message' && event.type !== 'app_mention') return { type: 'other' };
  return readMessage(event, bot);
}

function isEvent(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'type' in body && body.type === 'event_callback';
}

function ignored(why: string, chatter = false): Delivered {
  return { type: 'ignored', why, chatter };
}

/** Only people start or continue anything, and only by writing: not by editing, deleting, joining or being a bot. */
function readMessage(event: Event, bot: Bot): Delivered {
  const { subtype, channel, user, ts } = event;
  if (subtype !== undefined && subtype !== 'file_share') return ignored(`a message of the kind ${subtype}`, true);
  if (event.edited !== undefined) return ignored('an edited message', true);
  if (user === bot.user_id) return ignored('a message of our own', true);
  if (typeof event.bot_id === 'string') return ignored('a message of a bot', true);
  if (channel === undefined || user === undefined || ts === undefined) {
    return ignored('a message without channel, author or time');
  }

  const text = event.text ?? '';
  const mentioned = event.type === 'app_mention' || text.includes(`<@${bot.user_id}>`);
  const message = InboxMessage.parse({
    // Shared channels name the author's team in the event; the thread is ours.
    thread: { team: bot.team_id, channel, ts: event.thread_ts ?? ts },
    user,
    ...(event.user_team === undefined ? {} : { userTeam: event.user_team }),
    ts,
    text: readText(text, bot),
  });
  const addressed = mentioned || event.channel_type === 'im';
  if (!addressed && event.thread_ts === undefined) return ignored('a message that is not for us', true);
  return { type: 'message', message, addressed };
}

/** What the person wrote: without our name in front, and with the signs that Slack escapes. */
function readText(text: string, bot: Bot): string {
  const rest = text.trim().replace(new RegExp(`^(?:<@${bot.user_id}>[\\s,:]*)+`), '');
  return rest.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').trim();
}

const Stopped = z.object({
  event: z.object({ channel: z.string(), thread_ts: z.string(), user: UserId }),
});

export function readSessionStopped(body: unknown, bot: Bot): { readonly thread: Thread; readonly by: UserId } {
  const { event } = Stopped.parse(body);
  return { thread: { team: bot.team_id, channel: event.channel, ts: event.thread_ts }, by: event.user };
}

const Pressed = z.object({
  user: z.object({ id: UserId, team_id: z.string().optional() }),
  team: z.object({ id: z.string() }).nullish(),
  trigger_id: z.string(),
  container: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('message'),
      channel_id: z.string(),
      message_ts: z.string(),
      thread_ts: z.string().optional(),
    }),
    z.object({ type: z.literal('view'), view_id: z.string() }),
  ]),
  message: z.object({ text: z.string(), blocks: z.array(z.looseObject({ type: z.string() })) }).optional(),
  view: z.object({ id: z.string(), hash: z.string().optional(), private_metadata: z.string() }).optional(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    )
    .min(1),
});

export interface PressedButton {
  readonly by: { readonly user: UserId; readonly team: string };
  readonly trigger: string;
  /** What the button carries. The only thing taken from it is which approval is meant. */
  readonly value: string;
  readonly place: PressedPlace;
  /** What stood there when it was pressed. It is ours, and shown again at most. */
  readonly message: { readonly text: string; readonly blocks: readonly { readonly type: string }[] } | undefined;
}

export type PressedPlace =
  | { readonly type: 'message'; readonly card: CardReceipt; readonly threadTs: string }
  | { readonly type: 'view'; readonly id: string; readonly hash: string | undefined; readonly page: number };

const ViewMemory = z.object({ page: z.number().int().nonnegative() });

/** `undefined` when it is nothing that one of our buttons sends. */
export function readPress(body: unknown): PressedButton | undefined {
  const parsed = Pressed.safeParse(body);
  const action = parsed.data?.actions[0];
  if (!parsed.success || action === undefined) return undefined;
  const { user, trigger_id, container, view } = parsed.data;
  const press = {
    by: { user: user.id, team: user.team_id ?? UNKNOWN_TEAM },
    trigger: trigger_id,
    value: action.selected_option?.value ?? action.value ?? '',
    message: parsed.data.message,
  };
  if (container.type === 'message') {
    const { channel_id: channel, message_ts: ts, thread_ts: threadTs = ts } = container;
    return { ...press, place: { type: 'message', card: { channel, ts }, threadTs } };
  }
  if (view === undefined) return undefined;
  const memory = ViewMemory.safeParse(parsedJson(view.private_metadata));
  const page = memory.data?.page ?? 0;
  return { ...press, place: { type: 'view', id: view.id, hash: view.hash, page } };
}

export function readGrantId(value: string): GrantId | undefined {
  return GrantId.safeParse(value).data;
}

export function readApprovalId(value: string): ApprovalId | undefined {
  return ApprovalId.safeParse(value).data;
}

const Submitted = z.object({
  user: z.object({ id: UserId, team_id: z.string().optional() }),
  team: z.object({ id: z.string() }).nullish(),
  view: z.object({
    id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({
            value: z.string().nullish(),
            selected_option: z.object({ value: z.string() }).nullish(),
            selected_options: z.array(z.object({ value: z.string() })).nullish(),
          }),
        ),
      ),
    }),
  }),
});

const FormMemory = z.object({
  approval: ApprovalId,
  card: z.object({ channel: z.string(), ts: z.string() }),
  threadTs: z.string(),
  terms: TrustTerms.optional(),
});

export interface SubmittedForm {
  readonly by: PressedButton['by'];
  readonly view: string;
  /** What we wrote into the form when it was opened; people cannot change it. */
  readonly memory: z.infer<typeof FormMemory>;
  /** By the id of the field. A field that was left empty is not there. */
  readonly values: ReadonlyMap<string, string>;
  /** The same for fields in which several may be chosen. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

/** `undefined` when it is nothing that one of our forms sends. */
export function readSubmission(body: unknown): SubmittedForm | undefined {
  const parsed = Submitted.safeParse(body);
  if (!parsed.success) return undefined;
  const { user, view } = parsed.data;
  const memory = FormMemory.safeParse(parsedJson(view.private_metadata));
  if (!memory.success) return undefined;
  const fields = Object.values(view.state.values).flatMap((block) => Object.entries(block));
  const values = fields.flatMap(([field, { value, selected_option }]): [string, string][] => {
    const text = selected_option?.value ?? value ?? '';
    return text === '' ? [] : [[field, text]];
  });
  return {
    by: { user: user.id, team: user.team_id ?? UNKNOWN_TEAM },
    view: view.id,
    memory: memory.data,
    values: new Map(values),
    choices: new Map(
      fields.flatMap(([field, { selected_options: chosen }]): [string, readonly string[]][] =>
        chosen == null ? [] : [[field, chosen.map(({ value }) => value)]],
      ),
    ),
  };
}

const Command = z.object({
  text: z.string().default(''),
  user_id: UserId,
  channel_id: z.string(),
  team_id: z.string().optional(),
});

export interface TypedCommand {
  readonly text: string;
  readonly user: UserId;
  readonly channel: string;
  /** Whose workspace it was typed in. */
  readonly team: string | undefined;
}

export function readCommand(body: unknown): TypedCommand {
  const { text, user_id: user, channel_id: channel, team_id: team } = Command.parse(body);
  return { text, user, channel, team };
}

const Person = z.object({
  response_url: z.string().optional(),
  event: z
    .object({ channel: z.string(), user: z.string(), thread_ts: z.string().optional(), ts: z.string().optional() })
    .optional(),
});

/** Where the person behind any delivery can be told that it failed. */
export function readPerson(body: unknown): z.infer<typeof Person> {
  return Person.safeParse(body).data ?? {};
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A view that remembers nothing readable opens on its first page.
    return undefined;
  }
}
