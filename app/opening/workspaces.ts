import { installRoutes, type Route } from '../../handlers/door/index.ts';
import { createManyWorkspaces, createOneWorkspace, type Workspaces } from '../../handlers/workspaces/index.ts';
import type { Environment } from '../config/index.ts';
import type { Log } from '../log.ts';
import { createWorkspaceJournal } from '../recorder/index.ts';
import type { ApprovalId } from '../records/index.ts';
import { createSigner, type SecretBox } from '../secrets/index.ts';
import type { Owner, Store } from '../store/index.ts';
import { createInstallations, type IsListed } from '../workspaces/index.ts';
import type { LateParts } from './late.ts';

export interface WorkspacesParts {
  readonly environment: Environment;
  readonly isListed: IsListed;
  readonly box: SecretBox | undefined;
  readonly entryId: () => string;
  readonly late: () => Pick<LateParts, 'core'>;
  readonly log: Log;
}

export interface OpenedWorkspaces {
  readonly workspaces: Workspaces;
  /** The pages where people install the app. None with a bot token, which is for one workspace. */
  readonly installPages: readonly Route[];
}

export interface OpeningWorkspaces {
  /** Asks Slack whose a bot token is. */
  readonly owner: () => Promise<Owner>;
  /** `failFast` is the store of installations. It fails soon, because a delivery waits for it. */
  readonly over: (failFast: Store) => OpenedWorkspaces;
}

/** Opens the one workspace of the bot token, or all workspaces that install the app. Nothing is sent to Slack yet. */
export function openWorkspaces(parts: WorkspacesParts): OpeningWorkspaces {
  const { slack, redisUrl } = parts.environment;
  const { access, apiUrl } = slack;
  if (access.type === 'many') {
    const { clientId } = access;
    return { owner: async () => ({ clientId }), over: (failFast) => openMany({ ...parts, failFast }, access) };
  }
  const isAlone = redisUrl === undefined;
  const workspaces = createOneWorkspace({ botToken: access.botToken, apiUrl, isAlone }, parts.log);
  const owner = async (): Promise<Owner> => {
    const { bot } = await workspaces.open();
    return { team: bot.team_id, user: bot.user_id };
  };
  return { owner, over: () => ({ workspaces, installPages: [] }) };
}

type ManyAccess = Extract<Environment['slack']['access'], { readonly type: 'many' }>;

function openMany(
  { environment, isListed, failFast, box, entryId, late, log }: WorkspacesParts & { readonly failFast: Store },
  access: ManyAccess,
): OpenedWorkspaces {
  const { publicUrl, dataKeys } = environment;
  const { apiUrl } = environment.slack;
  if (box === undefined) throw new Error('Tokens of workspaces are kept only encrypted. Set DATA_KEY.');
  const journal = createWorkspaceJournal({ store: failFast, entryId, sign: dataKeys && createSigner(dataKeys).sign });
  const installations = createInstallations({ store: failFast, journal, box, log });
  const keep: typeof installations.keep = async (installation) => {
    await installations.keep(installation);
    // The person at the page does not wait for this.
    void late().core.returned(installation.team);
  };
  const teamOfApproval = async (id: ApprovalId): Promise<string | undefined> => {
    const { approvals } = late().core;
    const found = (await approvals.find(id)) ?? (await approvals.findList(id));
    return found?.thread.team;
  };
  return {
    workspaces: createManyWorkspaces({
      installations,
      isListed,
      teamOfApproval,
      apiUrl,
      isAlone: failFast.isExclusive,
      log,
    }),
    installPages: installRoutes({ ...access, publicUrl, apiUrl }, { keep, isListed }, log),
  };
}
