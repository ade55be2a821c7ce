import { z } from 'zod';
import { UNKNOWN_TEAM, UserId } from '../../app/records/index.ts';
import { unescaped } from './escapes.ts';
import type { PressedButton } from './press.ts';

/** Reads what people choose in the menu of a message. */

const Chosen = z.object({
  user: z.object({ id: UserId, team_id: z.string().nullish() }),
  trigger_id: z.string(),
  channel: z.object({ id: z.string() }),
  message: z.object({
    ts: z.string(),
    thread_ts: z.string().nullish(),
    user: UserId.nullish(),
    text: z.string().nullish(),
  }),
});

export interface ChosenMessage {
  readonly by: PressedButton['by'];
  readonly trigger: string;
  readonly channel: string;
  readonly threadTs: string;
  /** Who wrote the message, and what. */
  readonly author: UserId | undefined;
  readonly text: string;
}

/** `undefined` when it is nothing that the menu of a message sends. */
export function readShortcut(body: unknown): ChosenMessage | undefined {
  const parsed = Chosen.safeParse(body);
  if (!parsed.success) return undefined;
  const { user, trigger_id: trigger, channel, message } = parsed.data;
  return {
    by: { user: user.id, team: user.team_id ?? UNKNOWN_TEAM },
    trigger,
    channel: channel.id,
    threadTs: message.thread_ts ?? message.ts,
    author: message.user ?? undefined,
    text: unescaped(message.text ?? ''),
  };
}
