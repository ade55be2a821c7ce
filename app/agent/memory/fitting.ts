import type { Message } from '../../../interventions/index.ts';
import { ModelError } from '../model/index.ts';
import type { ModelFunction, ModelRequest, Usage } from '../ports.ts';
import { type ConversationManager, proactiveThreshold, type ReductionContext } from './conversation.ts';
import { withoutPictures } from './pictures.ts';

/** The model of one invocation. It reads a shortened conversation if the whole is too long for it. */
export interface FittingModel {
  readonly model: ModelFunction;
  /** Shortens the conversation itself as often as a request was shortened, then calls `manage`. */
  readonly settle: (messages: readonly Message[], context: ReductionContext) => Promise<readonly Message[]>;
}

/** With more reductions than this in one invocation, the manager is going in circles. */
const REDUCTIONS = 200;

/** What replaces the beginning of a conversation in each further request of the invocation. */
interface Reduced {
  readonly original: readonly Message[];
  readonly kept: readonly Message[];
}

/**
 * Shows the model less when the request is too long for it, or holds a picture that it does not take, and asks again. When
 * nothing more can be left out, the error goes to the caller.
 */
export function fittingModel(
  model: ModelFunction,
  manager: ConversationManager,
  warn: (message: string) => void,
): FittingModel {
  const threshold = proactiveThreshold(manager.proactive);
  let reduced: Reduced | undefined;
  let reductions = 0;
  let full = false;

  async function less(request: ModelRequest, signal: AbortSignal): Promise<ModelRequest | undefined> {
    if (reductions >= REDUCTIONS) return undefined;
    const kept = await manager.reduce(request.messages, { signal, warn });
    if (kept === request.messages) return undefined;
    reductions += 1;
    return { ...request, messages: kept };
  }

  return {
    model: async (original, context) => {
      const { signal } = context;
      let request = { ...original, messages: replay(original.messages, reduced) };
      if (full) request = (await less(request, signal)) ?? request;
      for (;;) {
        try {
          const answer = await model(request, context);
          full = tokensOf(answer.usage) >= threshold;
          if (request.messages !== original.messages) reduced = { original: original.messages, kept: request.messages };
          return answer;
          // The provider may refuse a request for what is in it. It gets one with less; other failures go to the caller.
        } catch (error) {
          const kind = error instanceof ModelError ? error.kind : undefined;
          const smaller =
            kind === 'overflow' ? await less(request, signal) : kind === 'picture' ? seeingLess(request) : undefined;
          if (smaller === undefined) throw error;
          signal.throwIfAborted();
          request = smaller;
        }
      }
    },
    settle: async (messages, context) => {
      let kept = messages;
      for (let count = 0; count < reductions; count += 1) kept = await manager.reduce(kept, context);
      return manager.manage(kept, context);
    },
  };
}

/** Without it, a picture that the model does not take would end every later run of its thread. */
function seeingLess(request: ModelRequest): ModelRequest | undefined {
  const messages = withoutPictures(request.messages);
  return messages === request.messages ? undefined : { ...request, messages };
}

/** Replaces the same beginning again, if the conversation still begins with it. */
function replay(messages: readonly Message[], reduced: Reduced | undefined): readonly Message[] {
  if (reduced === undefined) return messages;
  const { original, kept } = reduced;
  const same = original.every((message, index) => message.content === messages[index]?.content);
  return same ? [...kept, ...messages.slice(original.length)] : messages;
}

function tokensOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
