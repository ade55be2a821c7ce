import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { turnsByLength } from '../../time/index.ts';

/** The text of a request, written block by block: pictures make it long, and other work has its turn between them. */
export async function bodyOf({ messages, ...rest }: MessageCreateParamsStreaming): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const turnAfter = turnsByLength();
  const write = async (json: string): Promise<void> => {
    pieces.push(Buffer.from(json));
    await turnAfter(json.length);
  };
  await write(`${JSON.stringify(rest).slice(0, -1)},"messages":[`);
  for (const [index, { role, content }] of messages.entries()) {
    await write(`${index === 0 ? '' : ','}{"role":${JSON.stringify(role)},"content":[`);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    for (const [at, block] of blocks.entries()) await write(`${at === 0 ? '' : ','}${JSON.stringify(block)}`);
    await write(']}');
  }
  await write(']}');
  return Buffer.concat(pieces);
}
