import type { Log } from '../app/log.ts';
import { createSlackClient, type SlackAccess, type SlackClient } from './client.ts';
import { Bot } from './parse.ts';

/** One workspace that the app is installed in: who we are there, and the one way to speak there. */
export interface Workspace {
  readonly bot: Bot;
  readonly client: SlackClient;
}

/**
 * Where the app is installed. Whoever answers a delivery or writes to a thread knows one workspace only; which one is
 * found out here, and nothing is sent where the app is not installed any more.
 */
export interface Workspaces {
  /** Rejects when Slack refuses us. */
  readonly open: () => Promise<void>;
  /** By the team that its threads carry. */
  readonly of: (team: string) => Promise<Workspace | undefined>;
  /** The one that a delivery is for. */
  readonly ofDelivery: (body: unknown) => Promise<Workspace | undefined>;
  /** Sends what is owed, and gives up what only helps the eye. */
  readonly drain: () => Promise<void>;
}

/** The workspace of a bot token. What its team is called is asked when somebody first needs it. */
export function createOneWorkspace(access: SlackAccess, log: Log): Workspaces {
  const client = createSlackClient(access, log);
  let found: Promise<Workspace> | undefined;
  const find = (): Promise<Workspace> => {
    if (found !== undefined) return found;
    const asked = client.auth.test().then((answer) => ({ bot: Bot.parse(answer), client }));
    found = asked;
    asked.catch(() => {
      found = undefined;
    });
    return asked;
  };
  return {
    open: async () => void (await find()),
    of: async (team) => {
      const workspace = await find();
      return workspace.bot.team_id === team ? workspace : undefined;
    },
    ofDelivery: find,
    drain: client.sender.drain,
  };
}

/** Something is meant for a workspace in which the app is not installed, or not any more. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';

  constructor(team: string) {
    super(`The app is not installed in ${team}, so nothing was sent there. Install it again to go on.`);
  }
}

/** What is made once for each workspace, and kept as long as it is. */
export function perWorkspace<Made>(make: (workspace: Workspace) => Made): (workspace: Workspace) => Made {
  const made = new WeakMap<Workspace, Made>();
  return (workspace) => {
    const known = made.get(workspace);
    if (known !== undefined) return known;
    const fresh = make(workspace);
    made.set(workspace, fresh);
    return fresh;
  };
}
