import { checkNumbers, checkOptions, type OptionKind } from '../errors.ts';
import { AfterToolCallEvent, BeforeInvocationEvent, BeforeToolCallEvent } from '../hooks/events.ts';
import { AfterInvocationEvent, InterruptEvent } from '../hooks/stream-events.ts';
import type { Json } from '../messages.ts';
import { redactSecrets } from '../redact.ts';
import { contextCallback, type SteeringContext, type SteeringContextProvider } from './context.ts';

/** One entry for each try of each call, whatever its outcome. */
export type LedgerEntry = {
  readonly key: string;
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: Json;
  readonly attempt: number;
  /** `pending`: the call is being judged, or runs. */
  readonly status: 'pending' | 'waiting' | 'denied' | 'guided' | 'success' | 'error' | 'cancelled';
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
  readonly result: string | null;
};

export interface LedgerOptions {
  readonly name?: string;
  /** The oldest entry is dropped first. */
  readonly maxEntries?: number;
  readonly redact?: (tool: string, input: unknown) => Json;
  readonly resultCharacters?: number;
  readonly resetEachInvocation?: boolean;
}

/** The compiler sees that each is here. */
const OPTIONS: Readonly<Record<keyof LedgerOptions, OptionKind>> = {
  name: 'a text',
  maxEntries: true,
  redact: 'a function',
  resultCharacters: true,
  resetEachInvocation: 'true or false',
};

/** What the run has done so far, as steering sees it. */
export function toolLedger(options: LedgerOptions = {}): SteeringContextProvider {
  checkOptions('toolLedger', options, OPTIONS);
  const { name = 'ledger', maxEntries = 100, redact = redactSecrets, resultCharacters = 500 } = options;
  checkNumbers({ maxEntries, resultCharacters }, false);
  const change = (context: SteeringContext, update: (entries: readonly LedgerEntry[]) => readonly LedgerEntry[]) => {
    context.data.set(name, [...update(readLedger(context, name)).slice(-maxEntries)]);
  };
  return {
    callbacks: () => [
      contextCallback(BeforeInvocationEvent, (event, context) => {
        if (options.resetEachInvocation === true && !event.resumed) context.data.set(name, []);
      }),
      contextCallback(BeforeToolCallEvent, (event, context) => {
        const { name: tool, input } = event.effective();
        const entry: LedgerEntry = {
          key: keyOf(event),
          toolUseId: event.toolUse.toolUseId,
          tool,
          input: redact(tool, input),
          attempt: event.attempt,
          status: 'pending',
          startedAtMs: event.nowMs,
          endedAtMs: null,
          result: null,
        };
        change(context, (entries) => put(entries, entry));
      }),
      contextCallback(AfterToolCallEvent, (event, context) => {
        const end = {
          status: statusOf(event),
          endedAtMs: event.nowMs,
          result: textOf(event).slice(0, resultCharacters),
        };
        const key = keyOf(event);
        change(context, (entries) => entries.map((entry) => (entry.key === key ? { ...entry, ...end } : entry)));
      }),
      contextCallback(InterruptEvent, ({ interrupt }, context) => {
        change(context, (entries) =>
          entries.map((entry) =>
            entry.toolUseId === interrupt.toolUseId && entry.status === 'pending'
              ? { ...entry, status: 'waiting' }
              : entry,
          ),
        );
      }),
      contextCallback(AfterInvocationEvent, (event, context) => {
        if (event.error === undefined) return;
        change(context, (entries) =>
          entries.map((entry) => (entry.status === 'pending' ? { ...entry, status: 'cancelled' } : entry)),
        );
      }),
    ],
  };
}

/** A copy of the ledger, oldest entry first. */
export function readLedger({ data }: SteeringContext, name = 'ledger'): readonly LedgerEntry[] {
  const entries = data.get(name);
  // Only this file writes the list.
  return Array.isArray(entries) ? (entries as unknown as readonly LedgerEntry[]) : [];
}

/** Adds or replaces an entry. The same call after a pause keeps its entry. */
function put(entries: readonly LedgerEntry[], entry: LedgerEntry): readonly LedgerEntry[] {
  const known = entries.find(({ key }) => key === entry.key);
  if (known === undefined) return [...entries, entry];
  return entries.map((one) => (one === known ? { ...entry, startedAtMs: known.startedAtMs } : one));
}

function keyOf(event: BeforeToolCallEvent | AfterToolCallEvent): string {
  return JSON.stringify([event.turn, event.toolUse.toolUseId, event.attempt]);
}

function statusOf({ result, executed, refusal }: AfterToolCallEvent): LedgerEntry['status'] {
  if (executed) return result.status;
  switch (refusal) {
    case 'guided':
      return 'guided';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
      return 'error';
    default:
      return 'denied';
  }
}

function textOf({ result }: AfterToolCallEvent): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}
