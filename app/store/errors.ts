/** The store gave no answer in time, or refuses to write. What was asked may have happened or not; asking the same again is safe. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** How the store is set up would break a promise, so the bot does not start on it. */
export class StoreSetupError extends Error {
  override readonly name = 'StoreSetupError';
}
