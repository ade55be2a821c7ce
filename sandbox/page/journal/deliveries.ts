import type { SentDelivery } from '../../delivery/deliveries.ts';
import { at, textAt } from '../../json.ts';
import { rootTs, type ThreadName } from '../../records.ts';
import type { World } from '../../world.ts';
import { personName } from '../kit/names.ts';

/** What befell a delivery on its way. It is no entry of a journal: the sandbox saw it pass. */
export interface DeliveryTrouble {
  readonly key: string;
  readonly atMs: number;
  readonly sentence: string;
}

/** What Slack delivered about a thread more than once, each time but the first, or without an answer. */
export function troubledDeliveries(world: World, thread: ThreadName): readonly DeliveryTrouble[] {
  return world.deliveries
    .filter(({ sentAtMs, unanswered }) => sentAtMs.length > 1 || unanswered !== undefined)
    .filter((delivery) => isAbout(delivery, thread))
    .flatMap((delivery) => {
      const what = nameOf(world, delivery);
      const { id, sentAtMs, unanswered } = delivery;
      const again = sentAtMs.slice(1).map((atMs, index) => ({
        ...{ key: `${id}-${index}`, atMs },
        sentence: `Slack delivered ${what} again (${index + 2} times by now).`,
      }));
      if (unanswered === undefined) return again;
      const sentence = `Slack got no answer to ${what}: ${unanswered.reason}.`;
      return [...again, { key: `${id}-unanswered`, atMs: unanswered.atMs, sentence }];
    });
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
