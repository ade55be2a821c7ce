import type { Log } from '../../app/log.ts';
import { readRemoved, readToldAt } from '../payloads/index.ts';
import type { Workspaces } from '../workspaces/index.ts';

export interface DoorLeavingDeps {
  readonly workspaces: Pick<Workspaces, 'of' | 'remove'>;
  /** Stops what runs in a workspace that removed the app, and ends every trust there. */
  readonly left: (team: string) => Promise<void>;
  readonly log: Log;
}

/**
 * Forgets a workspace that removed the app. It is called before the delivery is acknowledged, so Slack delivers it again
 * if the process dies in the middle. Every step may therefore be done twice.
 */
export async function leaveWorkspace({ workspaces, left, log }: DoorLeavingDeps, body: unknown, cause: string) {
  const teams = readRemoved(body);
  const installed = await Promise.all(teams.map(async (team) => (await workspaces.of(team)) !== undefined));
  // At a second delivery none of them is installed any more, and the steps below still have to be done.
  const team = teams[Math.max(0, installed.indexOf(true))];
  if (team === undefined) return;
  if ((await workspaces.remove(team, cause, readToldAt(body))) === 'newer') {
    log.warn('A delivery was not acted on', { why: 'the app was installed again since', team, cause });
    return;
  }
  log.warn('The app was removed from a workspace', { team, cause });
  await left(team);
}
