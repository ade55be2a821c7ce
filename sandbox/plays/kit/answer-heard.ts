import { closing } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import type { ToolResult } from '../../model/request.ts';
import { formInWords } from '../../model/results.ts';
import { ASKING } from './phrases.ts';

/** A choice or free words come as a person's words; the answer to a form comes as the result itself. */
export function answerHeard(result: ToolResult): string {
  const { outcome } = hear(result);
  if (outcome.type === 'answered') return `Understood. I heard: “${outcome.words}”.`;
  if (outcome.type === 'ran') return `Understood. I heard: ${formInWords(outcome.text, result.input)}`;
  if (outcome.type === 'expired') return 'Understood. I asked, and no answer came in time.';
  return closing(result, ASKING);
}
