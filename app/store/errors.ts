/** The store gave no answer in time, or refuses to write. The request may have taken effect; repeating it is safe. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The setup of the store would break a promise of the bot, so the bot does not start on it. */
export class StoreSetupError extends Error {
  override readonly name = 'StoreSetupError';
}
