import { ApprovalId, RunId, TrustId } from '../records/index.ts';

export const DUE = ['expiry', 'notice', 'reminder', 'escalation', 'retention', 'trust-end'] as const;

/** Something that becomes due. `subject` is an approval, a run or a trust. */
export interface DueItem {
  readonly what: (typeof DUE)[number];
  readonly subject: ApprovalId | RunId | TrustId;
}

/** A due item as one word, for example `expiry:00a...`. */
export function dueWord({ what, subject }: DueItem): string {
  return `${what}:${subject}`;
}

/** Returns `undefined` for a word that this version does not know. */
export function readDueWord(word: string): DueItem | undefined {
  const [what = '', id = ''] = word.split(':');
  const subject = [ApprovalId, RunId, TrustId]
    .map((kind) => kind.safeParse(id).data)
    .find((found) => found !== undefined);
  if (subject === undefined) return undefined;
  const known = DUE.find((kind) => kind === what);
  return known === undefined ? undefined : { what: known, subject };
}
