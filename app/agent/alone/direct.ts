import {
  ConfigurationError,
  checkOptions,
  InterruptedStateError,
  InterventionError,
  type InvocationState,
  type Json,
  type Message,
  MessageAddedEvent,
  type OptionKind,
  type ToolResultBlock,
  type ToolUseBlock,
  unanswered,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { beginRun, type LoopOptions, type LoopTool, observe, type Run, settleCall, textMessage } from '../index.ts';
import type { AgentMemory } from './memory/keep.ts';

export interface DirectCallOptions {
  /** Writes the call into the conversation. Default: what the agent was made with. */
  readonly record?: boolean;
  readonly invocationState?: InvocationState;
  readonly signal?: AbortSignal;
  /** Runs the call without any intervention, and warns about it. */
  readonly unguarded?: boolean;
}

/** Runs a tool without the model. */
export type DirectCall = (input?: Json, options?: DirectCallOptions) => Promise<ToolResultBlock>;

/** Refuses a misspelt option, and an `unguarded` that is neither true nor false. */
export function checkDirectOptions(options: DirectCallOptions): void {
  checkOptions('A direct call', options, OPTIONS);
}

/** The compiler sees that each is here. */
const OPTIONS: Readonly<Record<keyof DirectCallOptions, OptionKind>> = {
  record: 'true or false',
  invocationState: 'an object',
  signal: 'an object',
  unguarded: 'true or false',
};

export interface DirectParts {
  readonly memory: AgentMemory;
  readonly loop: Omit<LoopOptions, 'state' | 'signal' | 'invocationState'>;
  readonly toolUseId: string;
  readonly record: boolean;
}

/** Runs one call without the model but with everything else: callbacks, handlers, and the people they ask. */
export async function callDirectly(
  { name, input }: { readonly name: string; readonly input: Json },
  parts: DirectParts,
  options: DirectCallOptions,
): Promise<ToolResultBlock> {
  const { invocationState = {}, signal, unguarded = false } = options;
  const { memory, loop, toolUseId, record } = parts;
  const { state } = memory.remembered();
  if (state.pending !== undefined || unanswered(state.interrupts ?? []).length > 0) {
    throw new InterruptedStateError('The agent waits for answers, so no tool can be called. Answer or dismiss them.');
  }
  const toolUse: ToolUseBlock = { type: 'toolUse', toolUseId, name, input };
  const request: Message = { role: 'assistant', content: [toolUse] };
  let result: ToolResultBlock | undefined;
  const run = beginRun({
    ...loop,
    ...(unguarded ? { interventions: [] } : {}),
    ...given({ signal }),
    invocationState,
    mode: 'direct',
    // A turn of its own, so that the answer to an earlier question cannot count for this call.
    state: { messages: state.messages, pending: { message: request, results: [] }, turn: (state.turn ?? 0) + 1 },
    record: async (fact) => {
      if (fact.type === 'result') result = fact.result;
    },
  });
  if (unguarded) run.warn({ handler: 'direct call', event: 'beforeToolCall', message: passed(name) });
  const end = await settleAlone(run, toolUse).finally(run.leave);
  if (end.type === 'paused') {
    throw new InterventionError(
      `${name} needs a person, and a direct call cannot wait for one. Ask inline, or let the model call it.`,
    );
  }
  if (result === undefined) throw new InterventionError(`${name} was stopped before it had a result. Call it again.`);
  if (record) await writeDown(run, memory, { request, toolUse, result });
  else await memory.add();
  return result;
}

async function settleAlone(run: Run, toolUse: ToolUseBlock) {
  await observe(run);
  return settleCall(run, toolUse, false);
}

function passed(name: string): string {
  return `${name} was called past all interventions, as its caller asked for.`;
}

interface Done {
  readonly request: Message;
  readonly toolUse: ToolUseBlock;
  readonly result: ToolResultBlock;
}

/** Writes the call as an exchange, so that roles alternate and the model can see what was done without it. */
async function writeDown(run: Run, memory: AgentMemory, { request, toolUse, result }: Done): Promise<void> {
  const { name, input } = toolUse;
  const messages: readonly Message[] = [
    textMessage(
      'user',
      `The tool ${name} is called directly, with this input: ${JSON.stringify(input)}`,
      'intervention',
    ),
    request,
    { role: 'user', content: [result] },
    textMessage('assistant', `The tool ${name} was called.`, 'intervention'),
  ];
  await memory.add(...messages.map((message) => ({ type: 'message' as const, message })));
  for (const message of messages) await run.tell(new MessageAddedEvent(run.context(), { message }));
}

/** `_` in an accessor stands for `-` in a name, unless there is a tool of exactly that name. */
export function findTool(tools: readonly LoopTool[], accessor: string): LoopTool {
  const exact = tools.find(({ name }) => name === accessor);
  if (exact !== undefined) return exact;
  const alike = tools.filter(({ name }) => name.replaceAll('-', '_') === accessor);
  const [found, other] = alike;
  if (found !== undefined && other === undefined) return found;
  const names = tools.map(({ name }) => name).join(', ') || 'none';
  throw new ConfigurationError(
    other === undefined
      ? `There is no tool called ${JSON.stringify(accessor)}. There are: ${names}.`
      : `${JSON.stringify(accessor)} could be ${alike.map(({ name }) => name).join(' or ')}. Use the exact name.`,
  );
}

/** Answers `tool.<name>` for every name except `then`, so that `await` does not take it for a promise. */
export function directCaller(call: (accessor: string) => DirectCall): Readonly<Record<string, DirectCall>> {
  return new Proxy<Readonly<Record<string, DirectCall>>>(
    {},
    { get: (_target, name) => (typeof name === 'string' && name !== 'then' ? call(name) : undefined) },
  );
}
