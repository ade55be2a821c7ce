import type { WebClient } from '@slack/web-api';
import type { Account } from '../../app/authority/index.ts';
import { isJsonObject } from '../../app/json.ts';
import { createSharedWork } from '../../app/time/index.ts';
import { forMessage } from '../sender/index.ts';
import type { Workspace } from './workspaces.ts';

/**
 * Only this file compares the team of a person with that of a thread. Where the app is installed for a whole organisation,
 * threads carry the organisation, and Slack names people by the workspace they happen to be in.
 */
export interface SlackPerson {
  readonly team_id?: string | undefined;
  readonly enterprise_user?: { readonly enterprise_id?: string | undefined } | undefined;
}

/** The team of this person as threads of `team` would spell it; `undefined` when Slack does not say. */
export function teamOf(person: SlackPerson, team: string): string | undefined {
  return person.enterprise_user?.enterprise_id === team ? team : person.team_id;
}

export interface SlackAccount extends SlackPerson {
  readonly id?: string | undefined;
  readonly is_stranger?: boolean | undefined;
  readonly deleted?: boolean | undefined;
  readonly is_bot?: boolean | undefined;
  readonly is_restricted?: boolean | undefined;
  readonly is_ultra_restricted?: boolean | undefined;
}

/** What Slack says a person is in this team. Where Slack leaves a fact out, the person is unknown. */
export function accountOf(found: SlackAccount, team: string): Account {
  const home = teamOf(found, team);
  if (home === undefined) return 'unknown';
  if (found.is_stranger === true || home !== team) return 'outsider';
  if (found.deleted === true) return 'deactivated';
  if (found.is_bot === true || found.id === SLACKBOT) return 'bot';
  if (found.is_restricted === true || found.is_ultra_restricted === true) return 'guest';
  return found.is_bot === false && found.is_restricted === false ? 'person' : 'unknown';
}

const SLACKBOT = 'USLACKBOT';

/** The same for a person in a delivery. Slack is asked only where two ids can mean the same company. */
export async function spelledFor(
  { bot, client }: Workspace,
  { user, team }: { readonly user: string; readonly team: string },
  how: 'message' | 'press',
): Promise<string> {
  if (team === bot.team_id || bot.isOrganisation !== true) return team;
  const found = await lookUp(client, user, how);
  return found === undefined ? team : (teamOf(found, bot.team_id) ?? team);
}

type LookUps = ReturnType<typeof createSharedWork<SlackPerson | undefined>>;
const underWay = new WeakMap<WebClient, LookUps>();

/** A look-up joins one of the same person that is on its way, so that presses of one person stay in order. */
function lookUp(client: WebClient, user: string, how: 'message' | 'press'): Promise<SlackPerson | undefined> {
  const shared: LookUps = underWay.get(client) ?? createSharedWork();
  underWay.set(client, shared);
  // A press does not wait for the look-up of a message, which lets others go first.
  return shared(`${how} ${user}`, () =>
    client.users
      .info(how === 'message' ? forMessage({ user }) : { user })
      // A person whom Slack does not tell about keeps the team of the delivery, which is none of ours.
      .catch(() => ({ user: undefined }))
      .then((answer) => answer.user),
  );
}

/** The delivery, with the team of its person as threads of this workspace would spell it. */
export async function spelledAsOurs(workspace: Workspace, body: unknown): Promise<unknown> {
  if (!isJsonObject(body)) return body;
  if (isJsonObject(body.user) && typeof body.user.id === 'string' && body.user.team_id == null) {
    return { ...body, user: { ...body.user, team_id: await teamLookedUp(workspace, body.user.id) } };
  }
  if (workspace.bot.isOrganisation !== true) return body;
  const { user, user_id: typedBy, team_id: typedIn } = body;
  if (isJsonObject(user) && typeof user.id === 'string' && typeof user.team_id === 'string') {
    const team_id = await spelledFor(workspace, { user: user.id, team: user.team_id }, 'press');
    return { ...body, user: { ...user, team_id } };
  }
  if (typeof typedBy === 'string' && typeof typedIn === 'string') {
    return { ...body, team_id: await spelledFor(workspace, { user: typedBy, team: typedIn }, 'press') };
  }
  return body;
}

/** Where a delivery names no team of its person, Slack is asked before the person counts as a stranger. */
async function teamLookedUp({ bot, client }: Workspace, user: string): Promise<string | undefined> {
  const found = await lookUp(client, user, 'press');
  return found === undefined ? undefined : teamOf(found, bot.team_id);
}
