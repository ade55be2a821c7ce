import { App, type Receiver } from '@slack/bolt';
import type { Log } from '../../app/log.ts';
import { fetchInTime } from '../responding/index.ts';
import { clientOptions, slackLogger } from '../workspaces/index.ts';
import type { Door } from './door.ts';

export interface BoltAppDeps {
  readonly receiver: Receiver;
  readonly door: Pick<Door, 'inFrontOf'>;
  readonly apiUrl: string | undefined;
  readonly log: Log;
}

/** The Bolt app, with the door between the receiver and Bolt. */
export function createBoltApp({ receiver, door, apiUrl, log }: BoltAppDeps): App {
  return new App({
    receiver: { ...receiver, init: (app) => receiver.init(door.inFrontOf(app)) },
    // Bolt gets no token: it would share one client among workspaces, and look the token up before it acknowledges.
    // The door works out the workspace of a delivery and which messages are the bot's own.
    authorize: async () => ({}),
    ignoreSelf: false,
    clientOptions: { ...clientOptions(apiUrl, log), fetch: fetchInTime },
    logger: slackLogger(log),
    extendedErrorHandler: true,
    convoStore: false,
  });
}
