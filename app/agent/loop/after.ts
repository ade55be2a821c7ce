import {
  AfterToolCallEvent,
  type BeforeToolCallEvent,
  type HandlerReaction,
  type Place,
  type Refusal,
  type ToolResultBlock,
} from '../../../interventions/index.ts';
import { given } from '../../given.ts';
import { errorResult } from '../transcript.ts';
import type { Run } from './run.ts';
import { CANCELLED } from './stop.ts';

export const CANCELLED_BY_HOOK = 'tool call denied by hook';

/** The end of a tool call, before callbacks and handlers judge its result. */
export interface ToolEnd {
  readonly result: ToolResultBlock;
  readonly executed: boolean;
  readonly error?: unknown;
  readonly refusal?: Refusal;
  readonly reactions?: readonly HandlerReaction[];
}

/** One evaluation of one call. */
export interface Moment {
  readonly event: BeforeToolCallEvent;
  readonly evaluation: {
    readonly toolUse: { readonly toolUseId: string };
    readonly tryNumber: number;
    readonly resumed: boolean;
  };
}

/** Before-events whose After-event has been told. */
const TOLD = new WeakSet<BeforeToolCallEvent>();

/** Makes the After-event. With a `place`, handlers can ask people about the result. */
export function afterEvent(run: Run, { event, evaluation }: Moment, end: ToolEnd, place?: Place): AfterToolCallEvent {
  TOLD.add(event);
  const after: AfterToolCallEvent = new AfterToolCallEvent(run.context(evaluation.resumed), {
    toolUse: event.toolUse,
    selectedTool: event.selectedTool,
    attempt: evaluation.tryNumber,
    ...end,
    ...given({ interrupt: place && run.book.raiser(place, { digest: () => run.momentDigest(after) }) }),
  });
  return after;
}

export async function tellAfter(run: Run, moment: Moment, error: unknown): Promise<void> {
  if (TOLD.has(moment.event)) return;
  const result = errorResult(moment.evaluation.toolUse.toolUseId, CANCELLED);
  const after = afterEvent(run, moment, { result, executed: false, error, refusal: 'cancelled' });
  if (run.signal.aborted) await run.close(after);
  else await run.tell(after);
}

/** Stops the run: nothing starts any more. Completes the pair of Before and After, and ignores what the After asks for. */
export async function giveUp(run: Run, moment: Moment, error: unknown): Promise<void> {
  run.abort(error);
  await tellAfter(run, moment, error);
}
