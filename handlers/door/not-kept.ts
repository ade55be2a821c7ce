import type { Log } from '../../app/log.ts';
import type { InboxMessage } from '../../app/records/index.ts';
import { sentence, whisper, writerOf } from '../responding/index.ts';
import { ANSWERS } from '../views/index.ts';
import type { Workspaces } from '../workspaces/index.ts';

export interface NotKeptDeps {
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly log: Log;
}

/** Bounds the memory that messages take while the store is away. */
const MOST_TROUBLED = 1_000;

/**
 * Tells the writer of a message that it could not be stored, without waiting for Slack. A mention arrives twice, and
 * again because it was not acknowledged; its writer is told once.
 */
export function createNotKept({ workspaces, log }: NotKeptDeps): (message: InboxMessage) => void {
  const troubled = new Set<string>();
  const tell = async (message: InboxMessage): Promise<void> => {
    const workspace = await workspaces.of(message.thread.team);
    if (workspace !== undefined) await whisper(workspace.client, writerOf(message), sentence(ANSWERS.notKept));
  };
  return (message) => {
    if (troubled.size > MOST_TROUBLED) troubled.clear();
    const key = `${message.thread.channel}:${message.ts}`;
    if (troubled.has(key)) return;
    troubled.add(key);
    // Slack may refuse the whisper. It will deliver the message again all the same.
    tell(message).catch((error: unknown) =>
      log.warn('The writer of a message that could not be stored was not told', { error }),
    );
  };
}
