import type { Settled } from '../human-in-the-loop/ask-parts.ts';
import { type Heard, type Noted, type Ruling, stops } from './ruling.ts';

export type SettleNoted = (noted: Noted) => Promise<Settled>;

/** Puts questions one after the other, as the `reference` profile does. A verdict ends the evaluation. */
export interface OrderedQuestions {
  /** Right after its handler was heard. */
  readonly heard: (answer: Heard) => Promise<Ruling | undefined>;
  /** Once all handlers were heard: what still waits. */
  readonly rest: (answers: readonly Heard[]) => Promise<Ruling | undefined>;
}

/**
 * A question with an answer at hand is settled before the handlers behind it are heard. One that pauses waits for them,
 * and so do those behind it: handlers may change the call, and people are asked once, about what would run. A question
 * behind a denial is not put.
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

/** Only where a confirm has an effect is there a question. */
function questionOf(answer: Heard): Noted | undefined {
  if (answer.type === 'failed' || answer.effect !== 'confirm' || answer.action.type !== 'confirm') return undefined;
  return { handler: answer.handler, confirm: answer.action };
}
