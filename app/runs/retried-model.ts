import type { ModelFunction } from '../agent/ports.ts';
import { withRetry } from '../agent/retry.ts';
import type { AtStep } from '../step.ts';

export interface RetriedModelDeps {
  /** Asked once per attempt. */
  readonly model: ModelFunction;
  readonly modelAttempts: number;
  readonly step: AtStep;
}

/** Asks again where that may help. What was shown of an attempt that failed is part of no answer, and is taken back. */
export function retriedModel(deps: RetriedModelDeps, takeBack: () => void): ModelFunction {
  const asked = withRetry(deps.model, { attempts: deps.modelAttempts, onRetry: takeBack });
  return (request, context) => {
    const onText = (text: string) => {
      void deps.step('model-streaming');
      context.onText(text);
    };
    return asked(request, { ...context, onText });
  };
}
