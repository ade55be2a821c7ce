import type { Log } from '../../app/log.ts';
import type { InboxMessage } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import type { Asker } from '../../app/who-may-ask.ts';
import { forMessage } from '../sender/index.ts';
import { ANSWERS, type Mrkdwn } from '../views/index.ts';
import type { Workspaces } from '../workspaces/index.ts';
import { sentence, whisper, writerOf } from './tell.ts';

export interface WhoAsksDeps {
  readonly asker: Asker;
  readonly runs: Pick<Runs, 'once'>;
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly log: Log;
}

/** Says why the agent is not given this message, and tells its author once in a thread. A bot is not told. */
export type WhyNotHeard = (message: InboxMessage) => Promise<string | undefined>;

export function createWhyNotHeard({ asker, runs, workspaces, log }: WhoAsksDeps): WhyNotHeard {
  const tell = async (message: InboxMessage, words: Mrkdwn): Promise<void> => {
    const workspace = await workspaces.of(message.thread.team);
    if (workspace !== undefined) await whisper(workspace.client, writerOf(message), forMessage(sentence(words)));
  };
  const tellOnce = async (message: InboxMessage, key: string, words: Mrkdwn): Promise<void> => {
    if (!(await runs.once(message.thread, key))) return;
    // Slack may refuse the whisper. The message is not heard either way.
    tell(message, words).catch((error: unknown) =>
      log.warn('The author of a message was not told that it is not heard', { by: message.user, error }),
    );
  };

  return async (message) => {
    switch (await asker.may(message, 'message')) {
      case 'yes':
        return undefined;
      case 'silent':
        return 'a message of a bot';
      case 'no':
        await tellOnce(message, `may-not-ask:${message.user}`, ANSWERS.mayNotAsk);
        return 'a message of a person who may not ask';
      case 'unknown':
        await tellOnce(message, `who-asks:${message.ts}`, ANSWERS.askerUnknown);
        return 'a message of a person whom Slack does not tell about';
    }
  };
}

/** The same for a request by a button or a form: the words to answer with, or nothing when the person may ask. */
export async function whyMayNotAsk(asker: Asker, by: Parameters<Asker['may']>[0]): Promise<Mrkdwn | undefined> {
  const right = await asker.may(by, 'press');
  if (right === 'yes') return undefined;
  return right === 'unknown' ? ANSWERS.askerUnknown : ANSWERS.mayNotAsk;
}
