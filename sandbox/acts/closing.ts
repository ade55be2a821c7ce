import type { ThreadName } from '../records.ts';
import { rootTs } from '../records.ts';
import { findMessage, putMessage } from '../state.ts';
import { type ActStage, tellApp, visibleChannel } from './act.ts';

/** A member archives a channel, in which then no person and no app can write, or brings it back. */
export function archive(stage: ActStage, user: string, channelId: string, isArchived: boolean): void {
  const channel = visibleChannel(stage, user, channelId);
  stage.state.channels.set(channel.id, { ...channel, isArchived });
  stage.state.changed();
  const type = isArchived ? 'channel_archive' : 'channel_unarchive';
  tellApp(stage, { type, channel: channel.id, user, event_ts: stage.state.nextTs() });
}

/** An administrator locks a thread, in which then no person and no app can write, or opens it again. */
export function lock({ state }: ActStage, thread: ThreadName, isLocked: boolean): void {
  const root = findMessage(state, thread.channel, rootTs(thread));
  if (root !== undefined) putMessage(state, { ...root, isLocked });
}
