import { given } from '../copy.ts';
import type { Json } from '../messages.ts';

/** What an answer means. Everything but a plain approval keeps the call from running. */
export type Settlement =
  | {
      readonly type: 'approved';
      /** The person changed the input. Only this input may run. */
      readonly editedInput?: Json;
      readonly approver?: string;
      /** Called once all questions about the call are approved, so that a refused call leaves no trust behind. */
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
  /** Not one of the expected answers: the question stays open, and its giver is told. */
  | { readonly type: 'invalid'; readonly problem: string }
  /** One of several approvals that are needed. */
  | { readonly type: 'more'; readonly approval: Json; readonly missing: number };

/** Why a call did not run. The model is told this reason. */
export type RefusalCause = 'person' | 'expired' | 'cancelled' | 'dismissed' | 'invalid' | 'changed';

/** What people were asked about. A refusal must be true of it: a call whose result is withheld has run. */
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

export const APPROVED: Settlement = Object.freeze({ type: 'approved' });

export function refusedByPerson(comment?: string, approver?: string, subject: Subject = 'toolCall'): Settlement {
  const words =
    comment === undefined || comment.trim() === '' ? '' : ` Their words, quoted: ${JSON.stringify(comment)}`;
  return refused('person', `CONFIRMATION_FAILED: ${REFUSED[subject]}${words}`, approver);
}

export function expired(subject: Subject = 'toolCall'): Settlement {
  return refused(
    'expired',
    `EXPIRED: Nobody answered in time, ${CONSEQUENCE[subject]}. This is not a refusal: no person has decided.`,
  );
}

export function cancelled(cause?: string, subject: Subject = 'toolCall'): Settlement {
  const words = cause === undefined || cause.trim() === '' ? '' : ` Cause, quoted: ${JSON.stringify(cause)}`;
  return refused('cancelled', `CANCELLED: The question was withdrawn, ${CONSEQUENCE[subject]}.${words}`);
}

export function dismissed(tool: string | undefined, subject: Subject = 'toolCall'): Settlement {
  const about = tool === undefined ? '' : ` for the tool ${JSON.stringify(tool)}`;
  return refused(
    'dismissed',
    `DENIED: The approval callback gave no response${about}, which counts as a no${subject === 'toolCall' ? '' : `, ${CONSEQUENCE[subject]}`}.`,
  );
}

/** Refuses because no answer counted, however often people were asked. */
export function unsettled(subject: Subject = 'toolCall'): Settlement {
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
