import type { ModelFunction } from '../../agent/index.ts';
import { withRetry } from '../../agent/model/index.ts';
import type { Log } from '../../log.ts';
import type { RunId } from '../../records/index.ts';
import type { AtStep } from '../../step.ts';

export interface RetriedModelDeps {
  /** Called once per attempt. */
  readonly model: ModelFunction;
  readonly modelAttempts: number;
  readonly log: Log;
  readonly step: AtStep;
}

/** Asks the model again where that may help. The text shown of a failed attempt belongs to no answer, so it is taken back. */
export function retriedModel(deps: RetriedModelDeps, run: RunId, takeBack: () => void): ModelFunction {
  const asked = withRetry(deps.model, {
    attempts: deps.modelAttempts,
    onRetry: ({ error, attempt, delayMs }) => {
      deps.log.info('The model did not answer and is asked again.', { run, attempt, inMs: Math.round(delayMs), error });
      takeBack();
    },
  });
  return (request, context) => {
    const onText = (text: string) => {
      void deps.step('model-streaming');
      context.onText(text);
    };
    return asked(request, { ...context, onText });
  };
}
