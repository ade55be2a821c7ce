import type { SentDelivery } from '../../delivery/deliveries.ts';
import { at, textAt } from '../../json.ts';
import { rootTs, type ThreadName } from '../../records.ts';
import type { World } from '../../world.ts';
import { personName } from '../kit/names.ts';

/** A delivery that reached the app once more. It is no entry of a journal: the sandbox saw it pass. */
export interface DeliveredAgain {
  readonly key: string;
  readonly atMs: number;
  readonly sentence: string;
}

/** What Slack delivered more than once about a thread, each time but the first. */
export function deliveredAgain(world: World, thread: ThreadName): readonly DeliveredAgain[] {
  return world.deliveries
    .filter((delivery) => delivery.sentAtMs.length > 1 && isAbout(delivery, thread))
    .flatMap((delivery) =>
      delivery.sentAtMs.slice(1).map((atMs, index) => ({
        key: `${delivery.id}-${index}`,
        atMs,
        sentence: `Slack delivered ${nameOf(world, delivery)} again (${index + 2} times by now).`,
      })),
    );
}

function isAbout({ payload }: SentDelivery, thread: ThreadName): boolean {
  const [channel, place] =
    at(payload, 'event') === undefined
      ? [textAt(payload, 'channel', 'id'), at(payload, 'container')]
      : [textAt(payload, 'event', 'channel'), at(payload, 'event')];
  const ts = textAt(place, 'thread_ts') || textAt(place, 'message_ts') || textAt(place, 'ts');
  return channel === thread.channel && ts === rootTs(thread);
}

function nameOf(world: World, { payload }: SentDelivery): string {
  const user = textAt(payload, 'user', 'id') || textAt(payload, 'event', 'user');
  const whose = user === '' ? 'a' : `${personName(world, user)}’s`;
  const label = textAt(payload, 'actions', 0, 'text', 'text');
  if (at(payload, 'event') !== undefined) return `${whose} message`;
  return label === '' ? `${whose} press` : `${whose} press of “${label}”`;
}
