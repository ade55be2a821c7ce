import type { Log } from '../../app/log.ts';
import { readRemoved, readToldAt } from '../payloads/index.ts';
import type { Workspaces } from '../workspaces/index.ts';

export interface DoorLeavingDeps {
  readonly workspaces: Pick<Workspaces, 'of' | 'remove'>;
  /** Stops what runs in a workspace that removed the app, and ends every trust there: of before `installedAtMs`, if it is given. */
  readonly left: (team: string, installedAtMs?: number) => Promise<void>;
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
  const removed = await workspaces.remove(team, cause, readToldAt(body));
  if (removed === 'removed') {
    log.warn('The app was removed from a workspace', { team, cause });
    await left(team);
  } else {
    log.warn('The app was removed from a workspace, and installed again since', { team, cause });
    // Slack's clock may differ from the store's. Between a removal and the next installation nothing is given.
    await left(team, removed.installedAtMs);
  }
}
