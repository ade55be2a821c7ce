import { textAt } from '../../json.ts';
import type { SlackMessage } from '../../records.ts';
import type { World } from '../../world.ts';
import { type Html, h, span } from '../kit/element.ts';

/** A minute of five steps, in which a visitor sees the promises being kept. */
export interface GuidedMinute {
  /** `check` is the command that checks the journals. */
  readonly isOver: () => boolean;
  readonly draw: (check: string | undefined) => Html;
  /** The visitor is through, or wants none of it. */
  readonly leave: () => void;
}

interface GuideOptions {
  readonly world: World;
  /** How many times a trick of this name has come to its end. */
  readonly timesDone: (trick: string) => number;
  readonly onChange: () => void;
}

/** What happened since a step began. */
interface Seen {
  /** On cards in threads of the words that the guide had said last. */
  readonly presses: number;
  readonly kills: number;
}

interface Step {
  readonly title: string;
  readonly words: string;
  /** What the step is about, as a person says it to the bot. */
  readonly about: string;
  /** A press on the step says it, and what happens counts as soon as there is a card. */
  readonly asks: boolean;
  /** Whether it was done. */
  readonly isDone: (since: Seen, hasCard: boolean) => boolean;
}

const FIRST = 'restart the payments service';
const SECOND = 'restart the search service';

/** A press that was refused, or that opened a form, leaves the card where it is. */
const isDecided: Step['isDone'] = ({ presses }, hasCard) => presses > 0 && !hasCard;

const STEPS: readonly Step[] = [
  {
    ...{ title: 'Ask', about: FIRST, asks: true },
    words: 'Ask the agent for something that needs a yes.',
    isDone: (_, hasCard) => hasCard,
  },
  {
    ...{ title: 'Press', about: FIRST, asks: false },
    words: 'The card about payments shows exactly what would happen. Press Approve on it, and the tool runs once.',
    isDone: isDecided,
  },
  {
    ...{ title: 'Kill', about: SECOND, asks: true },
    words: 'Ask again. When the new card is there, press “Kill the bot” below.',
    isDone: ({ kills }) => kills > 0,
  },
  {
    ...{ title: 'Press again', about: SECOND, asks: false },
    words:
      'The bot is back, and forgot nothing. Press Approve on the card about search, which is from before the kill.',
    isDone: isDecided,
  },
  {
    ...{ title: 'Journal', about: SECOND, asks: false },
    words:
      'All of it is in the journal, and each entry holds the hash of the one before. Press Verify there, or run this in another terminal while the demo runs.',
    isDone: () => false,
  },
];

/** A visitor who comes back to a workspace with messages has seen it. */
export function createGuide({ world, timesDone, onChange }: GuideOptions): GuidedMinute {
  let isOver = hasMessages(world);
  let at = 0;
  const now = (about: string): Seen => ({ presses: pressesOn(world, about), kills: timesDone('kill') });
  let began: Seen = { presses: 0, kills: 0 };
  const goTo = (step: number) => {
    at = step;
    began = now(STEPS[at]?.about ?? '');
  };
  /** Many plays can be under way. The steps are about their own threads alone. */
  const goOn = ({ about, asks, isDone }: Step) => {
    const { presses, kills } = now(about);
    const isThere = hasCard(world, about);
    if (asks && !isThere) goTo(at);
    else if (isDone({ presses: presses - began.presses, kills: kills - began.kills }, isThere)) goTo(at + 1);
    // Where the card ended without a press, the step before asks for another one.
    else if (!isThere && at < STEPS.length - 1) goTo(at - 1);
  };
  return {
    isOver: () => isOver,
    draw: (check) => {
      if (isOver) return null;
      const step = STEPS[at];
      if (step !== undefined) goOn(step);
      return drawStep(at, check, isSaid(world, STEPS[at]?.about));
    },
    leave: () => {
      isOver = true;
      onChange();
    },
  };
}

function drawStep(at: number, check: string | undefined, isSaid: boolean): Html {
  const step = STEPS[at];
  if (step === undefined) return null;
  const isLast = at === STEPS.length - 1;
  const { title, words, about } = step;
  return h(
    'section',
    { className: 'guide', 'aria-label': 'A minute in five steps', 'data-key': 'guide' },
    h(
      'p',
      { role: 'status', 'aria-label': 'The step' },
      h('strong', {}, `${at + 1} of ${STEPS.length} · ${title}`),
      span('', ` ${words}`),
    ),
    step.asks
      ? h(
          'button',
          { type: 'button', className: isSaid ? 'button' : 'button primary', 'data-say': `@countersign ${about}` },
          `Say “${about}”`,
        )
      : null,
    isLast && check !== undefined ? drawCommand(check) : null,
    h(
      'button',
      { type: 'button', className: 'button', 'data-guide': isLast ? 'done' : 'skip' },
      isLast ? 'Done' : 'Skip the guide',
    ),
  );
}

function drawCommand(command: string): Html {
  return h(
    'p',
    { className: 'command' },
    h('code', { tabIndex: 0 }, command),
    h('button', { type: 'button', className: 'button', 'data-copy': command }, 'Copy'),
  );
}

/** What was said is no longer what to do next. */
const isSaid = (world: World, words = ''): boolean => threadsOf(world, words).length > 0;

const hasMessages = ({ channels, channel }: World): boolean =>
  [...channels.keys()].some((id) => channel(id).length > 0);

const hasCard = (world: World, about: string): boolean =>
  threadsOf(world, about).some((root) =>
    world.messages(root).some(({ blocks }) => blocks.some(({ type }) => type === 'actions')),
  );

function pressesOn(world: World, about: string): number {
  const threads = new Set(threadsOf(world, about).map(({ ts }) => ts));
  const pressed = world.deliveries.filter(({ payload }) => payload.type === 'block_actions');
  return pressed.filter(({ payload }) => threads.has(textAt(payload, 'message', 'thread_ts'))).length;
}

/** The threads that a person began with these words. */
const threadsOf = ({ channels, channel }: World, words: string): readonly SlackMessage[] =>
  [...channels.keys()].flatMap((id) =>
    channel(id).filter(({ text, botId, threadTs }) => {
      return botId === undefined && threadTs === undefined && text.endsWith(words);
    }),
  );
