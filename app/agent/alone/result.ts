import type { Interrupt, InvocationState, Message, StopReason } from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { LoopOutcome, Usage } from '../index.ts';

/** The result of an invocation. Its JSON holds the questions, and leaves out `invocationState`, which is never stored. */
export interface AgentResult<Output = unknown> {
  readonly stopReason: StopReason;
  readonly lastMessage: Message | undefined;
  /** The questions without an answer. Empty unless the stop reason is `interrupt`. */
  readonly interrupts: readonly Interrupt[];
  readonly structuredOutput?: Output;
  /** Set when an intervention, not the model, ended the run. */
  readonly endedBy?: { readonly handler: string; readonly text: string };
  /** Nothing was done: all answers had been given before, or the input is kept until there are answers. */
  readonly unchanged?: true;
  readonly usage: Usage;
  readonly invocationState: InvocationState;
  readonly toJSON: () => Record<string, unknown>;
  /** For people: the questions, or the structured output, or the text. */
  readonly toString: () => string;
}

type Facts<Output> = Omit<AgentResult<Output>, 'toJSON' | 'toString'>;

function createResult<Output>(facts: Facts<Output>): AgentResult<Output> {
  const { invocationState: _never, ...stored } = facts;
  return {
    ...facts,
    toJSON: () => ({ type: 'agentResult', ...stored }),
    toString: () => {
      if (facts.interrupts.length > 0) return JSON.stringify(facts.interrupts);
      if ('structuredOutput' in facts) return JSON.stringify(facts.structuredOutput);
      return textOf(facts.lastMessage);
    },
  };
}

export function resultOf<Output>(
  outcome: LoopOutcome,
  more: { readonly invocationState: InvocationState; readonly output: { readonly value: Output } | undefined },
): AgentResult<Output> {
  const { invocationState, output } = more;
  return createResult<Output>({
    stopReason: stopReasonOf(outcome),
    lastMessage: lastMessageOf(outcome),
    interrupts: outcome.type === 'interrupted' ? outcome.interrupts : [],
    ...given({ structuredOutput: output?.value }),
    ...(outcome.type === 'finished' && outcome.endedBy !== undefined && output === undefined
      ? { endedBy: outcome.endedBy }
      : {}),
    usage: outcome.usage,
    invocationState,
  });
}

function stopReasonOf(outcome: LoopOutcome): StopReason {
  switch (outcome.type) {
    case 'finished':
      return outcome.stopReason;
    case 'interrupted':
      return 'interrupt';
    case 'stopped':
      return outcome.reason === 'parked' ? 'cancelled' : outcome.reason;
  }
}

/** What the agent said last, also when a pause or a refusal keeps it out of the conversation. */
function lastMessageOf(outcome: LoopOutcome): Message | undefined {
  const { messages, pending } = outcome.state;
  if (outcome.type === 'interrupted') return pending?.message;
  if (outcome.type === 'finished' && outcome.message?.role === 'assistant') return outcome.message;
  return messages.findLast(({ role }) => role === 'assistant');
}

function textOf(message: Message | undefined): string {
  return (message?.content ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The result of an invocation that changed nothing. */
export function unchangedResult(
  {
    messages,
    interrupts,
    endedBy,
  }: {
    readonly messages: readonly Message[];
    readonly interrupts: readonly Interrupt[];
    readonly endedBy: AgentResult['endedBy'];
  },
  invocationState: InvocationState,
): AgentResult<never> {
  return createResult<never>({
    stopReason: interrupts.length > 0 ? 'interrupt' : 'endTurn',
    lastMessage: messages.findLast(({ role }) => role === 'assistant'),
    interrupts,
    ...given({ endedBy }),
    unchanged: true,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    invocationState,
  });
}
