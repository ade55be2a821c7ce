import type { CardReceipt, Thread } from '../../app/records/index.ts';
import type { Painting, Post } from '../../app/surface.ts';
import { inTurns } from '../../app/time/index.ts';
import { refusalIn } from '../sender/index.ts';
import { type MessageView, replyInSteps } from '../views/index.ts';
import { type Posting, postBefore, postMetadata, postOnce } from './posting.ts';
import type { Replies } from './streaming/replies.ts';

/** Says a text in a thread, in as many messages as it needs, and changes a line that was said. */

export interface SayingDeps {
  readonly posting: Posting;
  readonly replies: Pick<Replies, 'finish'>;
}

/** Returns where the first of the messages stands. */
export async function say(deps: SayingDeps, thread: Thread, post: Post): Promise<CardReceipt> {
  const { into, maybePosted, isStale } = post;
  let first: CardReceipt | undefined;
  const views = await inTurns(replyInSteps(post.text, post));
  for (const [index, view] of views.entries()) {
    const part = { key: partKey(post.key, index), view, maybePosted, isStale };
    first ??= into === undefined ? undefined : await finishInto(deps, into, { thread, ...part });
    if (index > 0 || first === undefined) {
      const receipt = await postOnce(deps.posting, thread, part);
      first ??= receipt;
    }
  }
  if (first === undefined) throw new Error(`The post ${post.key} has no text. Give it some.`);
  return first;
}

const partKey = (key: string, index: number): string => (index === 0 ? key : `${key}#${index + 1}`);

interface Part {
  readonly thread: Thread;
  readonly key: string;
  readonly view: MessageView;
  readonly maybePosted: boolean;
}

/** The reply that people read while it was written becomes the post. If it is gone, the caller posts as usual. */
async function finishInto(
  { posting, replies }: SayingDeps,
  card: CardReceipt,
  { thread, key, view, maybePosted }: Part,
): Promise<CardReceipt | undefined> {
  const before = maybePosted ? await postBefore(posting, thread, key) : undefined;
  if (before !== undefined) return before;
  return (await replies.finish(card, view, postMetadata(posting, key))) === 'finished' ? card : undefined;
}

/** Changes a line that was said. A deleted line stays deleted. */
export async function amend(
  posting: Pick<Posting, 'client' | 'log' | 'place'>,
  card: CardReceipt,
  post: Post,
): Promise<Painting> {
  const [view] = await inTurns(replyInSteps(post.text, post));
  if (view === undefined) return 'painted';
  try {
    const metadata = postMetadata(posting, post.key);
    await posting.client.chat.update({ ...card, text: view.text, blocks: view.blocks, metadata });
    return 'painted';
    // Slack may refuse for good, as for a deleted line. Any other error is thrown.
  } catch (error) {
    const why = refusalIn(error)?.code;
    if (why === undefined) throw error;
    posting.log.warn('A line cannot be changed any more', { key: post.key, why });
    return 'refused';
  }
}
