import type { AnyChunk } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { CardReceipt } from '../../../app/records/index.ts';
import { refusalIn } from '../../sender/index.ts';
import type { MessageView } from '../../views/index.ts';
import { type Growing, type Grown, hasDied, newTasks } from './growing.ts';

/** Turns a growing reply into the final message. */

export interface PostMetadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, string>>;
}

export interface FinishingDeps {
  readonly client: WebClient;
  readonly growing: Growing;
  readonly remove: (card: CardReceipt) => Promise<void>;
}

/**
 * Ends the stream with what it lacks. Where that is impossible, an edit writes the whole message. If Slack refuses the edit, what
 * stands there is removed, and the caller posts a new message.
 */
export async function finishReply(
  deps: FinishingDeps,
  card: CardReceipt,
  view: MessageView,
  metadata: PostMetadata,
): Promise<'finished' | 'gone'> {
  const one = await deps.growing.letGo(card);
  const streamed = await endStream(deps, card, one, { view, metadata });
  if (streamed === 'finished') return 'finished';
  if (streamed === 'may-be-open') await deps.growing.stop(card);
  try {
    await deps.client.chat.update({ ...card, text: view.text, blocks: view.blocks, metadata });
    return 'finished';
    // Slack may refuse for good: the message is gone, or cannot be changed. Any other error is thrown.
  } catch (error) {
    const why = refusalIn(error);
    if (why === undefined) throw error;
    if (why.code !== 'message_not_found') await deps.remove(card);
    return 'gone';
  }
}

interface Final {
  readonly view: MessageView;
  readonly metadata: PostMetadata;
}

/** Only a stream whose text is the beginning of the message can be ended with the rest of it. */
async function endStream(
  { client }: FinishingDeps,
  card: CardReceipt,
  one: Grown | undefined,
  { view, metadata }: Final,
): Promise<'finished' | 'may-be-open' | 'closed'> {
  const [first, ...others] = view.blocks;
  const whole = first?.type === 'markdown' ? first.text : '';
  if (one?.by !== 'stream' || !whole.startsWith(one.sent)) return (one?.open ?? true) ? 'may-be-open' : 'closed';
  const rest = whole.slice(one.sent.length);
  // The calls stand in the stream or in a block of the message, not in both.
  const hasTasks = one.tasks.size > 0 && one.newest !== undefined;
  const blocks = hasTasks ? others.filter(({ block_id }) => block_id !== 'calls') : others;
  const tasks: AnyChunk[] = hasTasks ? [...newTasks(one, one.newest)] : [];
  const chunks: AnyChunk[] = rest === '' ? tasks : [...tasks, { type: 'markdown_text', text: rest }];
  const more = { ...(chunks.length === 0 ? {} : { chunks }), ...(blocks.length === 0 ? {} : { blocks }) };
  try {
    await client.chat.stopStream({ ...card, ...more, metadata });
    return 'finished';
    // A stream that cannot be ended is replaced by an edit, whatever the reason.
  } catch (error) {
    return hasDied(error) ? 'closed' : 'may-be-open';
  }
}
