import { given } from '../../../app/given.ts';
import type { Trick } from '../../page/strip.ts';
import type { DemoStage } from './stage.ts';

const SECONDS = 10;
const LONG_MS = 24 * 60 * 60 * 1000;

/** A card keeps its time from when it was asked, so the bot starts with a configuration in which the next one has little. */
export function expiring({ sandbox: { world }, restart, withoutExample }: DemoStage): Trick {
  const messages = () => [...world.channels.keys()].flatMap((id) => world.channel(id));
  const expired = () => messages().filter(({ text }) => text.startsWith('Expired')).length;
  return {
    id: 'expire',
    ...given({ unavailable: withoutExample }),
    label: 'Let the next card expire',
    hint: `Starts the bot with a configuration in which a card waits ${SECONDS} seconds.`,
    meanwhile: `The bot now starts with cards that wait ${SECONDS} seconds. Ask for a restart, and press nothing.`,
    run: async () => {
      const before = expired();
      await restart({ EXAMPLE_ANSWER_WITHIN_S: `${SECONDS}` });
      await world.until(() => expired() > before, { withinMs: LONG_MS, what: 'a card expires' });
      await restart({});
      return 'It expired, and that is no yes: nothing ran. The card offers Ask again. Later cards wait a day, as before.';
    },
  };
}
