import { ApprovalId, GrantId, RunId } from '../records/index.ts';
import { DUE, type DueItem } from './store.ts';

/** What has a time, as one word: `expiry:00a...`. */
export function dueWord({ what, subject }: DueItem): string {
  return `${what}:${subject}`;
}

/** Nothing for a word that no version of ours has written. */
export function readDueWord(word: string): DueItem | undefined {
  const [what = '', id = ''] = word.split(':');
  const subject = [ApprovalId, RunId, GrantId]
    .map((kind) => kind.safeParse(id).data)
    .find((found) => found !== undefined);
  if (subject === undefined) return undefined;
  const known = DUE.find((kind) => kind === what);
  return known === undefined ? undefined : { what: known, subject };
}
