import type { ApiObject } from './json.ts';

/**
 * A whole organisation that installed the app: several workspaces with people in common, for which there is one token. It
 * is named by an id that begins with E, and its first workspace is called alike.
 */
export interface Organisation {
  readonly id: string;
  readonly teams: readonly string[];
}

/** Where the app is installed. */
export interface InstalledApp {
  /** The id of the workspace. Everything else in it may be called the same elsewhere. */
  readonly team: string;
  /** Where the app is installed for several workspaces at once. */
  readonly organisation?: Organisation;
}

export const SECOND_TEAM = 'T0SECOND01';

/** The workspace in which things happen unless another one is named, and the organisation, if the app is in all of it. */
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
