export type ModelErrorKind =
  | 'throttled'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'cut'
  | 'overflow'
  | 'refused'
  | 'auth'
  | 'picture'
  | 'bad-request';

/** A model call without an answer. The message is for people: it holds no key, no input and no words of the provider. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** How long the provider asked callers to wait. */
  readonly retryAfterMs: number | undefined;
  /** What the provider said, and its id for this request. For the log only: it may quote the request. */
  readonly detail: string | undefined;

  constructor(
    kind: ModelErrorKind,
    more: {
      readonly retryAfterMs?: number | undefined;
      readonly detail?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(SENTENCES[kind], more.cause === undefined ? {} : { cause: more.cause });
    this.kind = kind;
    this.retryAfterMs = more.retryAfterMs;
    this.detail = more.detail;
  }
}

const SENTENCES: Readonly<Record<ModelErrorKind, string>> = {
  throttled:
    'The model takes no more questions from this bot just now: its limit is used up. Try again in a few minutes.',
  overloaded: 'The model is overloaded just now. Try again in a few minutes.',
  server: 'The model cannot be reached, or has a problem of its own. Try again in a few minutes.',
  timeout: 'The model did not answer in time. Try again in a few minutes.',
  cut: 'The answer of the model broke off half-way. Try again in a few minutes.',
  overflow: 'This thread has become too long for the model. Start a new one to go on.',
  refused: 'The model does not answer this. Ask in other words, or for something else.',
  auth: 'The model does not accept this bot. The person who runs it needs to check the name of the model, the API key and its account.',
  picture: 'The model does not take a picture or a PDF in this thread. Start a new one to go on.',
  'bad-request':
    'The model could not make sense of what this bot sent. The person who runs it finds the reason in the log.',
};
