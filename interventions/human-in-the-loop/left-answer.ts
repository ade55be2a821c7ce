import { defaultEvaluate } from '../actions.ts';
import { canonical } from '../canonical.ts';
import type { Interrupt } from '../pipeline/interrupt.ts';
import { readAnswer } from './answer.ts';

/**
 * The refusal in an answer about a call that no handler asks for any more, because an agent was made again without it. Only a plain
 * yes lets the call run; without its handler, no other answer can be judged.
 */
export function refusalLeft(answered: readonly Interrupt[]): string | undefined {
  for (const { response = null, name } of answered) {
    const settlement = readAnswer(response, { evaluate: defaultEvaluate, prompt: '', profile: 'strict' });
    if (settlement.type === 'refused') return settlement.text;
    if (settlement.type === 'approved' && settlement.editedInput === undefined) continue;
    return `DENIED: A person answered ${canonical(name)} about this tool call, and no handler of that name judges the answer.`;
  }
  return undefined;
}
