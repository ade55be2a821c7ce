import type { Message } from '../../../interventions/index.ts';

/** The model ran into its output limit. What it had said is here, and nothing of it was acted upon. */
export class ModelOutputLimitError extends Error {
  override readonly name = 'ModelOutputLimitError';
  readonly partial: Message;

  constructor(partial: Message) {
    super('The model stopped at its output limit before it was done. Raise the limit, or ask for less at once.');
    this.partial = partial;
  }
}
