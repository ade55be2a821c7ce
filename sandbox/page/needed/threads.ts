import type { SlackMessage } from '../../records.ts';
import type { World } from '../../world.ts';
import { clockTime, oneLine } from '../kit/names.ts';

/** A thread with the agent, as the side lists it. */
export interface ListedThread {
  readonly root: SlackMessage;
  readonly title: string;
  readonly waits: boolean;
  /** Its time and state, where another one has the same title. */
  readonly apart?: string;
}

/** At most this many threads of the open channel are listed. A thread that waits for a person is listed always. */
const LISTED = 8;

/** Those that wait first, then the latest. From a channel that is not open, only those that wait. */
export function listThreads(world: World, channel: string, isOpen: boolean): readonly ListedThread[] {
  const all = threadsOf(world, channel).toReversed();
  const waiting = all.filter(({ waits }) => waits);
  const others = all.filter(({ waits }) => !waits).slice(0, isOpen ? Math.max(LISTED - waiting.length, 2) : 0);
  const listed = [...waiting, ...others];
  return listed.map((thread) => {
    const namesakes = listed.filter(({ title }) => title === thread.title);
    return namesakes.length === 1 ? thread : { ...thread, apart: apartFrom(world, thread, namesakes) };
  });
}

/** Threads with the agent. A word that the bot answers by itself begins none: such a thread has no title. */
function threadsOf(world: World, channel: string): readonly ListedThread[] {
  const messages = world.channel(channel);
  const answered = new Set(messages.flatMap(({ threadTs }) => threadTs ?? []));
  return messages.flatMap((root) => {
    if (!answered.has(root.ts)) return [];
    const { status, title } = world.session(root);
    if (status === undefined && title === undefined) return [];
    return [{ root, title: title ?? oneLine(world, root), waits: status === 'suspended' }];
  });
}

function apartFrom(world: World, { root }: ListedThread, namesakes: readonly ListedThread[]): string {
  const time = clockTime(root.ts);
  const isShared = namesakes.filter((other) => clockTime(other.root.ts) === time).length > 1;
  return `${isShared ? `${time}, ${(Number(root.ts) % 60) | 0} s` : time} · ${STATES[world.session(root).status ?? 'active']}`;
}

const STATES = { processing: 'works', suspended: 'waits', active: 'done', closed: 'closed' };

/** How many cards wait for each person, by the people whom `neededIn` finds on them. */
export function countNeeded(
  world: World,
  neededIn: ((card: SlackMessage) => readonly string[]) | undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (neededIn === undefined) return counts;
  for (const channel of world.channels.keys()) {
    for (const message of world.channel(channel)) {
      if (message.botId === undefined || message.threadTs === undefined) continue;
      for (const user of new Set(neededIn(message))) counts.set(user, (counts.get(user) ?? 0) + 1);
    }
  }
  return counts;
}
