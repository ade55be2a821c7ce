import { createHash } from 'node:crypto';
import { parseSync, Visitor } from 'rolldown/utils';
import { KINDS } from './kinds.ts';
import { shelter } from './sheltered.ts';

/** A change of one line that leaves a program which says something else. */
export interface Fault {
  /** `file:line:kind`, and `.2` for the second of a kind in one line. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly start: number;
  /** The line with this fault, by which it is known when lines before it come and go. */
  readonly reads: string;
}

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every fault that can be put into a text. */
export function faultsIn({ path, text }: Source): readonly Fault[] {
  const { program } = parseSync(path, text);
  const isSheltered = shelter(program, text);
  const ids = new Map<string, number>();
  const found: Fault[] = [];
  for (const [kind, offer] of Object.entries(KINDS)) {
    const put = (span: { readonly start: number; readonly end: number }, to: string): void => {
      const from = text.slice(span.start, span.end);
      if (from.includes('\n') || isSheltered(span)) return;
      const line = text.slice(0, span.start).split('\n').length;
      const place = `${path}:${line}:${kind}`;
      const nth = (ids.get(place) ?? 0) + 1;
      ids.set(place, nth);
      const fault = { id: nth === 1 ? place : `${place}.${nth}`, file: path, line, from, to, start: span.start };
      found.push({ ...fault, reads: withFault(fault, text).split('\n')[line - 1]?.trim() ?? '' });
    };
    new Visitor(offer(text, put)).visit(program);
  }
  return found;
}

export function withFault({ start, from, to }: Pick<Fault, 'start' | 'from' | 'to'>, text: string): string {
  return text.slice(0, start) + to + text.slice(start + from.length);
}

/**
 * As many faults as are wanted, at most one in a line. A seed orders them by what they say, so that a change elsewhere in
 * the sources leaves the choice as it is.
 */
export function choose(
  faults: readonly Fault[],
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Fault[] {
  // A line that a fault leaves empty says nothing: what stood there does.
  const order = ({ file, id, reads, from }: Fault): string =>
    createHash('sha256')
      .update(`${seed} ${file} ${id.slice(id.lastIndexOf(':'))} ${reads === ';' ? from : reads}`)
      .digest('hex');
  const lines = new Set<string>();
  return faults
    .map((fault) => ({ fault, key: order(fault) }))
    .sort((one, other) => one.key.localeCompare(other.key))
    .map(({ fault }) => fault)
    .filter(({ file, line }) => {
      const isNew = !lines.has(`${file}:${line}`);
      lines.add(`${file}:${line}`);
      return isNew;
    })
    .slice(0, count);
}
