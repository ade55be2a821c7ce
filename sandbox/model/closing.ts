import type { ApiJson } from '../json.ts';
import { type HeardOutcome, hear, type Outcome } from './outcome.ts';
import type { ToolResult } from './request.ts';

/** How a call of one tool is spoken of. */
export interface Phrases {
  /** As in *I had asked to restart the mail service*. */
  readonly ask: string;
  readonly done: string;
  /** How things are where a person said no. */
  readonly left: string;
  /** What to do in place of a refused call. */
  readonly offer?: string;
}

export type PhrasesOf = (input: ApiJson) => Phrases;

interface Sentence {
  /** Ends with a full stop or with a comma. */
  readonly opening: 'Done.' | 'Understood.' | 'Understood,' | 'That did not work.';
  readonly words: string;
}

/** The last word about one call. */
export function closing(result: ToolResult, phrasesOf: PhrasesOf): string {
  const heard = hear(result);
  const { opening, words } = sentence(result, heard, phrasesOf);
  const { offer } = phrasesOf(result.input);
  const told = opening.endsWith('.') ? capitalised(words) : words;
  return `${opening} ${told}${heard.outcome.type === 'denied' && offer !== undefined ? ` ${offer}` : ''}`;
}

/** A line for each call that did not simply run as it was asked for. */
export function exceptions(results: readonly ToolResult[], phrasesOf: PhrasesOf): string {
  return results
    .flatMap((result) => {
      const heard = hear(result);
      return isPlain(heard) ? [] : [`\n- ${capitalised(sentence(result, heard, phrasesOf).words)}`];
    })
    .join('');
}

/** It ran as it was asked for, at the first attempt. */
export function isPlain({ outcome, retried }: HeardOutcome): boolean {
  return outcome.type === 'ran' && !outcome.edited && !retried;
}

function sentence(result: ToolResult, { outcome, retried }: HeardOutcome, phrasesOf: PhrasesOf): Sentence {
  const { opening, words } = about(outcome, result, phrasesOf);
  if (!retried) return { opening, words };
  const earlier = 'An earlier attempt was interrupted, and it is not known whether it had an effect.';
  return { opening, words: `${words} ${earlier}` };
}

function about(outcome: Outcome, { input }: ToolResult, phrasesOf: PhrasesOf): Sentence {
  const { ask, left } = phrasesOf(input);
  const wish = `I had asked to ${ask}`;
  switch (outcome.type) {
    case 'ran': {
      const { done } = phrasesOf(outcome.input);
      const edit = outcome.edited ? ` ${wish}; a person changed that before approving it.` : '';
      return { opening: 'Done.', words: `${done}.${edit}` };
    }
    case 'failed': {
      const edit = outcome.edited ? ` A person had changed what I asked for before approving it.` : '';
      return { opening: 'That did not work.', words: `${wish}, and was told: “${outcome.text}”${edit}` };
    }
    case 'answered':
      return {
        opening: 'Understood.',
        words: `${wish}. The tool did not run; a person answered in its place: “${outcome.words}”`,
      };
    case 'denied':
      return { opening: 'Understood,', words: `${left}.${given('reason', outcome.reason)}` };
    case 'denied-before': {
      const wait = outcome.wait === undefined ? '' : ` I can ask again in about ${outcome.wait}.`;
      return { opening: 'Understood,', words: `${left}: a person refused this before, so I did not ask again.${wait}` };
    }
    case 'expired':
      return {
        opening: 'Understood.',
        words: `No answer came in time, so I did not ${ask}. This is not a refusal: ask me again if it is still needed.`,
      };
    case 'cancelled':
      return {
        opening: 'Understood.',
        words: `My question was withdrawn, so I did not ${ask}.${given('cause', outcome.cause)}`,
      };
    case 'unknown':
      return { opening: 'Understood.', words: `${wish}; ${lost(outcome.leftAlone)}` };
    case 'happened': {
      const words = outcome.words === undefined ? '' : `, in their words: “${outcome.words}”`;
      return { opening: 'Done.', words: `the call was interrupted, and a person says that it happened${words || '.'}` };
    }
    case 'withheld':
      return { opening: 'Understood.', words: `${wish}. That call ran, and its result is withheld from me.` };
    case 'not-run':
      return { opening: 'Understood.', words: `I did not ${ask}. I was told: “${outcome.text}”` };
  }
}

function lost(leftAlone: boolean): string {
  const unknown = 'the call was interrupted, and it is not known whether it had an effect.';
  return leftAlone
    ? `${unknown} A person chose not to repeat it, so I will not.`
    : `${unknown} It was not repeated: please check first.`;
}

function given(what: 'reason' | 'cause', words: string | undefined): string {
  return words === undefined ? '' : ` The ${what} I was given: “${words}”`;
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
