import { crc32 } from 'node:zlib';

/** A picture, and how long it is shown. */
export interface Frame {
  readonly png: Buffer;
  readonly ms: number;
}

const SIGNATURE_BYTES = 8;

/** Joins pictures of one size into an animated PNG: the first is one of an ordinary PNG, the others follow in chunks of their own. */
export function moving(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('There is no picture. The walk has to take one.');
  const header = chunksOf(first.png).find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0);
  let sequence = 0;
  const parts = frames.flatMap(({ png, ms }, index) => {
    const chunks = chunksOf(png);
    if (chunks.find(({ type }) => type === 'IHDR')?.data.equals(header) !== true) {
      throw new Error('Two pictures have another size or kind. Take all of them from one page.');
    }
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence, 0);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(ms, 20);
    control.writeUInt16BE(1000, 22);
    sequence += 1;
    const data = chunks.flatMap((chunk) => (chunk.type === 'IDAT' ? [chunk.data] : []));
    if (index === 0) return [chunk('fcTL', control), ...data.map((part) => chunk('IDAT', part))];
    return [chunk('fcTL', control), ...data.map((part) => chunk('fdAT', Buffer.concat([numbered(sequence++), part])))];
  });
  const animation = Buffer.concat([numbered(frames.length), numbered(0)]);
  const whole = [chunk('IHDR', header), chunk('acTL', animation), ...parts, chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([first.png.subarray(0, SIGNATURE_BYTES), ...whole]);
}

function chunksOf(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const chunks: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbered(data.length), named, numbered(crc32(named))]);
}

function numbered(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
