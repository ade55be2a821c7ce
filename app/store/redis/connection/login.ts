import { StoreSetupError } from '../../errors.ts';
import { isRefusedDatabase, type OnConnectionError } from './clients.ts';

/** Watches the first connection. Redis never accepts a wrong login or database, so waiting would only hide the cause. */
export interface FirstLogin {
  readonly onError: OnConnectionError;
  /** Resolves as the work of the start does. Rejects with `StoreSetupError` as soon as Redis refuses the login or the database. */
  readonly orRefused: <Value>(work: Promise<Value>) => Promise<Value>;
}

/** @param where the address without its login */
export function createFirstLogin(where: string): FirstLogin {
  let refuse: (error: StoreSetupError) => void = () => {};
  // It resolves with the error. A rejection before `orRefused` is called would end the process.
  const refused = new Promise<StoreSetupError>((resolve) => {
    refuse = resolve;
  });
  let starting = true;
  let isRefused = false;
  return {
    onError: (error) => {
      const why = starting ? refusalOf(error) : undefined;
      if (why === undefined) return isRefused;
      isRefused = true;
      refuse(new StoreSetupError(`Redis at ${where} refuses ${why}`, { cause: error }));
      return true;
    },
    orRefused: (work) =>
      Promise.race([work, refused.then((error) => Promise.reject(error))]).finally(() => {
        // A password that changes later is an outage, and the bot waits through it.
        starting = false;
      }),
  };
}

function refusalOf(error: unknown): string | undefined {
  if (isRefusedDatabase(error))
    return (
      `the database that REDIS_URL names (${error.message}). Write the number of a database that it has to the end of ` +
      'REDIS_URL, and let the user that it names use SELECT. An older version of the bot then worked in database 0, and its facts are there.'
    );
  const code = refusalIn(error);
  if (code === undefined) return undefined;
  return (
    `the login that REDIS_URL gives (${code}). Write the user name and the password that it wants into REDIS_URL: ` +
    'redis://user:password@host:6379/0.'
  );
}

/** The code that Redis gives for a login it refuses. A Cluster hands on the error of its last node. */
function refusalIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = /\b(?:WRONGPASS|NOAUTH|invalid password)\b/.exec(error.message)?.[0];
  if (code !== undefined) return code;
  return 'lastNodeError' in error ? refusalIn(error.lastNodeError) : undefined;
}
