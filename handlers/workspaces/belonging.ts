import type { WebClient } from '@slack/web-api';
import type { Account } from '../../app/authority/index.ts';
import type { Workspace } from './workspaces.ts';

/**
 * The one place where the team of a person is compared with that of a thread. Where the app is installed for a whole
 * organisation, threads carry the organisation, and Slack names people by the workspace they happen to be in.
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

/** What Slack says a person is in this team. A fact that Slack leaves out is not guessed: the person is unknown then. */
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

/** The same from what stands in a delivery. Slack is asked only where two ids can mean the same company. */
export async function spelledFor(
  { bot, client }: Workspace,
  { user, team }: { readonly user: string; readonly team: string },
): Promise<string> {
  if (team === bot.team_id || bot.isOrganisation !== true) return team;
  const found = await lookUp(client, user);
  return found === undefined ? team : (teamOf(found, bot.team_id) ?? team);
}

const underWay = new WeakMap<WebClient, Map<string, Promise<SlackPerson | undefined>>>();

/** Who asks while an answer is on its way gets that one: no press overtakes an earlier one of the same person here. */
function lookUp(client: WebClient, user: string): Promise<SlackPerson | undefined> {
  const asked = underWay.get(client) ?? new Map<string, Promise<SlackPerson | undefined>>();
  underWay.set(client, asked);
  const known = asked.get(user);
  if (known !== undefined) return known;
  const asking = client.users
    .info({ user })
    // Whoever cannot be found out about belongs to where they say, and so to none of ours.
    .then(
      (answer) => answer.user,
      () => undefined,
    )
    .finally(() => asked.delete(user));
  asked.set(user, asking);
  return asking;
}

/** A delivery in which the person belongs to the team that our threads carry, if they do. */
export async function spelledAsOurs(workspace: Workspace, body: unknown): Promise<unknown> {
  if (!isRecord(body)) return body;
  if (isRecord(body.user) && typeof body.user.id === 'string' && body.user.team_id == null) {
    return { ...body, user: { ...body.user, team_id: await teamLookedUp(workspace, body.user.id) } };
  }
  if (workspace.bot.isOrganisation !== true) return body;
  const { user, user_id: typedBy, team_id: typedIn } = body;
  if (isRecord(user) && typeof user.id === 'string' && typeof user.team_id === 'string') {
    const team_id = await spelledFor(workspace, { user: user.id, team: user.team_id });
    return { ...body, user: { ...user, team_id } };
  }
  if (typeof typedBy === 'string' && typeof typedIn === 'string') {
    return { ...body, team_id: await spelledFor(workspace, { user: typedBy, team: typedIn }) };
  }
  return body;
}

/** A delivery that names no team says nothing about its person, so Slack is asked before anybody is called a stranger. */
async function teamLookedUp({ bot, client }: Workspace, user: string): Promise<string | undefined> {
  const found = await lookUp(client, user);
  return found === undefined ? undefined : teamOf(found, bot.team_id);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
