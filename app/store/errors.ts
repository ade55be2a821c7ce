/** The store gave no answer in time, or refuses to write. The request may have taken effect; repeating it is safe. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The bot cannot use the store as it is set up, or would break a promise on it. The bot does not start, and one that runs waits. */
export class StoreSetupError extends StoreUnavailableError {
  override readonly name = 'StoreSetupError';
}

/** Throws an error again unless it means that the store refuses to write, or is away: then the bot waits for the store. */
export function waitedFor(error: unknown): StoreUnavailableError {
  if (error instanceof StoreUnavailableError && !(error instanceof StoreSetupError)) return error;
  throw error;
}
