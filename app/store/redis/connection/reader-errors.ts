import { errorText } from '../../../log.ts';
import { StoreSetupError, StoreUnavailableError } from '../../errors.ts';
import { isAboutCertificate, NAME_AUTHORITY, type OnConnectionError } from './clients.ts';
import { AT_A_TERMINAL } from './link.ts';

/** Keeps the last error of a connection for the one sentence that a reader ends with, in place of a warning in the log. */
export interface ReaderErrors {
  readonly onError: OnConnectionError;
  /** The sentence for the person at the terminal. Other errors stay as they are. */
  readonly inOneSentence: (error: unknown) => unknown;
}

export function createReaderErrors(where: string): ReaderErrors {
  let last: string | undefined;
  return {
    onError: (error) => {
      last = wordOf(error);
      return true;
    },
    inOneSentence: (error) => {
      if (!(error instanceof StoreUnavailableError) || error instanceof StoreSetupError) return error;
      const why = last ?? 'it takes connections and says nothing';
      const toDo = isAboutCertificate(why)
        ? `Node refuses its certificate. ${NAME_AUTHORITY}`
        : 'See that it runs, and that REDIS_URL is that of the bot.';
      return new StoreSetupError(
        `Redis at ${where} gave no answer for ${AT_A_TERMINAL.totalMs / 1000} seconds (${why}). ${toDo}`,
        { cause: error },
      );
    },
  };
}

/** An address with several numbers fails with an error without a message. */
function wordOf(error: unknown): string {
  const hasCode = error instanceof Error && error.message === '' && 'code' in error;
  return hasCode ? String(error.code) : errorText(error);
}
