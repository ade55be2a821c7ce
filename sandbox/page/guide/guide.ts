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

interface Seen {
  readonly presses: number;
  readonly kills: number;
}

interface Step {
  readonly title: string;
  readonly words: string;
  /** What a press on the step says to the bot. */
  readonly says?: string;
  /** Whether it was done, by what was seen since it began. */
  readonly isDone: (since: Seen, world: World) => boolean;
}

const STEPS: readonly Step[] = [
  {
    title: 'Ask',
    words: 'Ask the agent for something that needs a yes.',
    says: 'restart the payments service',
    isDone: (_, world) => hasCard(world),
  },
  {
    title: 'Press',
    words: 'The card shows exactly what would happen. Press Approve on it, and the tool runs once.',
    isDone: ({ presses }) => presses > 0,
  },
  {
    title: 'Kill',
    words: 'Ask again. When the new card is there, press “Kill the bot” below.',
    says: 'restart the search service',
    isDone: ({ kills }) => kills > 0,
  },
  {
    title: 'Press again',
    words: 'The bot is back, and forgot nothing. Press Approve on the card that was there before.',
    isDone: ({ presses }) => presses > 0,
  },
  {
    title: 'Journal',
    words:
      'All of it stands in the journal, and each entry proves the one before. Press Verify, or run this in another terminal while the demo runs.',
    isDone: () => false,
  },
];

/** A visitor who comes back to a workspace with messages has seen it. */
export function createGuide({ world, timesDone, onChange }: GuideOptions): GuidedMinute {
  let isOver = hasMessages(world);
  let at = 0;
  const now = (): Seen => ({
    presses: world.deliveries.filter(({ payload }) => payload.type === 'block_actions').length,
    kills: timesDone('kill'),
  });
  let began = now();
  return {
    isOver: () => isOver,
    draw: (check) => {
      if (isOver) return null;
      const { presses, kills } = now();
      if (STEPS[at]?.isDone({ presses: presses - began.presses, kills: kills - began.kills }, world) === true) {
        at += 1;
        began = { presses, kills };
      }
      return drawStep(at, check, isSaid(world, STEPS[at]?.says));
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
  const { title, words, says } = step;
  return h(
    'section',
    { className: 'guide', 'aria-label': 'A minute in five steps', 'data-key': 'guide' },
    h(
      'p',
      { role: 'status', 'aria-label': 'The step' },
      h('strong', {}, `${at + 1} of ${STEPS.length} · ${title}`),
      span('', ` ${words}`),
    ),
    says === undefined
      ? null
      : h(
          'button',
          { type: 'button', className: isSaid ? 'button' : 'button primary', 'data-say': `@countersign ${says}` },
          `Say “${says}”`,
        ),
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
const isSaid = ({ channels, channel }: World, words = ''): boolean =>
  [...channels.keys()].some((id) => channel(id).some(({ text, botId }) => botId === undefined && text.endsWith(words)));

const hasMessages = ({ channels, channel }: World): boolean =>
  [...channels.keys()].some((id) => channel(id).length > 0);

const hasCard = ({ channels, channel }: World): boolean =>
  [...channels.keys()].some((id) => channel(id).some(({ blocks }) => blocks.some(({ type }) => type === 'actions')));
