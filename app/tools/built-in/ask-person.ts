import { z } from 'zod';
import { given } from '../../given.ts';
import { defineTool } from '../define-tool.ts';
import type { Tool } from '../tool.ts';
import { formSchema, PersonForm, seenAs } from './person-form.ts';

const Input = z
  .object({
    question: z.string().trim().min(1).max(1_000).describe('One question, in plain words'),
    choices: z
      .array(z.string().trim().min(1).max(70))
      .max(9)
      .default([])
      .describe('What the person can choose from; left out, they write freely'),
    form: PersonForm.optional().describe(
      'A flat JSON Schema of what you need to know, in place of choices: string (with enum), number, integer, boolean',
    ),
  })
  .refine(({ choices, form }) => form === undefined || choices.length === 0, 'Offer choices or a form, not both')
  .refine(({ choices }) => choices.every((choice) => SEEN.test(choice)), 'A choice is one line of visible signs')
  .refine(({ choices }) => new Set(choices.map(seenAs)).size === choices.length, 'Two choices look alike')
  .refine(({ choices }) => !choices.some(isOwnWords), 'The form itself has the choice “As written below”');

/** What cannot be seen, but belongs to the spelling of some words and emoji: joiners between their parts, and the tags of some flags. */
const JOINER = {
  ofEmoji: String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})`,
  ofWords: String.raw`(?<![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])(?<=[\p{L}\p{M}])[\u200C\u200D](?=[\p{L}\p{M}])`,
  ofFlags: String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}`,
};
const SEEN = new RegExp(`^(?: |${Object.values(JOINER).join('|')}|[^\\p{C}\\p{Z}])+$`, 'u');

/** The form has the choice *As written below* itself, and would show it twice. */
const isOwnWords = (choice: string): boolean => choice.toLowerCase().replace(/[^a-z]/g, '') === 'aswrittenbelow';

/** A question to the person that the agent works for. It waits like an approval, through restarts, and never runs. */
export function askPerson(): Tool {
  const tool = defineTool({
    name: 'ask_person',
    description:
      'Asks the person you work for one question and waits for the answer, for hours if need be. Offer choices where there are few ' +
      'sensible answers, and a form where you need several things: its answer is JSON that fits it. Use it when you cannot go on without knowing; do not use it to ask whether you may use another tool, ' +
      'which is asked by itself.',
    input: Input,
    effect: 'asked',
    because: 'It is a question: a person answers it, or does not.',
    run: () => {
      throw new Error('Only a person can answer this question, and no answer has come');
    },
  });
  return {
    ...tool,
    origin: 'built in',
    trust: undefined,
    // No other part of its card says the question, so it is not cut to a sentence.
    summarise: (input) => Input.safeParse(input).data?.question ?? 'Ask a person.',
    wants: (input) => {
      const read = Input.safeParse(input);
      // An input with hidden values does not fit, and people could not choose among hidden values.
      if (!read.success) return { choices: [] };
      const { choices, form } = read.data;
      return { choices, ...given({ form: form && formSchema(form) }) };
    },
  };
}
