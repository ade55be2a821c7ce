import { createAllPeople } from '../../handlers/thread/index.ts';
import { createManyWorkspaces, createOneWorkspace, type Workspaces } from '../../handlers/workspaces/index.ts';
import type { People } from '../authority/index.ts';
import { systemClock } from '../clock.ts';
import { EnvironmentError, readSlackAccess, readStoreAddress } from '../config/index.ts';
import type { Log } from '../log.ts';
import { createSecretBox } from '../secrets/index.ts';
import { openStore } from '../store/index.ts';
import { createInstallations, listOf } from '../workspaces/index.ts';

/** Slack as the commands see it: who its people are, and where the app is installed. */
export interface Live {
  readonly people: People;
  readonly teams: readonly string[];
  readonly close: () => Promise<void>;
}

export interface LiveSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which workspaces the configuration lets in. */
  readonly listed: readonly string[] | 'anybody' | undefined;
  readonly log: Log;
}

/** Opens Slack with the tokens that the bot uses. Nothing is written, neither there nor in the store. */
export async function openLive({ env, listed, log }: LiveSources): Promise<Live> {
  const { access, apiUrl } = readSlackAccess(env);
  const opened =
    access.type === 'one'
      ? { workspaces: createOneWorkspace({ botToken: access.botToken, apiUrl }, log), close: async () => {} }
      : await installed({ env, listed, log }, apiUrl);
  const { workspaces, close } = opened;
  await workspaces.open();
  const people = createAllPeople({ workspaces, log, elapsed: () => performance.now() });
  return { people, teams: await workspaces.installed(), close };
}

/** The workspaces that installed the app. Their tokens are in the store of the bot, which is only read. */
async function installed(
  { env, listed, log }: LiveSources,
  apiUrl: string | undefined,
): Promise<{ readonly workspaces: Workspaces; readonly close: () => Promise<void> }> {
  const { redisUrl, dataDir, dataKeys } = readStoreAddress(env);
  if (dataKeys === undefined)
    throw new EnvironmentError(['DATA_KEY is missing: the tokens of workspaces are encrypted.']);
  const secrets = createSecretBox(dataKeys);
  const store = await openStore({ redisUrl, dataDir, clock: systemClock, log, box: secrets, readOnly: true });
  const append = () => Promise.reject(new Error('A command that looks at Slack writes nothing into the store.'));
  // A token under an older key is read, and stays as it is.
  const box = { ...secrets, isOld: () => false };
  const installations = createInstallations({ store, journal: { append }, box, log });
  const teamOfApproval = async () => undefined;
  const isListed = listOf(listed);
  const workspaces = createManyWorkspaces({ installations, isListed, teamOfApproval, apiUrl, log });
  return { workspaces, close: () => store.close() };
}
