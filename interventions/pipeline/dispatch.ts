import type { InterventionEvent } from '../hooks/events.ts';
import { callEach, collectInterrupts, HOOK_ORDER, type HookRegistry } from '../hooks/hooks.ts';
import { shown } from '../hooks/shown.ts';
import type { Settled } from '../human-in-the-loop/ask-parts.ts';
import type { GuidanceCaps } from './guidance.ts';
import type { Interrupt } from './interrupt.ts';
import type { Pipeline } from './pipeline.ts';
import { applyVerdict, type Noted, PROCEED, questionsOf, type Ruling } from './ruling.ts';

export interface Dispatched {
  readonly verdict: Ruling;
  /** Questions raised by callbacks and handlers themselves. */
  readonly interrupts: readonly Interrupt[];
}

export interface DispatchParts {
  readonly hooks: HookRegistry;
  readonly pipeline: Pipeline;
  readonly caps: GuidanceCaps;
  readonly settle?: (noted: Noted) => Promise<Settled>;
}

/**
 * Passes one event through callbacks and handlers. Before-events reach handlers after the callbacks of default order,
 * after-events before them. After the handlers a tool call is sealed: later callbacks can only cancel it. If later
 * callbacks change another event that people will be asked about, the handlers judge it again first. What a handler stopped, no
 * callback lets go on.
 */
export async function dispatch(event: InterventionEvent, parts: DispatchParts): Promise<Dispatched> {
  const isEarlier = isBeforeHandlers(event);
  const earlier = parts.hooks.getCallbacksFor(event, isEarlier);
  const later = parts.hooks.getCallbacksFor(event, (order) => !isEarlier(order));
  if (earlier.length === 0 && later.length === 0 && !parts.pipeline.listens(event)) {
    if (event.type === 'beforeToolCall') event.seal();
    return NOTHING_HEARD;
  }
  // A misspelt member, such as `cancelled`, throws. Passed over, the call would run.
  Object.preventExtensions(event);
  const collector = collectInterrupts();
  if (earlier.length > 0) await callEach(earlier, event, collector);
  const consult = async (): Promise<Ruling> => {
    try {
      const verdict = parts.caps.cap(event, await parts.pipeline.consult(event, parts.settle));
      applyVerdict(event, verdict);
      return verdict;
      // A handler may raise a question, which is collected. Any other failure is thrown again.
    } catch (error) {
      collector.take(error);
      return PROCEED;
    }
  };
  let verdict = await consult();
  if (event.type === 'beforeToolCall') event.seal();
  const asks = event.type !== 'beforeToolCall' && questionsOf(verdict).length > 0;
  const before = asks ? shown(event) : undefined;
  if (later.length > 0) await callEach(later, event, collector);
  if (before !== undefined && before !== shown(event)) verdict = await consult();
  const canStop = event.type === 'beforeInvocation' || event.type === 'beforeModelCall';
  if (canStop && event.cancel === false) applyVerdict(event, verdict);
  return { verdict, interrupts: collector.finish() };
}

/** No callback or handler is asked about the event. */
const NOTHING_HEARD: Dispatched = Object.freeze({ verdict: PROCEED, interrupts: [] });

function isBeforeHandlers({ type }: InterventionEvent): (order: number) => boolean {
  return type.startsWith('before')
    ? (order) => order < HOOK_ORDER.interventionInput
    : (order) => order <= HOOK_ORDER.interventionOutput;
}
