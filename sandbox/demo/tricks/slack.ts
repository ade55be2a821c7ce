import type { SentDelivery } from '../../delivery/deliveries.ts';
import { at, textAt } from '../../json.ts';
import type { Trick } from '../../page/strip.ts';
import type { DemoStage } from './stage.ts';

const TIMES = 5;

/** What Slack and the network between may do at any time. */
export function slackTricks(
  stage: Pick<DemoStage, 'sandbox' | 'witness' | 'journal'>,
  lookMs: number = LOOK_MS,
): readonly Trick[] {
  const { world } = stage.sandbox;
  return [
    {
      id: 'deliver-again',
      label: 'Deliver the last press five times',
      hint: 'Slack delivers the same press again, as it may. It counts once.',
      meanwhile: 'Delivering it again…',
      run: async () => {
        const press = world.deliveries.findLast((delivery) => at(delivery.payload, 'type') === 'block_actions');
        if (press === undefined) return 'No button was pressed since the demo started. Press one on a card, then this.';
        return `Delivered ${nameOf(press)} ${TIMES} more times. ${await becameOf(stage, press, lookMs)}`;
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

/** How long the bot may take to show what became of a press. */
const LOOK_MS = 5000;
const COUNTED = ['call-decided', 'yes-counted', 'doubt-settled'];
const REFUSED = ['press-refused', 'doubt-refused'];

/** Delivers the press again, and says how many of these reached the bot and how many the journal says that it counted. */
async function becameOf(
  { sandbox: { world }, witness, journal }: Pick<DemoStage, 'sandbox' | 'witness' | 'journal'>,
  press: SentDelivery,
  lookMs: number,
): Promise<string> {
  const lines = (kinds: readonly string[]) =>
    [...world.channels.keys()]
      .flatMap((id) => world.channel(id).filter(({ threadTs }) => threadTs === undefined))
      .flatMap((root) => journal.of(root).filter(({ kind }) => kinds.includes(kind))).length;
  const started = () => witness.all().filter(({ step }) => step === 'begun').length;
  const told = () => world.ephemerals(textAt(press.payload, 'user', 'id')).length;
  const before = { counted: lines(COUNTED), refused: lines(REFUSED), told: told(), started: started() };
  const outcomes = await Promise.all(Array.from({ length: TIMES }, () => world.duplicate(press)));
  const reached = outcomes.filter(({ type }) => type === 'acknowledged').length;
  if (reached === 0) return 'None of them reached the bot.';
  const counted = () => lines(COUNTED) - before.counted;
  // A press on all rows of a list is refused without an entry, and its presser is told.
  const refused = () => Math.max(lines(REFUSED) - before.refused, told() - before.told);
  const seenMs = performance.now();
  await world.until(() => counted() + refused() >= reached || performance.now() - seenMs > lookMs, {
    what: 'the bot shows what became of the presses',
    withinMs: 2 * lookMs,
  });
  const who = reached === TIMES ? `All ${TIMES}` : `${reached} of them`;
  const more = started() - before.started;
  const ran = more === 0 ? '' : ` Meanwhile ${more === 1 ? 'a tool' : `${more} tools`} started.`;
  return `${who} reached the bot, and ${counted() === 0 ? 'none of them' : counted()} counted.${ran}`;
}

const METHOD = 'chat.postMessage';
/** A visitor may do other things first. */
const LONG_MS = 24 * 60 * 60 * 1000;

function nameOf({ payload }: SentDelivery): string {
  const label = textAt(payload, 'actions', 0, 'text', 'text');
  return label === '' ? 'the last press' : `the press of “${label}”`;
}
