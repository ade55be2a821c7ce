import { installRoutes, type Route } from '../../handlers/door/index.ts';
import { createManyWorkspaces, createOneWorkspace, type Workspaces } from '../../handlers/workspaces/index.ts';
import type { Environment } from '../config/index.ts';
import type { Log } from '../log.ts';
import { createWorkspaceJournal } from '../recorder/index.ts';
import type { ApprovalId } from '../records/index.ts';
import { createSigner, type SecretBox } from '../secrets/index.ts';
import type { Store } from '../store/index.ts';
import { createInstallations, type IsListed } from '../workspaces/index.ts';
import type { LateParts } from './late.ts';

export interface WorkspacesParts {
  readonly environment: Environment;
  readonly isListed: IsListed;
  /** The store of installations. It fails soon, because a delivery waits for it. */
  readonly failFast: Store;
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

/** Opens the one workspace of the bot token, or all workspaces that install the app. Nothing is sent to Slack yet. */
export function openWorkspaces(parts: WorkspacesParts): OpenedWorkspaces {
  const { access, apiUrl } = parts.environment.slack;
  if (access.type === 'many') return openMany(parts, access);
  const { isExclusive: isAlone } = parts.failFast;
  return {
    workspaces: createOneWorkspace({ botToken: access.botToken, apiUrl, isAlone }, parts.log),
    installPages: [],
  };
}

type ManyAccess = Extract<Environment['slack']['access'], { readonly type: 'many' }>;

function openMany(
  { environment, isListed, failFast, box, entryId, late, log }: WorkspacesParts,
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
      ...{ installations, isListed, teamOfApproval, apiUrl, log },
      isAlone: failFast.isExclusive,
    }),
    installPages: installRoutes({ ...access, publicUrl, apiUrl }, { keep, isListed }, log),
  };
}
