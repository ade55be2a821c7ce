import { defaultEvaluate } from '../actions.ts';
import { isAlmostJson } from '../app-state.ts';
import { given } from '../copy.ts';
import { InterventionError } from '../errors.ts';
import type { Json } from '../messages.ts';
import type { Profile } from '../pipeline/profile.ts';
import { DECISIONS, isOneOf } from '../pipeline/resume.ts';
import { cancelled, expired, refused, refusedByPerson, type Settlement, type Subject } from '../pipeline/settlement.ts';
import { isPromise } from '../time.ts';

/** An answer that says who decided, why, and what should run instead. */
export interface AnswerEnvelope {
  readonly decision: (typeof DECISIONS)[number];
  readonly approver?: string;
  readonly comment?: string;
  readonly editedInput?: Json;
  /** For the caller's own records. It decides nothing. */
  readonly at?: string | number;
}

export interface AnswerRules {
  readonly evaluate: (response: Json) => boolean;
  readonly prompt: string;
  readonly profile: Profile;
  /** The answers that count. Absent: the usual words, or any when `evaluate` is not the default. */
  readonly answers?: readonly Json[] | undefined;
  /** Default: a tool call. */
  readonly subject?: Subject;
  /** What an answer of trust means here. Absent: nothing special. */
  readonly trust?: {
    readonly means: (response: Json) => boolean;
    /** Whether `means` is a function of the deployment. */
    readonly own?: boolean;
    readonly remember: (approver?: string) => void;
  };
}

/** Reads an answer. Only a plain yes approves. An answer that is not understood decides nothing. */
export function readAnswer(response: Json, rules: AnswerRules): Settlement {
  const envelope = asEnvelope(response);
  if (envelope !== undefined) return readEnvelope(response, envelope, rules);
  const strict = rules.profile !== 'reference';
  // Only the answers that are listed count, also for the functions that judge.
  if (strict && rules.answers !== undefined && !isOneOf(response, rules.answers)) return notAnAnswer(response);
  if (rules.trust?.means(response) === true) {
    const { remember } = rules.trust;
    return { type: 'approved', remember: () => remember() };
  }
  if (isYes(response, rules)) return { type: 'approved' };
  if (!strict) return refused('person', `CONFIRMATION_FAILED: ${rules.prompt}`);
  // A function of the program has judged every other answer.
  const usual = rules.answers === undefined && rules.evaluate === defaultEvaluate;
  if (usual && !isOneOf(response, USUAL_ANSWERS)) return notAnAnswer(response);
  return refusedByPerson(undefined, undefined, rules.subject);
}

function readEnvelope(response: Json, envelope: AnswerEnvelope, rules: AnswerRules): Settlement {
  const { approver, comment } = envelope;
  const problem = misread(response, envelope, rules);
  if (problem !== undefined) return { type: 'invalid', problem };
  const approved: Settlement = {
    type: 'approved',
    ...given({ approver, editedInput: envelope.editedInput }),
  };
  switch (envelope.decision) {
    case 'approve':
      // The deployment judges answers with its own function, and an envelope must not bypass it.
      if (!passes(response, rules)) return refusedByPerson(comment, approver, rules.subject);
      return approved;
    case 'trust': {
      if (rules.trust === undefined) return refusedByPerson(comment, approver, rules.subject);
      // Trust would cover the input that the person has just changed.
      if (envelope.editedInput !== undefined)
        return { type: 'invalid', problem: 'An edited input cannot be trusted. Approve it, or trust what was asked.' };
      const { means, own = false, remember } = rules.trust;
      const counts = own ? means(response) === true : passes(response, rules);
      if (!counts) return refusedByPerson(comment, approver, rules.subject);
      return { ...approved, remember: () => remember(approver) };
    }
    case 'deny':
      return refusedByPerson(comment, approver, rules.subject);
    case 'expired':
      return expired(rules.subject);
    case 'cancelled':
      return cancelled(comment, rules.subject);
    case 'answered':
      if (comment === undefined) return { type: 'invalid', problem: 'An answer in words needs a comment.' };
      return { type: 'answered', text: comment, ...given({ approver }) };
    default:
      return {
        type: 'invalid',
        problem: `${JSON.stringify(envelope.decision)} is not a decision. The decisions are ${DECISIONS.join(', ')}.`,
      };
  }
}

/**
 * What of a yes would be passed over: a misspelt `editedInput` would let the call run as it was. With its own function for judging
 * answers or trust, a deployment may put more into what that function reads.
 */
function misread(response: Json, { decision }: AnswerEnvelope, { evaluate, trust }: AnswerRules): string | undefined {
  if (decision !== 'approve' && decision !== 'trust') return undefined;
  const judged = evaluate !== defaultEvaluate || (decision === 'trust' && trust?.own === true);
  const odd = Object.entries(response ?? {}).find(([name, value]) => {
    if (name === 'approver' || name === 'comment') return value !== undefined && typeof value !== 'string';
    return !judged && !ENVELOPE.has(name);
  });
  if (odd === undefined) return undefined;
  return `The member ${odd[0]} of an answer is not understood. Its members are ${[...ENVELOPE].join(', ')}; approver and comment are texts.`;
}

const ENVELOPE: ReadonlySet<string> = new Set<keyof AnswerEnvelope>([
  'decision',
  'approver',
  'comment',
  'editedInput',
  'at',
]);

/** Whether the deployment's own function for judging, if it has one, takes this for a yes. */
function passes(response: Json, { evaluate }: AnswerRules): boolean {
  return evaluate === defaultEvaluate || isYes(response, { evaluate });
}

/** Only `true` is a yes. A promise is neither a yes nor a no of a person. */
function isYes(response: Json, { evaluate }: Pick<AnswerRules, 'evaluate'>): boolean {
  const judged: unknown = evaluate(response);
  if (!isPromise(judged)) return judged === true;
  // A promise that fails later fails alone.
  void Promise.allSettled([judged]);
  throw new InterventionError(
    'evaluate() returned a promise, which says neither yes nor no. Return true or false, and await nothing.',
  );
}

function asEnvelope(response: Json): AnswerEnvelope | undefined {
  if (typeof response !== 'object' || response === null || !('decision' in response)) return undefined;
  const { decision, approver, comment, editedInput } = response;
  if (typeof decision !== 'string') return undefined;
  return {
    // An unknown decision is kept here, and refused in `readEnvelope`.
    decision: decision as AnswerEnvelope['decision'],
    ...(typeof approver === 'string' ? { approver } : {}),
    ...(typeof comment === 'string' ? { comment } : {}),
    ...given({ editedInput }),
  };
}

const SETTLEMENTS: Readonly<Record<Settlement['type'], true>> = {
  approved: true,
  refused: true,
  answered: true,
  invalid: true,
  more: true,
};

/** Refuses what is no settlement, such as the promise of an async function: it says neither yes nor no. */
export function asSettlement(made: Settlement): Settlement {
  if (typeof made !== 'object' || made === null || !Object.hasOwn(SETTLEMENTS, made.type)) {
    // A promise that fails later fails alone.
    void Promise.allSettled([made]);
    throw new InterventionError(
      "settle() returned no settlement. Return { type: 'approved' }, { type: 'refused', … } or another one, and no promise.",
    );
  }
  if (made.type !== 'approved' || made.editedInput === undefined || isAlmostJson(made.editedInput)) return made;
  throw new InterventionError('settle() returned an edited input that JSON cannot hold. Return plain data.');
}

/** Settles an answer that was known beforehand, which cannot be asked for again. */
export function settledOrRefused(settlement: Settlement): Settlement {
  if (settlement.type !== 'invalid' && settlement.type !== 'more') return settlement;
  return refused('invalid', 'DENIED: The answer that was given beforehand does not count.');
}

/** The words that count by default. `t` is understood everywhere; where trust is not offered, it is a no. */
export const USUAL_ANSWERS: readonly Json[] = [true, false, null, 'y', 'yes', 'n', 'no', 't', 'trust'];

function notAnAnswer(response: Json): Settlement {
  return {
    type: 'invalid',
    problem: `${JSON.stringify(response)} is not one of the answers. The question is still open.`,
  };
}
