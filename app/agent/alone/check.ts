import {
  ConfigurationError,
  checkHash,
  checkNumbers,
  checkOptions,
  type OptionKind,
} from '../../../interventions/index.ts';
import type { LoopLimits, ModelAnswer } from '../index.ts';
import { Answer, checkStored } from './memory/stored.ts';
import type { AgentOptions, InvokeOptions } from './options.ts';

/** Refuses options that an agent would pass over, or that would fail only later. */
export function checkAgentOptions(options: AgentOptions): void {
  checkOptions('Agent', options, OPTIONS);
  for (const [name, methods] of Object.entries(METHODS)) checkMethods(name, Reflect.get(options, name), methods);
  for (const hook of options.hooks ?? []) checkMethods('hooks', hook, ['registerHooks']);
  if (options.hash !== undefined) checkHash('Agent', options.hash);
  if (options.retryStrategy) checkOptions('retryStrategy', options.retryStrategy, RETRY);
  checkLimits(options.limits);
}

export function checkInvokeOptions(options: InvokeOptions): void {
  checkOptions('invoke()', options, INVOKE);
  if (options.structuredOutputSchema !== undefined) {
    checkMethods('structuredOutputSchema', options.structuredOutputSchema, ['safeParse', 'toJSONSchema']);
  }
  if (options.cancelSignal !== undefined && !(options.cancelSignal instanceof AbortSignal)) {
    throw new ConfigurationError('cancelSignal is no AbortSignal. Give the signal of an AbortController.');
  }
  checkLimits(options.limits);
}

/** Refuses limits under which an invocation would never begin or never end. */
function checkLimits(limits: Partial<LoopLimits> = {}): void {
  checkOptions('limits', limits, LIMITS);
  for (const name of ['turns', 'totalTokens', 'outputTokens'] as const) {
    const limit = limits[name];
    if (limit === undefined || (Number.isFinite(limit) && limit > 0)) continue;
    throw new TypeError(`The limit ${name} is ${limit}. Give a finite number above 0, or leave it out.`);
  }
  const { guidance, ...numbers } = limits;
  checkNumbers(numbers, false);
}

/** Refuses what is no answer of a model. Its parts would be missed only later, and a call without an id could run twice. */
export function checkAnswer(answer: ModelAnswer): ModelAnswer {
  checkStored(Answer, answer, {
    what: 'What the model function returned',
    next: 'Return { message: { role: "assistant", content }, stopReason, usage }, where content is a list of blocks and usage is { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }, each a number. The last two may be left out.',
  });
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = answer.usage;
  return { ...answer, usage: { ...answer.usage, cacheReadTokens, cacheWriteTokens } };
}

function checkMethods(name: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined || value === null) return;
  const lacks = methods.find((method) => typeof Reflect.get(Object(value), method) !== 'function');
  if (lacks === undefined) return;
  throw new ConfigurationError(
    `The option ${name} lacks the method ${lacks}, so it cannot be used. Give one that has it.`,
  );
}

const METHODS: Partial<Record<keyof AgentOptions, readonly string[]>> = {
  sessionManager: ['load', 'append'],
  conversationManager: ['manage', 'reduce'],
  structuredOutputSchema: ['safeParse', 'toJSONSchema'],
  clock: ['now'],
  timers: ['after'],
};

/** The compiler sees that each is here, and in the tables below. */
const OPTIONS: Readonly<Record<keyof AgentOptions, OptionKind>> = {
  model: true,
  resolveModel: 'a function',
  messages: true,
  tools: 'a list',
  systemPrompt: true,
  structuredOutputSchema: true,
  callbackHandler: true,
  conversationManager: true,
  recordDirectToolCall: 'true or false',
  loadToolsFromDirectory: true,
  traceAttributes: 'an object',
  id: true,
  name: 'a text',
  description: 'a text',
  appState: 'an object',
  hooks: 'a list',
  sessionManager: 'an object',
  toolExecutor: ['concurrent', 'sequential'],
  retryStrategy: true,
  interventions: 'a list',
  whileWaiting: ['reject', 'dismissAndContinue', 'queue'],
  snapshot: true,
  limits: 'an object',
  profile: ['strict', 'reference'],
  judge: 'a function',
  warn: 'a function',
  audit: 'a function',
  clock: true,
  timers: true,
  hash: true,
  whenChanged: ['askAgain', 'deny'],
  deniedInvocation: ['storePair', 'storeNothing'],
  bufferText: 'true or false',
};

const INVOKE: Readonly<Record<keyof InvokeOptions, OptionKind>> = {
  invocationState: 'an object',
  structuredOutputSchema: true,
  cancelSignal: true,
  limits: 'an object',
};

const RETRY: Readonly<Record<keyof NonNullable<AgentOptions['retryStrategy']>, OptionKind>> = {
  attempts: true,
  firstDelayMs: true,
  maxDelayMs: true,
  jitter: ['none', 'full', 'equal', 'decorrelated'],
  again: 'a function',
  sleep: 'a function',
  random: 'a function',
  onRetry: 'a function',
};

const LIMITS: Readonly<Record<keyof LoopLimits, OptionKind>> = {
  turns: true,
  totalTokens: true,
  outputTokens: true,
  toolCallsPerTurn: true,
  parallelAsks: true,
  parallelTools: true,
  handlerTimeoutMs: true,
  retries: true,
  guidance: 'an object',
};
