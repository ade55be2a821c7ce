import type { Json } from './messages.ts';

/**
 * A model that judges. It gets instructions and data, has no history, and answers with data of the given shape. Must
 * reject when it cannot answer, and when the signal is aborted.
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
