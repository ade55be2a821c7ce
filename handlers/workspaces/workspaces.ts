import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import { systemClock } from '../../app/clock.ts';
import { errorText, type Log } from '../../app/log.ts';
import { NotInstalledError } from '../../app/surface.ts';
import type { Removed } from '../../app/workspaces/index.ts';
import type { BotPayload } from '../payloads/index.ts';
import { mayHaveArrived } from '../sender/index.ts';
import { type ClientAccess, createSlackClient, type SlackClient } from './client.ts';

/** One workspace that the app is installed in: who the bot is there, and the one client to speak there. */
export interface Workspace {
  readonly bot: BotPayload;
  readonly client: SlackClient;
}

/**
 * Where the app is installed. Finds the one workspace that a delivery or a thread belongs to. Nothing is sent to a
 * workspace that removed the app.
 */
export interface Workspaces {
  /** Rejects when Slack refuses the token or is out of reach. */
  readonly open: () => Promise<unknown>;
  /** By the team that its threads carry. */
  readonly of: (team: string) => Promise<Workspace | undefined>;
  /** The one that a delivery is for, where the configuration lets it in. */
  readonly ofDelivery: (body: unknown) => Promise<Workspace | undefined>;
  /** The teams that the app is installed in and the configuration lets in. */
  readonly installed: () => Promise<readonly string[]>;
  /** The team of a delivery that the configuration does not let in. */
  readonly unlisted: (body: unknown) => string | undefined;
  /** Forgets the token of a workspace that removed the app, and sends nothing more there. */
  readonly remove: (team: string, cause: string, toldAtS?: number) => Promise<Removed>;
  /** Sends what is owed, and gives up what only helps the eye. */
  readonly drain: () => Promise<void>;
}

export interface OneWorkspace extends Workspaces {
  readonly open: () => Promise<Workspace>;
}

/** The workspace of a bot token. Slack is asked for its team at the first use. */
export function createOneWorkspace(access: ClientAccess, log: Log): OneWorkspace {
  const client = createSlackClient(access, log);
  let found: Promise<Workspace & { readonly atMs: number }> | undefined;
  let removed = false;
  const find = (): NonNullable<typeof found> => {
    if (found !== undefined) return found;
    const asked = client.auth.test().then((answer) => ({ bot: readBot(answer), client, atMs: systemClock.now() }));
    found = asked;
    // A failure is not remembered. The caller gets it from `asked`.
    asked.catch(() => {
      found = undefined;
    });
    return asked;
  };
  return {
    open: () =>
      // Slack may refuse the token or be out of reach. The error says what to do.
      find().catch((error: unknown) => {
        throw whyNotOpen(error, client.slackApiUrl);
      }),
    of: async (team) => {
      const workspace = await find();
      return workspace.bot.team_id === team && !removed ? workspace : undefined;
    },
    ofDelivery: async () => {
      const workspace = await find();
      return removed ? undefined : workspace;
    },
    installed: async () => {
      const { bot } = await find();
      return removed ? [] : [bot.team_id];
    },
    // The one workspace is let in by its token.
    unlisted: () => undefined,
    remove: async (team, _cause, toldAtS = Number.POSITIVE_INFINITY) => {
      const { bot, atMs } = await find();
      if (bot.team_id !== team) return 'removed';
      // Slack took the token after the removal, so the event is about an earlier installation.
      if (Math.floor(atMs / 1_000) > toldAtS) return { installedAtMs: atMs };
      removed = true;
      client.sender.shut(new NotInstalledError(team));
      log.error('The app was uninstalled. Install it again, set the new SLACK_BOT_TOKEN, and restart.');
      return 'removed';
    },
    drain: client.sender.drain,
  };
}

/** Says what failed, why, and what to do, because a new deployment often gets this wrong. */
function whyNotOpen(error: unknown, apiUrl: string): Error {
  const why = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (mayHaveArrived(error)) {
    return new Error(
      `Slack cannot be reached at ${apiUrl} (${reasonOf(why)}). Check the network, its proxy and SLACK_API_URL, and start again.`,
      { cause: error },
    );
  }
  if (!(error instanceof WebAPIPlatformError)) return error instanceof Error ? error : new Error(errorText(error));
  return new Error(
    `Slack refuses SLACK_BOT_TOKEN (${error.data.error}). Copy the Bot User OAuth Token again, from Install App of the Slack app.`,
    { cause: error },
  );
}

/** The innermost cause knows more than “fetch failed”. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return errorText(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : errorText(error);
}

const Identity = z.object({
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string().optional(),
  enterprise_id: z.string().nullish(),
  is_enterprise_install: z.boolean().optional(),
});

function readBot(answer: unknown): BotPayload {
  const { enterprise_id, is_enterprise_install: isOrganisation = false, ...bot } = Identity.parse(answer);
  return { ...bot, isOrganisation, ...(isOrganisation && enterprise_id ? { team_id: enterprise_id } : {}) };
}

/** Makes something once for each workspace, and keeps it as long as the workspace. */
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
