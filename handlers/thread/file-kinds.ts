/** Tells what a file is from its content, because its name can say anything. */

export interface FileKind {
  readonly is: 'picture' | 'document' | 'text';
  readonly mediaType: string;
}

const SIGNS: readonly (readonly [FileKind['is'], string, (content: Uint8Array) => boolean])[] = [
  ['picture', 'image/png', begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['picture', 'image/jpeg', begins(0xff, 0xd8, 0xff)],
  ['picture', 'image/gif', begins(...letters('GIF8'))],
  [
    'picture',
    'image/webp',
    (content) => begins(...letters('RIFF'))(content) && begins(...letters('WEBP'))(content.subarray(8)),
  ],
  ['document', 'application/pdf', begins(...letters('%PDF-'))],
];

/** `undefined` for what is neither a picture, nor a PDF, nor text that can be read. */
export function kindOf(content: Uint8Array): FileKind | undefined {
  for (const [is, mediaType, fits] of SIGNS) if (fits(content)) return { is, mediaType };
  return isText(content) ? { is: 'text', mediaType: 'text/plain' } : undefined;
}

/** Does it begin like a web page? */
export function looksLikePage(content: Uint8Array): boolean {
  const start = Buffer.from(content.subarray(0, 200)).toString('latin1').trimStart().toLowerCase();
  return start.startsWith('<!doctype html') || start.startsWith('<html');
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trim() !== '';
    // A decoder throws on bytes that are no UTF-8.
  } catch {
    return false;
  }
}

function begins(...signs: readonly number[]): (content: Uint8Array) => boolean {
  return (content) => signs.every((sign, at) => content[at] === sign);
}

function letters(text: string): readonly number[] {
  return [...Buffer.from(text, 'latin1')];
}
