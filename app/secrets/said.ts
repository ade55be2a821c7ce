import { canonical } from '../../interventions/index.ts';
import { readJson } from '../json.ts';
import type { InputRules, Redaction } from './redaction.ts';

/** Hides secrets in what people type about a call. It is stored, shown on cards and sent to the model. */
export interface SafeWords {
  /** A reason, or an answer in a person's own words, without what the input hides. */
  readonly words: (call: SaidAbout, text: string) => Promise<string>;
  /** An answer that is JSON of a form. Its secrets are hidden field by field. */
  readonly form: (schema: string, answer: string) => Promise<string>;
}

export interface SaidAbout {
  readonly tool: string;
  /** The real input, as JSON text. */
  readonly input: string;
}

type FindTool = (name: string) => InputRules | undefined;

export function createSafeWords({ inTurns }: Pick<Redaction, 'inTurns'>, findTool: FindTool): SafeWords {
  return {
    words: async ({ tool, input }, text) => {
      const { hidden } = await inTurns.input(findTool(tool) ?? { inputSchema: {} }, readJson(input) ?? null);
      return inTurns.text(text, hidden);
    },
    form: async (schema, answer) => {
      const value = readJson(answer);
      // A person may type any text. `words` searches what is not JSON.
      if (value === undefined) return answer;
      return canonical((await inTurns.input({ inputSchema: readJson(schema) ?? {} }, value)).shown);
    },
  };
}
