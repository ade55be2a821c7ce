import { type Json, unreachable } from '../../interventions/index.ts';
import type { ToolOutput } from '../agent/index.ts';
import { given } from '../given.ts';
import { errorText } from '../log.ts';
import type { Thread, UserId } from '../records/index.ts';
import { createPlanned } from '../time/index.ts';
import { cutText, renderOutput } from './output.ts';
import type { Tool } from './tool.ts';

/** The outcome of a call of a tool. `output` is always a text for the model. */
export type ToolRun =
  | { readonly type: 'succeeded'; readonly output: ToolOutput }
  /** The tool ran and threw, or its result cannot be shown. `stopped`: it had been told to stop. */
  | ({ readonly type: 'failed'; readonly output: string; readonly stopped?: true } & AtLimit)
  /** The tool was told to stop and did not end by itself, or it was lost. Whether it had an effect is not known. */
  | ({ readonly type: 'abandoned'; readonly cause: 'timeout' | 'aborted' | 'lost'; readonly output: string } & AtLimit)
  /** The tool did not run: the call was stopped before it began, or its input does not fit. */
  | { readonly type: 'notStarted'; readonly output: string };

interface AtLimit {
  /** The time limit of the tool, if the tool reached it. */
  readonly limitMs?: number;
}

export interface RunToolOptions {
  readonly signal: AbortSignal;
  readonly key: string;
  readonly thread?: Thread | undefined;
  readonly requester?: UserId | undefined;
  readonly steeredBy?: readonly UserId[] | undefined;
  readonly log?: (text: string) => void;
  /** Called with what the tool threw, before the outcome is put into words. */
  readonly threw?: (error: unknown) => void;
  /** For a tool that names no limit of its own. */
  readonly timeoutMs?: number;
  /** How long a tool that was told to stop may take to end by itself. */
  readonly graceMs?: number;
  readonly outputChars?: number;
}

/** A tool throws this when it has started something and cannot find out how that ended. The message ends with a full stop. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  /** The time limit that the call reached. */
  readonly limitMs: number | undefined;

  constructor(message: string, { limitMs, ...options }: ErrorOptions & AtLimit = {}) {
    super(message, options);
    this.limitMs = limitMs;
  }
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_GRACE_MS = 1_000;
const DEFAULT_OUTPUT_CHARS = 20_000;

/** Runs one call of a tool, once. Never rejects: each failure is an outcome, in words. */
export async function runTool(tool: Tool, input: Json, options: RunToolOptions): Promise<ToolRun> {
  const {
    signal,
    key,
    thread,
    requester,
    steeredBy = [],
    log = () => {},
    outputChars = DEFAULT_OUTPUT_CHARS,
  } = options;
  if (signal.aborted) return { type: 'notStarted', output: `${tool.name} was stopped before it began.` };
  const parsed = tool.parse(input);
  if (!parsed.ok) return { type: 'notStarted', output: `The input does not fit ${tool.name}: ${parsed.problem}` };
  const timeoutMs = tool.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const limit = watch(signal, { timeoutMs, graceMs: options.graceMs ?? DEFAULT_GRACE_MS });
  try {
    const ending = tool.run(input, { signal: limit.signal, key, log, thread, requester, steeredBy }).then(
      (value): ToolReturn => ({ type: 'returned', value }),
      (error): ToolReturn => ({ type: 'threw', error }),
    );
    const end = await Promise.race([ending, limit.reached]);
    switch (end.type) {
      case 'returned':
        return toRun(tool.name, end.value, outputChars);
      case 'threw':
        options.threw?.(end.error);
        return threw(tool.name, end.error, {
          outputChars,
          ...(limit.isReached() ? { limitMs: timeoutMs } : {}),
          ...(signal.aborted ? { stopped: true } : {}),
        });
      case 'timeout':
        return abandoned(end.type, notDone(tool.name, timeoutMs), timeoutMs);
      case 'aborted':
        return abandoned(end.type, `${tool.name} was told to stop while it ran.`);
      default:
        return unreachable(end);
    }
  } finally {
    limit.end();
  }
}

const notDone = (name: string, timeoutMs: number): string =>
  `${name} was not done after ${timeoutMs / 1000} s and was told to stop.`;

type ToolReturn =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'threw'; readonly error: unknown };
type Limit = { readonly type: 'timeout' | 'aborted' };

/** Gives a signal for the tool and a promise for the caller, so that a tool that ignores the signal holds up no run. */
function watch(outer: AbortSignal, { timeoutMs, graceMs }: { readonly timeoutMs: number; readonly graceMs: number }) {
  const controller = new AbortController();
  const timers = createPlanned();
  let resolve: (limit: Limit) => void = () => {};
  const reached = new Promise<Limit>((settle) => {
    resolve = settle;
  });
  // The tool hears of it first: a tool that ends by itself in the time of grace has a known outcome.
  const stop = (type: Limit['type'], reason: unknown) => {
    controller.abort(reason);
    timers.after(graceMs, () => resolve({ type }));
  };
  const onAbort = () => stop('aborted', outer.reason);
  outer.addEventListener('abort', onAbort, { once: true });
  let isReached = false;
  timers.after(timeoutMs, () => {
    isReached = !outer.aborted;
    stop('timeout', new Error('The time limit of the tool was reached.'));
  });
  const end = () => {
    timers.cancelAll();
    outer.removeEventListener('abort', onAbort);
  };
  return { signal: controller.signal, reached, isReached: () => isReached, end };
}

function toRun(name: string, value: unknown, outputChars: number): ToolRun {
  const rendered = renderOutput(value, outputChars);
  if (rendered.ok) return { type: 'succeeded', output: rendered.output };
  return {
    type: 'failed',
    output: `${name} ran to its end, but ${rendered.problem}. Do not run it again because of this.`,
  };
}

/** A tool that was told to stop may end by itself, with an error. */
function threw(
  name: string,
  error: unknown,
  { outputChars, limitMs, stopped }: AtLimit & { readonly outputChars: number; readonly stopped?: true },
): ToolRun {
  const late = limitMs === undefined ? '' : `${notDone(name, limitMs)} `;
  if (error instanceof OutcomeUnknownError)
    return abandoned('lost', `${late}${errorText(error)}`, error.limitMs ?? limitMs);
  const output = cutText(`${late}${name} failed: ${errorText(error)}`, outputChars);
  return { type: 'failed', output, ...given({ limitMs, stopped }) };
}

function abandoned(cause: Limit['type'] | 'lost', what: string, limitMs?: number): ToolRun {
  return {
    type: 'abandoned',
    cause,
    output: `${what} Whether it had an effect is not known: find out before you try again.`,
    ...given({ limitMs }),
  };
}
