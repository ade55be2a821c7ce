/** The store gave no answer in time, or refuses to write. The request may have taken effect; repeating it is safe. */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/** The bot cannot use the store as it is set up, or would break a promise on it. The bot does not start, and one that runs waits. */
export class StoreSetupError extends StoreUnavailableError {
  override readonly name = 'StoreSetupError';
}
