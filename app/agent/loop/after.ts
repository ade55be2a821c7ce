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

/** What a tool call came to, before anybody has had a second look at it. */
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
  readonly look: {
    readonly toolUse: { readonly toolUseId: string };
    readonly attempt: number;
    readonly resumed: boolean;
  };
}

/** Before-events whose After has been told. */
const TOLD = new WeakSet<BeforeToolCallEvent>();

/** With a place people can be asked about the result. */
export function afterEvent(run: Run, { event, look }: Moment, end: ToolEnd, place?: Place): AfterToolCallEvent {
  TOLD.add(event);
  const after: AfterToolCallEvent = new AfterToolCallEvent(run.context(look.resumed), {
    toolUse: event.toolUse,
    selectedTool: event.selectedTool,
    attempt: look.attempt,
    ...end,
    ...given({ interrupt: place && run.book.raiser(place, { digest: () => run.momentDigest(after) }) }),
  });
  return after;
}

export async function tellAfter(run: Run, moment: Moment, error: unknown): Promise<void> {
  if (TOLD.has(moment.event)) return;
  const result = errorResult(moment.look.toolUse.toolUseId, CANCELLED);
  const after = afterEvent(run, moment, { result, executed: false, error, refusal: 'cancelled' });
  if (run.signal.aborted) await run.close(after);
  else await run.tell(after);
}

/** Nothing starts from here on. The pair of Before and After is completed; nothing the After asks for is honoured. */
export async function giveUp(run: Run, moment: Moment, error: unknown): Promise<void> {
  run.abort(error);
  await tellAfter(run, moment, error);
}
