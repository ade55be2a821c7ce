import type { Json } from '../../../../interventions/index.ts';
import { isJsonObject } from '../../../json.ts';
import type { Thread, UserId } from '../../../records/index.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { schemaProblem as boundsProblem } from '../schema-bounds.ts';
import { inputCheck } from './input.ts';

/** A question of a tool server to a person, in the middle of a call. */
export interface Elicitation {
  /** The server's own words. They are shown as such, never as the bot's. */
  readonly message: string;
  /** JSON Schema of a flat object: the form. */
  readonly schema: { readonly [key: string]: Json };
}

export interface ElicitationContext {
  readonly server: string;
  readonly tool: string;
  /** The same for every attempt at the call of the question. */
  readonly key: string;
  readonly thread: Thread | undefined;
  readonly requester: UserId | undefined;
  /** Aborted when the answer is no longer wanted, so that the question is withdrawn. */
  readonly signal: AbortSignal;
}

export type ElicitationAnswer =
  | {
      readonly action: 'accept';
      readonly content: ElicitationContent;
    }
  /** A person declined. */
  | { readonly action: 'decline' }
  /** No person answered. */
  | { readonly action: 'cancel' };

export type ElicitationContent = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export type OnElicitation = (request: Elicitation, context: ElicitationContext) => Promise<ElicitationAnswer>;

/** Asks, and accepts only an answer that fits the form. A failure is no answer, and never a yes. */
export async function answerElicitation(
  onElicitation: OnElicitation,
  { message, schema }: Elicitation,
  context: ElicitationContext,
): Promise<ElicitationAnswer> {
  if (message.length > SERVER_LIMITS.questionChars || context.signal.aborted) return { action: 'cancel' };
  const answer = await onElicitation({ message, schema }, context);
  if (answer.action !== 'accept') return { action: answer.action };
  const problem = schemaProblem(JSON.stringify(schema), answer.content);
  if (problem !== undefined) throw new Error(`The answer to ${context.server} does not fit its form: ${problem}`);
  return { action: 'accept', content: answer.content };
}

/** Why the answer does not fit the form, or `undefined`. `schema` is the form as JSON text. */
export function schemaProblem(schema: string, content: ElicitationContent): string | undefined {
  const form: Json = JSON.parse(schema);
  if (!isJsonObject(form)) return 'It has no form.';
  const unusable = boundsProblem(form);
  if (unusable !== undefined) return `The form cannot be used: ${unusable}.`;
  const fits = inputCheck(form)(JSON.parse(JSON.stringify(content)));
  return fits.ok ? undefined : fits.problem;
}
