import { canonical, type Json } from '../../interventions/index.ts';
import type { Redaction } from './redaction.ts';

/** What people type about a call: it is written down, stands on cards and goes to the model, so it is searched as well. */
export interface SafeWords {
  /** A reason, or an answer in their own words: without anything that the input hides. */
  readonly words: (call: SaidAbout, text: string) => string;
  /** An answer that is JSON of a form: what stands in its fields is hidden field by field. */
  readonly form: (schema: string, answer: string) => string;
}

export interface SaidAbout {
  readonly tool: string;
  /** The real one, as JSON text. */
  readonly input: string;
}

type FindTool = (name: string) => { readonly inputSchema: Json } | undefined;

export function createSafeWords(redaction: Redaction, findTool: FindTool): SafeWords {
  return {
    words: ({ tool, input }, text) => {
      const { hidden } = redaction.input(findTool(tool) ?? { inputSchema: {} }, readJson(input) ?? null);
      return redaction.text(text, hidden);
    },
    form: (schema, answer) => {
      const value = readJson(answer);
      if (value === undefined) return answer;
      return canonical(redaction.input({ inputSchema: readJson(schema) ?? {} }, value).shown);
    },
  };
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
