import type { ApiObject } from '../json.ts';
import type { State } from '../state.ts';
import { type Call, count, type Method, PlatformError, text } from './call.ts';

/** A token for a whole organisation does not say which of its workspaces is meant. */

const WANT_A_TEAM: ReadonlySet<string> = new Set(['usergroups.list', 'usergroups.users.list', 'users.list']);

export function checkTeam(state: State, method: string, { team_id: team }: ApiObject): void {
  if (state.organisation === undefined || !WANT_A_TEAM.has(method)) return;
  if (team === undefined || team === '') {
    throw new PlatformError('missing_argument', ['[ERROR] missing required field: team_id']);
  }
  if (!state.organisation.teams.includes(String(team))) throw new PlatformError('team_access_not_granted');
}

/** The workspace that a call is about. Where there is only one, naming it changes nothing. */
export function teamOfCall(call: Call): string {
  const { organisation, team } = call.state;
  return organisation === undefined ? team : (text(call, 'team_id') ?? team);
}

export const teamsList: Method = (call) => {
  const { organisation, team } = call.state;
  const teams = organisation?.teams ?? [team];
  return { teams: teams.slice(0, count(call, 'limit') ?? teams.length).map((id) => ({ id, name: id })) };
};
