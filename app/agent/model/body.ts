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
  await write(`${textOf(rest).slice(0, -1)},"messages":[`);
  for (const [index, { role, content }] of messages.entries()) {
    await write(`${index === 0 ? '' : ','}{"role":${JSON.stringify(role)},"content":[`);
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    for (const [at, block] of blocks.entries()) await write(`${at === 0 ? '' : ','}${textOf(block)}`);
    await write(']}');
  }
  await write(']}');
  return Buffer.concat(pieces);
}

/** JSON in which half characters are replaced, such as the end of a text that a tool cut inside an emoji. The provider refuses a request with one. */
function textOf(value: object): string {
  const json = JSON.stringify(value);
  return json.includes(HALF_CHARACTER) ? JSON.stringify(wellFormed(value)) : json;
}

/** JSON writes a half character as its number, so that only few texts are looked through. */
const HALF_CHARACTER = '\\ud';

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
