import { isJson } from '../app-state.ts';
import { canonical } from '../canonical.ts';
import { given } from '../copy.ts';
import type { Json } from '../messages.ts';

/** What a person is asked, as data. Every surface draws it in its own way. */
export interface Question {
  readonly kind: 'tool-call';
  readonly tool: string;
  /** Redacted, and always JSON: what JSON cannot hold is written as text. */
  readonly input: Json;
  /** The input as one text, cut at a limit. `hiddenCharacters` counts what was cut. */
  readonly preview: string;
  readonly hiddenCharacters: number;
  readonly risk?: string;
  readonly handler: string;
  readonly requester?: string;
  readonly expiresAtMs?: number;
  readonly answers?: readonly Json[];
}

export interface QuestionParts {
  readonly tool: string;
  readonly input: unknown;
  readonly handler: string;
  readonly previewCharacters: number;
  readonly redact?: ((tool: string, input: unknown) => unknown) | undefined;
  readonly risk?: string | undefined;
  readonly requester?: string | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly answers?: readonly Json[] | undefined;
}

export function buildQuestion(parts: QuestionParts): Question {
  const { tool, handler, previewCharacters, risk, requester, expiresAtMs, answers } = parts;
  const input = toJson(parts.redact === undefined ? parts.input : parts.redact(tool, parts.input));
  const whole = typeof input === 'string' ? input : canonical(input);
  // Half of a sign of two units would be shown as another sign.
  const preview = whole.slice(0, previewCharacters).replace(/[\ud800-\udbff]$/, '');
  return {
    kind: 'tool-call',
    tool,
    input,
    preview,
    hiddenCharacters: whole.length - preview.length,
    handler,
    ...given({ risk, requester, expiresAtMs, answers }),
  };
}

/** The question as text, for surfaces that cannot draw it. */
export function questionText({ tool, risk, preview, hiddenCharacters }: Question): string {
  const hidden =
    hiddenCharacters > 0 ? ` (+ ${hiddenCharacters} ${hiddenCharacters === 1 ? 'character' : 'characters'})` : '';
  const why = risk === undefined ? '' : ` ${risk}`;
  return `The tool ${JSON.stringify(tool)} needs a person's approval.${why}\nInput: ${preview}${hidden}`;
}

/** The question as stored data. */
export function questionData(question: Question): Json {
  return { ...question };
}

function toJson(value: unknown): Json {
  return isJson(value) ? value : canonical(value);
}
