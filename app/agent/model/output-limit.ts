import type { Message } from '../../../interventions/index.ts';

/** The model reached its output limit. `partial` is what it had said. No tool call in it was run. */
export class ModelOutputLimitError extends Error {
  override readonly name = 'ModelOutputLimitError';
  readonly partial: Message;

  constructor(partial: Message) {
    super('The model stopped at its output limit before it was done. Raise the limit, or ask for less at once.');
    this.partial = partial;
  }
}
