import type { Json } from './messages.ts';

/** What an answer comes to. Everything that is not plainly an approval keeps the call from running. */
export type Settlement =
  | {
      readonly type: 'approved';
      /** The person changed the input: this runs, or nothing does. */
      readonly editedInput?: Json;
      readonly approver?: string;
      /** Called once every question about the call is approved, so that a refused call leaves no trust behind. */
      readonly remember?: () => void;
    }
  | {
      readonly type: 'refused';
      readonly because: RefusalCause;
      /** What the model reads. */
      readonly text: string;
      readonly approver?: string;
    }
  /** A person's words are the result; the tool does not run. */
  | { readonly type: 'answered'; readonly text: string; readonly approver?: string }
  /** Not one of the answers: the question stays open and the one who answered is told. */
  | { readonly type: 'invalid'; readonly problem: string }
  /** One of several approvals that are needed. */
  | { readonly type: 'more'; readonly approval: Json; readonly missing: number };

/** Why a call did not run. The model is told the true one. */
export type RefusalCause = 'person' | 'expired' | 'cancelled' | 'dismissed' | 'invalid' | 'changed';

export const APPROVED: Settlement = Object.freeze({ type: 'approved' });

export function refusedByPerson(comment?: string, approver?: string): Settlement {
  const words =
    comment === undefined || comment.trim() === '' ? '' : ` Their words, quoted: ${JSON.stringify(comment)}`;
  return refused('person', `CONFIRMATION_FAILED: A person refused this tool call.${words}`, approver);
}

export function expired(): Settlement {
  return refused(
    'expired',
    'EXPIRED: Nobody answered in time, so this tool call did not run. This is not a refusal: no person has decided.',
  );
}

export function cancelled(cause?: string): Settlement {
  const words = cause === undefined || cause.trim() === '' ? '' : ` Cause, quoted: ${JSON.stringify(cause)}`;
  return refused('cancelled', `CANCELLED: The question was withdrawn, so this tool call did not run.${words}`);
}

export function dismissed(tool: string): Settlement {
  return refused(
    'dismissed',
    `DENIED: The approval callback gave no response for the tool ${JSON.stringify(tool)}, which counts as a no.`,
  );
}

/** What was asked about is not what would run now. */
export function changed(): Settlement {
  return refused('changed', CHANGED);
}

export const CHANGED =
  'DENIED: This tool call changed after a person was asked about it, so it did not run. Nobody approved it as it is now.';

export function refused(because: RefusalCause, text: string, approver?: string): Settlement {
  return { type: 'refused', because, text, ...(approver === undefined ? {} : { approver }) };
}
