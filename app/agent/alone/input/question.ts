import { InterruptedStateError, type InterruptResponseBlock, unanswered } from '../../../../interventions/index.ts';
import { type InvocationParts, modelOf } from '../invocation.ts';
import { askForOutput, type OutputSchema } from '../structured.ts';
import { type AgentInput, readInput } from './input.ts';

/** What an agent can be asked beside its invocations: text, blocks, messages, or nothing. */
export type StructuredPrompt = Exclude<AgentInput, readonly InterruptResponseBlock[]>;

/** Asks the model about the conversation so far and the prompt, and stores neither the prompt nor the answer. */
export async function askBeside<Output>(
  schema: OutputSchema<Output>,
  prompt: StructuredPrompt,
  { parts, signal }: { readonly parts: InvocationParts; readonly signal: AbortSignal },
): Promise<Output> {
  const { memory, settings, systemPrompt } = parts;
  const { pending, interrupts = [], messages: before } = memory.remembered().state;
  if (pending !== undefined || unanswered(interrupts).length > 0) {
    throw new InterruptedStateError(`${settings.id} waits for answers, so nothing else can be asked. Answer them.`);
  }
  const given = readInput(prompt);
  if (given.type === 'answers') {
    throw new TypeError('The prompt is a list of answers to questions. Resume the agent with them, by invoke().');
  }
  const messages = [...before, ...given.messages];
  if (messages.length === 0) {
    throw new TypeError('There is neither a prompt nor a conversation to give an answer about. Give a prompt.');
  }
  const model = modelOf(parts, () => {});
  return askForOutput(schema, { model, system: systemPrompt(), messages, signal });
}
