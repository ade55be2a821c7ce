import type { SlackMessage } from '../records.ts';
import type { Journal } from './journal/journal.ts';
import { div, type Html, h, keyed, span } from './kit/element.ts';

/** What the program that serves the page adds to it. The page knows nothing of that program. */
export interface Strip {
  /** A line over everything, for as long as it is true. */
  readonly notice?: string;
  readonly tricks?: readonly Trick[];
  /** What is counted, a line each, as it is when the page is drawn. */
  readonly counts?: () => readonly string[];
  /** The command that checks the journals, as a person runs it in a terminal. */
  readonly check?: string;
  /** Shown beside an open thread. */
  readonly journal?: Journal;
  /** The app has none of the tools that the plays and the guide need. */
  readonly hasOwnTools?: boolean;
  /** The people whose answer a message of the app still needs. */
  readonly neededIn?: (message: SlackMessage) => readonly string[];
}

/** Something that a person can do to the app from outside. */
export interface Trick {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  /** Why it cannot be done here. */
  readonly unavailable?: string;
  /** Said until the trick is over. */
  readonly meanwhile: string;
  /** Resolves with a sentence on what happened. `say` takes one for the time until then. */
  readonly run: (say: (sentence: string) => void) => Promise<string>;
}

/** The tricks under way, and what became of the last one. */
export interface Tricks {
  readonly isRunning: (id: string) => boolean;
  readonly said: () => string;
  /** How many times it has come to its end. */
  readonly timesDone: (id: string) => number;
  /** Begins the trick and does not wait for its end, or says why it cannot be done. */
  readonly begin: (trick: Trick) => void;
}

export function createTricks(onChange: () => void): Tricks {
  const running = new Set<string>();
  const done = new Map<string, number>();
  let said = '';
  const say = (sentence: string) => {
    said = sentence;
    onChange();
  };
  return {
    isRunning: (id) => running.has(id),
    said: () => said,
    timesDone: (id) => done.get(id) ?? 0,
    begin: ({ id, meanwhile, unavailable, run }) => {
      if (running.has(id)) return;
      if (unavailable !== undefined) return say(unavailable);
      running.add(id);
      say(meanwhile);
      void run(say)
        .catch((error: unknown) => `This did not work: ${error instanceof Error ? error.message : error}`)
        .then((sentence) => {
          running.delete(id);
          done.set(id, (done.get(id) ?? 0) + 1);
          say(sentence);
        });
    },
  };
}

/** The line over everything. It is always there, because a screen reader announces only what changes in it. */
export function drawNotice({ notice }: Strip): Html {
  return h(
    'div',
    { className: 'notice', role: 'status', 'aria-label': 'The demo', 'data-key': 'notice' },
    notice === undefined ? null : div('said', span('pulse'), notice),
  );
}

const NOTHING_YET =
  'Press one and watch: no tool runs without the yes it needs, only what was shown runs, and only once.';

/** The tricks, what became of the last one, and the counts. */
export function drawStrip({ tricks = [], counts }: Strip, { isRunning, said }: Tricks): Html {
  if (tricks.length === 0) return null;
  const lines = counts?.() ?? [];
  return h(
    'section',
    { className: 'strip', 'aria-label': 'Try to break it', 'data-key': 'strip' },
    div('tricks', h('h2', {}, 'Try to break it'), ...tricks.map((trick) => drawTrick(trick, isRunning(trick.id)))),
    div(
      'outcome',
      h('p', { role: 'status', 'aria-label': 'What happened' }, said() || NOTHING_YET),
      lines.length === 0
        ? null
        : h(
            'ul',
            { 'aria-label': 'What the tools did', tabIndex: 0 },
            ...lines.map((line) => h('li', { key: line }, line)),
          ),
    ),
  );
}

function drawTrick({ id, label, hint, unavailable }: Trick, isRunning: boolean): Html {
  const why = unavailable ?? hint;
  return keyed(
    'button',
    `trick-${id}`,
    {
      ...{ type: 'button', className: 'button', title: why, 'data-trick': id, 'aria-description': why },
      'aria-disabled': isRunning || unavailable !== undefined ? true : undefined,
      'aria-busy': isRunning ? true : undefined,
    },
    label,
  );
}
