/** What JSON can hold. Everything that is stored, shown or digested is made of this. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** A model's private reasoning. Kept with its signature, because the provider wants it back unchanged. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

/** The model asks for a tool. */
export interface ToolUseBlock {
  readonly type: 'toolUse';
  readonly toolUseId: string;
  readonly name: string;
  readonly input: Json;
}

/** What the model is told of a tool call. There is exactly one for each request. */
export interface ToolResultBlock {
  readonly type: 'toolResult';
  readonly toolUseId: string;
  readonly status: 'success' | 'error';
  readonly content: readonly (TextBlock | MediaBlock)[];
}

export interface MediaBlock {
  readonly type: 'image' | 'document';
  readonly mediaType: string;
  readonly base64: string;
  readonly name?: string;
}

/** A block that only the provider understands. It is kept and sent back unchanged. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly value: Json;
}

export type ContentBlock = TextBlock | ThinkingBlock | ToolUseBlock | ToolResultBlock | MediaBlock | OpaqueBlock;

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
  /** Set when an intervention wrote this, not a person or the model. Its text is advice, not speech. */
  readonly origin?: 'guidance' | 'intervention';
}

export type StopReason =
  | 'endTurn'
  | 'toolUse'
  | 'maxTokens'
  | 'stopSequence'
  | 'contentFiltered'
  | 'guardrailIntervened'
  | 'pauseTurn'
  | 'refusal'
  | 'contextWindowExceeded'
  | 'interrupt'
  | 'cancelled'
  | 'limitTurns'
  | 'limitTotalTokens'
  | 'limitOutputTokens';
