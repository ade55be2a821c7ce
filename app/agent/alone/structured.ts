import {
  AfterToolsEvent,
  type HookRegistry,
  InterventionError,
  type Json,
  type Message,
} from '../../../interventions/index.ts';
import {
  addUsage,
  alternating,
  type LoopTool,
  type ModelAnswer,
  type ModelFunction,
  type PendingBatch,
  textMessage,
  toolUsesOf,
} from '../index.ts';

/** The shape that an answer must have. Any zod schema fits. */
export interface OutputSchema<Output> {
  readonly safeParse: (
    input: unknown,
  ) =>
    | { readonly success: true; readonly data: Output }
    | { readonly success: false; readonly error: { readonly message: string } };
  readonly toJSONSchema: () => unknown;
}

/** The model did not answer in the required shape, even when the tool was forced. */
export class StructuredOutputError extends InterventionError {
  override readonly name = 'StructuredOutputError';
}

export const STRUCTURED_OUTPUT = 'structured_output';

/** How often an answer of the wrong shape is sent back. */
const MOST_TRIES = 3;

/** What one invocation needs to end with an answer of this shape. */
export interface Structuring<Output> {
  /** The model is shown this tool like any other, and calls it to answer. */
  readonly tool: LoopTool;
  /** Forces the tool when the model answers in words. */
  readonly around: (model: ModelFunction, onDiscard: () => void) => ModelFunction;
  /** Ends the invocation once the answer is there. Returns a function that stops watching. */
  readonly watch: (hooks: HookRegistry) => () => void;
  readonly output: () => { readonly value: Output } | undefined;
}

export function structuring<Output>(schema: OutputSchema<Output>, pending?: PendingBatch): Structuring<Output> {
  const tool = answerTool(schema, (value) => {
    found = { value };
  });
  let found = answeredBefore(schema, pending);
  let forced = false;
  let asked = 0;
  return {
    tool,
    output: () => found,
    watch: (hooks) =>
      hooks.addCallback(AfterToolsEvent, (event) => {
        if (found !== undefined && event.endTurn === false) event.endTurn = true;
      }),
    around: (model, onDiscard) => async (request, context) => {
      if (asked >= MOST_TRIES) {
        throw new StructuredOutputError(
          `The model answered ${MOST_TRIES} times in a shape that does not fit. Simplify the schema, or describe it better.`,
        );
      }
      const force = { ...request, forceTool: STRUCTURED_OUTPUT };
      const first = await model(forced ? force : request, context);
      const answer = inWords(first) && !forced ? await again(model, { first, force, context, onDiscard }) : first;
      if (answer !== first) forced = true;
      if (calls(answer)) asked += 1;
      else if (forced && inWords(answer)) {
        throw new StructuredOutputError('The model answered in words, also when it was told not to. Ask otherwise.');
      }
      return answer;
    },
  };
}

export interface StructuredQuestion {
  readonly model: ModelFunction;
  readonly system: string | undefined;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
}

/** Asks one question for an answer of this shape, beside the loop: no tools, no events, and nothing is remembered. */
export async function askForOutput<Output>(
  schema: OutputSchema<Output>,
  question: StructuredQuestion,
): Promise<Output> {
  const { model, system, signal } = question;
  const { name: forceTool, description, inputSchema } = answerTool(schema, () => {});
  let messages = question.messages;
  let problem = '';
  for (let tried = 1; tried <= 2; tried += 1) {
    const tools = [{ name: forceTool, description, inputSchema }];
    const request = { system, messages: alternating(messages), tools, forceTool };
    const { message } = await model(request, { signal, onText: () => {} });
    const answer = toolUsesOf(message).find(({ name }) => name === STRUCTURED_OUTPUT);
    const parsed = answer === undefined ? undefined : schema.safeParse(answer.input);
    if (parsed?.success === true) return parsed.data;
    problem = parsed === undefined ? 'You answered in words.' : parsed.error.message;
    messages = [
      ...question.messages,
      textMessage('user', `That was not an answer of the shape that is needed. ${problem}`),
    ];
  }
  throw new StructuredOutputError(
    `The model gave no answer that fits: ${problem} Simplify the schema, or the question.`,
  );
}

function answerTool<Output>(schema: OutputSchema<Output>, keep: (value: Output) => void): LoopTool {
  return {
    name: STRUCTURED_OUTPUT,
    description: 'Gives the final answer. Call it once, when everything that the answer needs is known.',
    // A JSON Schema is JSON by definition.
    inputSchema: schema.toJSONSchema() as Json,
    parse: (input) => {
      const parsed = schema.safeParse(input);
      return parsed.success ? { ok: true, input } : { ok: false, problem: parsed.error.message };
    },
    run: async (input) => {
      const parsed = schema.safeParse(input);
      if (!parsed.success) throw new StructuredOutputError(parsed.error.message);
      keep(parsed.data);
      return 'This is the answer.';
    },
  };
}

/** The answer may have been given before a pause, beside the call that paused. */
function answeredBefore<Output>(
  schema: OutputSchema<Output>,
  pending: PendingBatch | undefined,
): { readonly value: Output } | undefined {
  if (pending === undefined) return undefined;
  const given = toolUsesOf(pending.message).find(({ name }) => name === STRUCTURED_OUTPUT);
  const result = pending.results.find(({ toolUseId }) => toolUseId === given?.toolUseId);
  if (given === undefined || result?.status !== 'success') return undefined;
  const parsed = schema.safeParse(given.input);
  return parsed.success ? { value: parsed.data } : undefined;
}

async function again(
  model: ModelFunction,
  about: {
    readonly first: ModelAnswer;
    readonly force: Parameters<ModelFunction>[0];
    readonly context: Parameters<ModelFunction>[1];
    readonly onDiscard: () => void;
  },
): Promise<ModelAnswer> {
  const { first, force, context, onDiscard } = about;
  onDiscard();
  context.signal.throwIfAborted();
  const second = await model(force, context);
  return { ...second, usage: addUsage(first.usage, second.usage) };
}

function inWords({ message, stopReason }: ModelAnswer): boolean {
  return toolUsesOf(message).length === 0 && (stopReason === 'endTurn' || stopReason === 'stopSequence');
}

function calls({ message }: ModelAnswer): boolean {
  return toolUsesOf(message).some(({ name }) => name === STRUCTURED_OUTPUT);
}
