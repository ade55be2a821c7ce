import type { Approval } from '../../app/records/index.ts';
import { inTurns } from '../../app/time/index.ts';
import { type Press, sentence, showIn } from '../responding/index.ts';
import { upload } from '../thread/index.ts';
import { ANSWERS, inputFile, inputModalInSteps, messageModal } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';

const UPLOAD_MS = 30_000;

/** Sends a long input as a file, for a person to search in it, in that person's own conversation with the app. */
export async function onInputFile(
  deps: DecisionDeps,
  { about: approvalId, by, place }: Press<'approval_input_file'>,
): Promise<void> {
  const { approvals, client, log } = deps;
  const { id, page } = place;
  const approval = await approvals.find(approvalId);
  if (approval === undefined) return showIn(deps, { id }, messageModal(sentence(ANSWERS.inputGone)));
  const send = async (): Promise<string> => {
    const { channel } = await client.conversations.open({ users: by.user });
    if (channel?.id === undefined)
      throw new Error('Slack opened no conversation, so the file was not sent. Press the button again.');
    const signal = AbortSignal.timeout(UPLOAD_MS);
    const file = await inTurns(inputFile(approval));
    const sent = await upload(client, { channel: channel.id }, { ...file, signal });
    return 'known' in sent ? MAY_BE_SENT : sentNews(approval);
  };
  const news = await send().catch((error: unknown) => {
    log.warn('An input could not be sent as a file', { approval: approvalId, error });
    return NOT_SENT;
  });
  await showIn(deps, { id }, await inTurns(inputModalInSteps(approval, page, news)));
}

function sentNews({ status, wants, secondFactor }: Approval): string {
  const hasApprove = status === 'pending' && wants === undefined && secondFactor !== true;
  return `It is in your messages with me, as a file.${hasApprove ? ' Approve is on the last page here.' : ''}`;
}

const MAY_BE_SENT = 'The file may be in your messages with me already. Look there before you press again.';
const NOT_SENT = 'The file could not be sent. Press again to try once more, or read on page by page.';
