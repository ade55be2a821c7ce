import {
  type AppState,
  type Interrupt,
  InterruptError,
  type InterruptResponseBlock,
  type InvocationState,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import type { LoopTool, ToolRunContext } from '../index.ts';
import type { AgentInput } from './input/input.ts';
import type { AgentResult } from './result.ts';

/** The part of an agent that is needed to give it work. */
export interface Worker {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly appState: AppState;
  readonly isBusy: boolean;
  readonly interrupts: () => Promise<readonly Interrupt[]>;
  readonly dismiss: (reason: string) => Promise<void>;
  readonly invoke: (
    input: AgentInput,
    options: { readonly cancelSignal: AbortSignal; readonly invocationState: InvocationState },
  ) => Promise<AgentResult>;
}

/**
 * An agent as a tool of another agent. Its questions become questions of the other agent, named after the agent that
 * asks. Their answers are handed down when the tool is started again. It works with the invocation state of the other
 * agent, but its tools and trust stay its own.
 */
export function agentAsTool(worker: Worker, now: () => number): LoopTool {
  const { name, description } = worker;
  return {
    name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64),
    description: description ?? `Hands work to ${name} and gives back what it says.`,
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What is to be done, in whole sentences.' } },
      required: ['input'],
    },
    parse: (input) => {
      const text = textOf(input);
      if (text === undefined) return { ok: false, problem: 'input must be a text that says something.' };
      return { ok: true, input };
    },
    run: async (input, context) => {
      const asked = await ownQuestions(worker, context);
      const open = asked.filter(({ expiresAtMs }) => expiresAtMs === undefined || expiresAtMs > now());
      // An expired question takes no answer. The worker goes on by itself, and tells its model that nobody answered.
      const rest = asked.length > 0 ? undefined : textOf(input);
      const handed = new Set<string>();
      const given = open.length > 0 ? answersTo(open, worker, { context, handed }) : rest;
      const options = { cancelSignal: context.signal, invocationState: context.invocationState };
      // A worker that is busy refuses this call, and keeps the one it works for.
      if (!worker.isBusy) worker.appState.set(CALL, callOf(context));
      let result = await worker.invoke(given, options);
      // A worker without memory starts over in a new process. Its questions then have the same ids.
      while (result.stopReason === 'interrupt') {
        result = await worker.invoke(answersTo(result.interrupts, worker, { context, handed }), options);
      }
      worker.appState.delete(CALL);
      return result.toString() || `${name} said nothing (${result.stopReason}).`;
    },
  };
}

/** Under this key a worker keeps which call it works for. */
const CALL = 'as-tool:call';

function callOf({ toolUse, digest }: ToolRunContext): string {
  return `${toolUse.toolUseId} ${digest}`;
}

/** The questions that this call has raised. A call that was given up may have left others, which are taken back. */
async function ownQuestions(worker: Worker, context: ToolRunContext): Promise<readonly Interrupt[]> {
  const asked = await worker.interrupts();
  const call = worker.appState.get(CALL) ?? callOf(context);
  if (asked.length === 0 || call === callOf(context)) return asked;
  await worker.dismiss('The call that asked was given up.');
  return [];
}

interface Handing {
  readonly context: ToolRunContext;
  /** The names of the questions whose answers were handed down. */
  readonly handed: Set<string>;
}

/** Returns the answers of people to all of these questions, or raises those that have none. */
function answersTo(
  interrupts: readonly Interrupt[],
  worker: Worker,
  { context, handed }: Handing,
): readonly InterruptResponseBlock[] {
  const raised: Interrupt[] = [];
  const responses = interrupts.flatMap((interrupt): InterruptResponseBlock[] => {
    const { id, reason, answers, expiresAtMs, problem } = interrupt;
    try {
      const about = given({ reason, answers, expiresAtMs, problem });
      const name = nameOf(interrupt, worker, handed);
      const response = context.interrupt({ name, ...about });
      handed.add(name);
      return [{ interruptResponse: { interruptId: id, response } }];
      // `interrupt` throws for a question without an answer. All of them are raised together below.
    } catch (error) {
      if (!(error instanceof InterruptError)) throw error;
      raised.push(...error.interrupts);
      return [];
    }
  });
  // Questions are raised until all have answers. Then all answers are handed down together.
  if (raised.length > 0) throw new InterruptError(raised);
  return responses;
}

/**
 * An answer may leave a question open: more people must approve, or it is not one of the answers. The question then has another
 * name, because the answer under the old name would be handed down again, without end.
 */
function nameOf({ id, approvals = [] }: Interrupt, worker: Worker, handed: Handing['handed']): string {
  const name = [worker.id, id, ...(approvals.length === 0 ? [] : [approvals.length])].join('/');
  let again = 0;
  while (handed.has(again === 0 ? name : `${name}#${again}`)) again += 1;
  return again === 0 ? name : `${name}#${again}`;
}

function textOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('input' in input)) return undefined;
  const { input: text } = input;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}
