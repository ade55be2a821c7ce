import { type Press, sentence } from '../responding/index.ts';
import { upload } from '../thread/index.ts';
import { ANSWERS, inputFile, inputModal, messageModal } from '../views/index.ts';
import type { DecisionDeps } from './decisions.ts';

const UPLOAD_MS = 30_000;

/** Somebody wants to search in a long input: they get it as a file, in their own conversation with the app. */
export async function onInputFile(
  { approvals, client, log }: DecisionDeps,
  { about: approvalId, by, place }: Press<'approval_input_file'>,
): Promise<void> {
  const { id, page } = place;
  const approval = await approvals.find(approvalId);
  if (approval === undefined) {
    await client.views.update({ view_id: id, view: messageModal(sentence(ANSWERS.inputGone)) });
    return;
  }
  const send = async (): Promise<void> => {
    const { channel } = await client.conversations.open({ users: by.user });
    if (channel?.id === undefined) throw new Error('Slack opened no conversation.');
    const signal = AbortSignal.timeout(UPLOAD_MS);
    await upload(client, { channel: channel.id }, { ...inputFile(approval), signal });
  };
  const news = await send().then(
    () => SENT,
    (error: unknown) => {
      log.warn('An input could not be sent as a file', { approval: approvalId, error });
      return NOT_SENT;
    },
  );
  await client.views.update({ view_id: id, view: inputModal(approval, page, news) });
}

const SENT = 'It is in your messages with me, as a file. Approve stands on the last page here.';
const NOT_SENT = 'The file could not be sent. Press again to try once more, or read on page by page.';
