import { WebAPIPlatformError } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import { refusalIn } from './errors.ts';

/** Writes into the log what a person has to mend: a bug of the bot, and a workspace that keeps the bot out. */
export interface RefusalLog {
  readonly refused: (method: string, error: unknown) => void;
  /** Slack took a call of this method, so a later refusal is news. */
  readonly taken: (method: string) => void;
}

export function createRefusalLog(log: Log): RefusalLog {
  const shut = new Map<string, string>();
  return {
    taken: (method) => void shut.delete(method),
    refused: (method, error) => {
      const { code = '', meaning } = refusalIn(error) ?? {};
      if (meaning === 'ours') log.error(OURS, { method, code, problems: problemsOf(error) });
      if (meaning !== 'workspace' || method === ASKS_FOR_IT || shut.get(method) === code) return;
      shut.set(method, code);
      log.error(SHUT, { method, code });
    },
  };
}

/** Its caller wants to know whether Slack takes the token, and says what to do. */
const ASKS_FOR_IT = 'auth.test';

const OURS = 'Slack cannot read a call of the bot. This is a bug of the bot: please report it with this line.';
const SHUT =
  'Slack refuses a method in this workspace until a person acts: ask its administrators, or install the app again.';

/** Slack says which part of a call it cannot read. */
function problemsOf(error: unknown): readonly string[] {
  return error instanceof WebAPIPlatformError ? (error.data.response_metadata?.messages ?? []) : [];
}
