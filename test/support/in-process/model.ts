import type { ModelAnswer, ModelFunction, ModelRequest } from '../../../app/agent/ports.ts';
import type { ContentBlock, StopReason } from '../../../interventions/index.ts';
import { resultsOf } from '../scripted-model.ts';

/** What the model says next: a text, one or more calls, an end without a word or in the middle of a call, or an error. */
export type Says =
  | string
  | ContentBlock
  | readonly ContentBlock[]
  | { readonly stopReason: StopReason; readonly content?: readonly ContentBlock[] }
  | Error
  /** Whatever it comes to, when the test lets it. */
  | Promise<string | ContentBlock>;

export interface ScriptedModel {
  readonly answer: ModelFunction;
  /** Each is one answer, in this order. Without a script it says `Done.`, which ends the run. */
  readonly says: (...answers: readonly Says[]) => void;
  readonly requests: ModelRequest[];
  /** What it was told of its calls, the latest request counting, as `id: status text`. */
  readonly told: () => readonly string[];
  /** What each answer costs. */
  readonly costs: (tokens: { readonly inputTokens: number; readonly outputTokens: number }) => void;
}

export function scriptedModel(): ScriptedModel {
  const script: Says[] = [];
  const requests: ModelRequest[] = [];
  let usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return {
    requests,
    says: (...answers) => void script.push(...answers),
    told: () => resultsOf(requests.at(-1)?.messages ?? []),
    costs: (tokens) => {
      usage = { ...usage, ...tokens };
    },
    answer: async (request, { onText }) => {
      requests.push(request);
      const next = await (script.shift() ?? 'Done.');
      if (next instanceof Error) throw next;
      const { content, stopReason } = wordsOf(next);
      for (const block of content) if (block.type === 'text') onText(block.text);
      return { message: { role: 'assistant', content }, stopReason, usage };
    },
  };
}

type Words = { readonly content: readonly ContentBlock[]; readonly stopReason: ModelAnswer['stopReason'] };

function wordsOf(next: Exclude<Awaited<Says>, Error>): Words {
  if (typeof next === 'string') return { content: [{ type: 'text', text: next }], stopReason: 'endTurn' };
  if ('stopReason' in next) return { content: next.content ?? [], stopReason: next.stopReason };
  return { content: 'type' in next ? [next] : next, stopReason: 'toolUse' };
}
