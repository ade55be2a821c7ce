import { quoted } from '../canonical.ts';
import { given } from '../copy.ts';
import type { Json } from '../messages.ts';

/** What an answer means. Only `approved` lets the call run. */
export type Settlement =
  | {
      readonly type: 'approved';
      /** The person changed the input. Only this input may run. */
      readonly editedInput?: Json;
      readonly approver?: string;
      /** Stores a trust. Called after all questions about the call are approved, so a refused call stores none. */
      readonly remember?: () => void;
    }
  | {
      readonly type: 'refused';
      readonly because: RefusalCause;
      /** What the model reads. */
      readonly text: string;
      readonly approver?: string;
    }
  /** The person's words are the result, and the tool does not run. */
  | { readonly type: 'answered'; readonly text: string; readonly approver?: string }
  /** The answer does not count, and `problem` says why. The question stays open. */
  | { readonly type: 'invalid'; readonly problem: string }
  /** One of several approvals that are needed. */
  | { readonly type: 'more'; readonly approval: Json; readonly missing: number };

/** Why the call, or its result, is refused. `text` says the same to the model. */
export type RefusalCause = 'person' | 'expired' | 'cancelled' | 'dismissed' | 'invalid' | 'changed';

/** What people were asked about. The text of a refusal depends on it: a call whose result is withheld has run. */
export type Subject = 'toolCall' | 'toolResult' | 'invocation' | 'modelCall';

const REFUSED: Readonly<Record<Subject, string>> = {
  toolCall: 'A person refused this tool call.',
  toolResult: 'This tool call ran, and a person withheld its result.',
  invocation: 'A person refused this message, so nothing was begun.',
  modelCall: 'A person refused this model call, so the model was not asked.',
};

const CONSEQUENCE: Readonly<Record<Subject, string>> = {
  toolCall: 'so this tool call did not run',
  toolResult: 'so the result of this tool call is withheld, although it ran',
  invocation: 'so nothing was begun',
  modelCall: 'so the model was not asked',
};

export function refusedByPerson(comment?: string, approver?: string, subject: Subject = 'toolCall'): Settlement {
  const words = comment === undefined || comment.trim() === '' ? '' : ` Their words, quoted: ${quoted(comment)}`;
  return refused('person', `CONFIRMATION_FAILED: ${REFUSED[subject]}${words}`, approver);
}

export function expired(subject: Subject = 'toolCall'): Settlement {
  return refused(
    'expired',
    `EXPIRED: Nobody answered in time, ${CONSEQUENCE[subject]}. This is not a refusal: no person has decided.`,
  );
}

export function cancelled(cause?: string, subject: Subject = 'toolCall'): Settlement {
  const words = cause === undefined || cause.trim() === '' ? '' : ` Cause, quoted: ${quoted(cause)}`;
  return refused('cancelled', `CANCELLED: The question was withdrawn, ${CONSEQUENCE[subject]}.${words}`);
}

export function dismissed(tool: string | undefined, subject: Subject): Settlement {
  const about = tool === undefined ? '' : ` for the tool ${JSON.stringify(tool)}`;
  return refused(
    'dismissed',
    `DENIED: The approval callback gave no response${about}, which counts as a no${subject === 'toolCall' ? '' : `, ${CONSEQUENCE[subject]}`}.`,
  );
}

/** Refuses because people gave too many answers that do not count. */
export function unsettled(subject: Subject): Settlement {
  return refused('invalid', `DENIED: No answer that counts was given, ${CONSEQUENCE[subject]}.`);
}

/** Refuses because the call changed after people were asked. */
export function changed(): Settlement {
  return refused('changed', CHANGED);
}

export const CHANGED =
  'DENIED: This tool call changed after a person was asked about it, so it did not run. No person approved it as it is now.';

export function refused(because: RefusalCause, text: string, approver?: string): Settlement {
  return { type: 'refused', because, text, ...given({ approver }) };
}
