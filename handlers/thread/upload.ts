import type { WebClient } from '@slack/web-api';
import { given } from '../../app/given.ts';
import { untilAborted } from '../sender/index.ts';

/** Puts a text into a conversation as a file, in Slack's three steps: get an address, send the text there, share the file. */
export async function upload(
  client: WebClient,
  to: { readonly channel: string; readonly ts?: string },
  { name, content, signal }: { readonly name: string; readonly content: string; readonly signal: AbortSignal },
): Promise<{ readonly link: string | undefined }> {
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
  const { files } = await client.files.completeUploadExternal(
    untilAborted(
      { files: [{ id: address.file_id, title: name }], channel_id: to.channel, ...given({ thread_ts: to.ts }) },
      signal,
    ),
  );
  return { link: files?.[0]?.permalink };
}
