import type { WebClient } from '@slack/web-api';
import { accountOf } from '../workspaces/index.ts';

/**
 * Says why this person may not give trust: only a full member of this workspace may. A message does not always say where
 * its writer belongs, so Slack is asked. Without an answer the person may not.
 */
export async function whyNotMember(
  client: WebClient,
  { user, team }: { readonly user: string; readonly team: string },
): Promise<string | undefined> {
  // Slack may not answer. The person is unknown then, and is told to try again.
  const { user: found } = await client.users.info({ user }).catch(() => ({ user: undefined }));
  switch (found === undefined ? 'unknown' : accountOf({ ...found, id: user }, team)) {
    case 'person':
      return undefined;
    case 'missing':
    case 'unknown':
      return 'I could not find out who you are, so nothing was changed. Try again.';
    case 'outsider':
      return 'You belong to another workspace, so you cannot give trust here. Nothing was changed.';
    case 'guest':
    case 'bot':
    case 'deactivated':
      return 'Only a full member of this workspace can give trust. Nothing was changed.';
  }
}
