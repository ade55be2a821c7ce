import type { Settled } from '../human-in-the-loop/ask-parts.ts';
import { type Heard, type Noted, type Ruling, stops } from './ruling.ts';

export type SettleNoted = (noted: Noted) => Promise<Settled>;

/** Asks questions one after the other, as the `reference` profile does. A verdict ends the evaluation. */
export interface OrderedQuestions {
  /** Called right after a handler was asked. */
  readonly heard: (answer: Heard) => Promise<Ruling | undefined>;
  /** Called once all handlers were asked, for the questions that still wait. */
  readonly rest: (answers: readonly Heard[]) => Promise<Ruling | undefined>;
}

/**
 * Asks questions in order. One with an answer at hand is settled before the next handler is asked. One that pauses
 * waits for all handlers, and so do those behind it: handlers may change the call, and people are asked once, about
 * what would run. A question behind a denial is not asked.
 */
export function orderedQuestions(settle: SettleNoted): OrderedQuestions {
  const put = new Set<Heard>();
  let waits = false;
  const ask = async (answer: Heard): Promise<Ruling | undefined> => {
    const noted = questionOf(answer);
    if (noted === undefined) return undefined;
    put.add(answer);
    const settled = await settle(noted);
    const approved = settled.type === 'approved' && settled.editedInput === undefined;
    return approved ? undefined : { type: 'settled', noted, settled };
  };
  return {
    heard: async (answer) => {
      waits ||= pauses(answer);
      return waits ? undefined : ask(answer);
    },
    rest: async (answers) => {
      for (const answer of answers) {
        if (stops(answer)) return undefined;
        const verdict = put.has(answer) ? undefined : await ask(answer);
        if (verdict !== undefined) return verdict;
      }
      return undefined;
    },
  };
}

function pauses(answer: Heard): boolean {
  const confirm = questionOf(answer)?.confirm;
  return confirm !== undefined && confirm.ask === undefined && confirm.response === undefined;
}

/** The question of an answer, if confirming has an effect at this moment. */
function questionOf(answer: Heard): Noted | undefined {
  if (answer.type === 'failed' || answer.effect !== 'confirm' || answer.action.type !== 'confirm') return undefined;
  return { handler: answer.handler, confirm: answer.action };
}
