import { createHash } from 'node:crypto';
import { type LoopOptions, runLoop } from '../../app/agent/loop/loop.ts';
import type { LoopOutcome } from '../../app/agent/outcome.ts';
import type { LoopTool, ModelFunction, ModelRequest } from '../../app/agent/ports.ts';
import type { ContentBlock, Json, Message, StopReason, Timers } from '../../interventions/index.ts';
import { standardProfile } from './profile.ts';

/** What the model says next: a text, tool calls, a whole answer, or an error to throw. */
export type Line =
  | string
  | readonly ContentBlock[]
  | { readonly text: string; readonly stopReason: StopReason }
  | Error;

/** A model that reads from a script, and remembers what it was shown. */
export function scriptedModel(...lines: readonly Line[]): ModelFunction & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: ModelFunction = async (request, { onText }) => {
    const line = lines[requests.length];
    requests.push(request);
    if (line === undefined) throw new Error(`The script has only ${lines.length} lines.`);
    if (line instanceof Error) throw line;
    const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
    if (typeof line === 'string' || 'stopReason' in line) {
      const { text, stopReason } = typeof line === 'string' ? { text: line, stopReason: 'endTurn' as const } : line;
      onText(text);
      return { message: { role: 'assistant', content: [{ type: 'text', text }] }, stopReason, usage };
    }
    return { message: { role: 'assistant', content: line }, stopReason: 'toolUse', usage };
  };
  return Object.assign(model, { requests });
}

export function call(name: string, input: Json = {}, toolUseId = `${name}-1`): ContentBlock {
  return { type: 'toolUse', toolUseId, name, input };
}

/** A tool that remembers its runs. */
export function witness(
  name: string,
  run: (input: Json) => string | Promise<string> = () => `${name} is done`,
): LoopTool & { readonly runs: Json[] } {
  const runs: Json[] = [];
  return {
    name,
    description: name,
    inputSchema: { type: 'object' },
    parse: (input) => ({ ok: true, input }),
    run: async (input) => {
      runs.push(input);
      return run(input);
    },
    runs,
  };
}

export const says = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });

/** Timers that fire when told. */
export function handTimers(): Timers & { readonly pass: (milliseconds: number) => void } {
  let now = 0;
  const waiting = new Set<{ readonly at: number; readonly fire: () => void }>();
  return {
    after: (delayMs, fire) => {
      const timer = { at: now + delayMs, fire };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    pass: (milliseconds) => {
      now += milliseconds;
      for (const timer of [...waiting]) {
        if (timer.at > now) continue;
        waiting.delete(timer);
        timer.fire();
      }
    },
  };
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A whole loop with nothing but what a test is about. */
export function loop(options: Partial<LoopOptions> & Pick<LoopOptions, 'model'>): Promise<LoopOutcome> {
  return runLoop({
    state: { messages: [says('please')] },
    tools: [],
    clock: { now: () => 0 },
    timers: handTimers(),
    hash: sha256,
    profile: standardProfile(),
    ...options,
  });
}

/** All tool results in the transcript, as `id: status text`. */
export function resultsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) =>
      block.type === 'toolResult'
        ? [
            `${block.toolUseId}: ${block.status} ${block.content.map((part) => ('text' in part ? part.text : '')).join('')}`,
          ]
        : [],
    ),
  );
}

/** The text of the last message. */
export function lastText({ state }: LoopOutcome): string {
  return (state.messages.at(-1)?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** A promise and the way to settle it from outside. */
export function deferred<Value>(): {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
} {
  let resolve: (value: Value) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
