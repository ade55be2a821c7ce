import { given } from '../../../app/given.ts';
import type { Conversation } from '../../model/conversation.ts';
import { type Scene, withTools } from './with-tools.ts';

/** A conversation that is offered to people. */
export interface Play extends Conversation {
  readonly example: string;
  /** One line: what there is to see. */
  readonly about: string;
  /** What to do when the card is there, or what to try afterwards. */
  readonly next: string;
  /** Whether `next` can be done now. Without it, always. */
  readonly isNext?: (thread: PlayedThread) => boolean;
}

/** What the thread of a play shows. */
export interface PlayedThread {
  /** The words that began the play. */
  readonly said: string;
  /** What is written on the buttons of the thread. */
  readonly buttons: readonly string[];
  /** The texts of the bot's messages. */
  readonly told: string;
}

/** While the thread has one of these buttons. */
export const whileThere =
  (...labels: readonly string[]) =>
  ({ buttons }: PlayedThread): boolean =>
    labels.some((label) => buttons.some((button) => button.startsWith(label)));

interface Told extends Pick<Play, 'about' | 'example' | 'next' | 'isNext'> {
  /** Fits what a person says to begin it. */
  readonly begins: RegExp;
}

interface Script extends Told {
  /** Which tools are asked for, and what is said before and after. */
  readonly scene: Scene | ((said: string) => Scene);
}

interface Monologue extends Told {
  readonly says: Conversation['play'];
}

/** Writes a play. */
export function play(script: Script | Monologue): Play {
  const { about, example, next, isNext, begins } = script;
  return {
    ...{ about, example, next },
    ...given({ isNext }),
    begins: (said) => begins.test(said),
    play: (request) => {
      if ('says' in script) return script.says(request);
      return withTools(request, typeof script.scene === 'function' ? script.scene(request.said) : script.scene);
    },
  };
}
