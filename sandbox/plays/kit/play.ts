import type { Conversation } from '../../model/conversation.ts';
import { type Scene, withTools } from './with-tools.ts';

/** A conversation that is offered to people. */
export interface Play extends Conversation {
  readonly example: string;
  /** One line: what there is to see. */
  readonly about: string;
  /** What to do when the card is there, or what to try afterwards. */
  readonly next: string;
}

interface Told extends Pick<Play, 'about' | 'example' | 'next'> {
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
  const { about, example, next, begins } = script;
  return {
    ...{ about, example, next },
    begins: (said) => begins.test(said),
    play: (request) => {
      if ('says' in script) return script.says(request);
      return withTools(request, typeof script.scene === 'function' ? script.scene(request.said) : script.scene);
    },
  };
}
