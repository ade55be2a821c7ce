import type { ApiObject } from './json.ts';

/**
 * A whole organisation that installed the app: several workspaces with the same people, and one token. Its id begins with
 * E. Its first workspace has the same id with a T.
 */
export interface Organisation {
  readonly id: string;
  readonly teams: readonly string[];
}

/** Where the app is installed. */
export interface InstalledApp {
  /** The id of the workspace. Only this id is different in every workspace. */
  readonly team: string;
  /** Where the app is installed for several workspaces at once. */
  readonly organisation?: Organisation;
}

export const SECOND_TEAM = 'T0SECOND01';

/** The workspace in which things happen unless a call names another one, and its organisation, if the app is in all of it. */
export function installedIn(id: string): InstalledApp {
  if (!id.startsWith('E')) return { team: id };
  const team = id.replace('E', 'T');
  return { team, organisation: { id, teams: [team, SECOND_TEAM] } };
}

/** Where the app is installed, by the id that Slack gave with the token. */
export function installationIdOf({ team, organisation }: InstalledApp): string {
  return organisation?.id ?? team;
}

export function isHere({ team, organisation }: InstalledApp, id: string): boolean {
  return organisation === undefined ? id === team : organisation.teams.includes(id);
}

/** Where an interaction was made. */
export function placeOnWire({ team, organisation }: InstalledApp): ApiObject {
  const name = 'Demo organisation';
  return organisation === undefined
    ? { team: { id: team, domain: 'demo' }, enterprise: null, is_enterprise_install: false }
    : {
        team: { id: team, domain: 'demo', enterprise_id: organisation.id, enterprise_name: name },
        enterprise: { id: organisation.id, name },
        is_enterprise_install: true,
      };
}
