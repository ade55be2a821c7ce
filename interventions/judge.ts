import type { Json } from './messages.ts';

/**
 * A model that judges: it is given instructions and data, shares no history with anybody, and answers with data of
 * this shape. Must reject when it cannot, and when the signal is aborted.
 */
export type Judge = (request: JudgeRequest) => Promise<unknown>;

export interface JudgeRequest {
  /** Fixed for a handler, so that a provider can cache it. */
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the answer. */
  readonly schema: Json;
  readonly signal: AbortSignal;
  readonly maxTokens: number;
}
