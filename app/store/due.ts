import { ApprovalId, GrantId, RunId } from '../records.ts';
import type { DueItem } from './store.ts';

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
  if (what !== 'expiry' && what !== 'reminder' && what !== 'retention') return undefined;
  return { what, subject };
}
