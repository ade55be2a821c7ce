import type { WebClient } from '@slack/web-api';
import { teamOf } from './belonging.ts';

/**
 * Giving trust takes a full member of our own workspace. A message does not always say where its writer belongs, so
 * Slack is asked; whatever cannot be found out means no.
 */
export async function whyNotMember(
  client: WebClient,
  { user, team }: { readonly user: string; readonly team: string },
): Promise<string | undefined> {
  const { user: found } = await client.users.info({ user }).catch(() => ({ user: undefined }));
  const home = found && teamOf(found, team);
  if (found === undefined || home === undefined)
    return 'I could not find out who you are, so nothing was changed. Try again.';
  if (home !== team) return 'You belong to another workspace, so you cannot give trust here. Nothing was changed.';
  if (found.deleted || found.is_bot || found.is_restricted || found.is_ultra_restricted) {
    return 'Only a full member of this workspace can give trust. Nothing was changed.';
  }
  return undefined;
}
