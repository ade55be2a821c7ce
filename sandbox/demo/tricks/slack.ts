import type { SentDelivery } from '../../delivery/deliveries.ts';
import { at, textAt } from '../../json.ts';
import type { Trick } from '../../page/strip.ts';
import type { DemoStage } from './stage.ts';

const TIMES = 5;

/** What Slack and the network between may do at any time. */
export function slackTricks({ sandbox: { world }, witness }: DemoStage): readonly Trick[] {
  const started = () => witness.all().filter(({ step }) => step === 'begun').length;
  return [
    {
      id: 'deliver-again',
      label: 'Deliver the last press five times',
      hint: 'Slack delivers the same press again, as it may. It counts once.',
      meanwhile: 'Delivering it again…',
      run: async () => {
        const press = world.deliveries.findLast((delivery) => at(delivery.payload, 'type') === 'block_actions');
        if (press === undefined) return 'No button was pressed since the demo started. Press one on a card, then this.';
        const before = started();
        const outcomes = await Promise.all(Array.from({ length: TIMES }, () => world.duplicate(press)));
        const taken = outcomes.filter(({ type }) => type === 'acknowledged').length;
        const more = started() - before;
        const ran = more === 0 ? 'No tool started because of it.' : `Meanwhile ${more} tools started.`;
        return `Delivered ${nameOf(press)} ${TIMES} more times; the bot took ${taken} of them. ${ran}`;
      },
    },
    {
      id: 'lose-an-answer',
      label: 'Lose the next answer of Slack',
      hint: 'Slack posts the next message, and the bot never hears of it.',
      meanwhile: 'Ready. Write to the bot: Slack will post its next message, and the answer to the bot gets lost.',
      run: async () => {
        world.faults.set(METHOD, { type: 'lost' });
        const lost = await world.until(() => !world.faults.isPlanned(METHOD) && world.requests.at(-1), {
          withinMs: LONG_MS,
          what: 'the bot posts a message',
        });
        const text = textAt(lost.arguments, 'text').split('\n')[0];
        return `Slack posted “${text}”, and the bot never heard. It looks before it posts again: the message stands once.`;
      },
    },
  ];
}

const METHOD = 'chat.postMessage';
/** A visitor may do other things first. */
const LONG_MS = 24 * 60 * 60 * 1000;

function nameOf({ payload }: SentDelivery): string {
  const label = textAt(payload, 'actions', 0, 'text', 'text');
  return label === '' ? 'the last press' : `the press of “${label}”`;
}
