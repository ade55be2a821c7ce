import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import type { ThreadReach } from '../../app/tools/index.ts';
import { mayHaveArrived, untilAborted } from '../sender/index.ts';

/** Puts a text into a conversation as a file, in Slack's three steps: get an address, send the text there, share the file. */
export async function upload(
  client: WebClient,
  to: { readonly channel: string; readonly ts?: string },
  { name, content, signal }: { readonly name: string; readonly content: string; readonly signal: AbortSignal },
): ReturnType<ThreadReach['upload']> {
  signal.throwIfAborted();
  const address = await client.files.getUploadURLExternal({
    filename: name,
    length: new TextEncoder().encode(content).byteLength,
  });
  if (address.upload_url === undefined || address.file_id === undefined) {
    throw new Error('Slack gave no address for the file, so nothing was uploaded. Try again later.');
  }
  const sent = await fetch(address.upload_url, { method: 'POST', body: content, signal });
  if (!sent.ok)
    throw new Error(`Slack did not take the file (HTTP ${sent.status}). Nothing was uploaded. Try again later.`);
  const share = client.files.completeUploadExternal(
    untilAborted(
      { files: [{ id: address.file_id, title: name }], channel_id: to.channel, ...given({ thread_ts: to.ts }) },
      signal,
    ),
  );
  return share.then(
    ({ files }) => ({ link: files?.[0]?.permalink }),
    (error: unknown) => {
      if (!mayHaveArrived(error)) throw error;
      return { known: 'Slack has the file, and its answer to the request to share it was lost.' };
    },
  );
}
