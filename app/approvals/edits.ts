import { canonical, canonicalCall, type Json } from '../../interventions/index.ts';
import type { AskedApproval } from '../journal/index.ts';
import { isJsonObject, isKept } from '../json.ts';
import { errorText } from '../log.ts';
import type { Precondition } from '../records/index.ts';
import { namesOf, putBack, type Redaction } from '../secrets/index.ts';
import { definitionHash, type PartFailed, seePrecondition, type Tool, type ToolTable } from '../tools/index.ts';

/** The input that a person typed in place of the agent's, as it would run, or why it cannot run. */
export type CheckedEdit =
  | {
      readonly type: 'fits';
      readonly input: string;
      readonly digest: string;
      readonly summary: string;
      /** The input as people see it, when it hides a secret. */
      readonly shown?: string;
      readonly hides?: readonly string[];
      /** The precondition of the edited call, because another input may rest on something else. */
      readonly precondition?: Precondition;
    }
  | { readonly type: 'unfit'; readonly problem: string };

export interface EditDeps {
  readonly tools: Pick<ToolTable, 'find'>;
  readonly digest: (text: string) => string;
  readonly redaction: Redaction;
  /** Returns what to call when the tool cannot describe the edited call. */
  readonly failed: (tool: Tool, input: Json) => PartFailed;
}

/**
 * Checks an edited input, because what is approved is what will run. The text must be unambiguous JSON that the tool
 * takes. The input is kept as the tool takes it, with defaults filled in.
 */
export async function checkEdit(
  { tools, digest, redaction, failed: failedIn }: EditDeps,
  { tool: name, definition }: Pick<AskedApproval, 'tool' | 'definition'>,
  before: string,
  typed: string,
): Promise<CheckedEdit> {
  const tool = tools.find(name);
  if (tool === undefined || definitionHash(tool) !== definition) {
    return unfit(`${name} has changed since I asked. Deny this call, and let the agent ask again.`);
  }
  const read = readExactly(typed);
  if (read.type === 'unfit') return read;
  // A hidden value stays what it was, unless the person wrote another value in its place.
  const { hidden: hiddenBefore } = await redaction.inTurns.input(tool, JSON.parse(before));
  const whole = putBack(read.value, hiddenBefore);
  if (whole.type === 'moved')
    return unfit(
      `${whole.shown} stands for a secret at the place where it was. Leave it there, or write another value.`,
    );
  const parsed = tool.parse(whole.value);
  if (!parsed.ok) return unfit(`${name} does not take this: ${parsed.problem}`);
  const input = canonical(parsed.input);
  if (input === before) return unfit('Nothing is changed. Press Approve on the card, or change something here.');
  const failed = failedIn(tool, parsed.input);
  const seen = await seePrecondition(tool, parsed.input, AbortSignal.timeout(LOOK_MS), failed);
  if (seen?.type === 'blind') return unfit(seen.problem);
  const { shown, hidden } = await redaction.inTurns.input(tool, parsed.input);
  const safe = (text: string): Promise<string> => redaction.inTurns.text(text, hidden);
  return {
    type: 'fits',
    input,
    digest: digest(canonicalCall({ name, input: parsed.input })),
    summary: await safe(tool.summarise(parsed.input, failed)),
    ...(hidden.length === 0 ? {} : { shown: canonical(shown), hides: namesOf(hidden) }),
    ...(seen === undefined ? {} : { precondition: { ...seen.precondition, text: await safe(seen.precondition.text) } }),
  };
}

/** A person waits at the form for this. */
const LOOK_MS = 2_000;

type Read = { readonly type: 'read'; readonly value: Json } | { readonly type: 'unfit'; readonly problem: string };

/**
 * Reads JSON and refuses what parsing would change silently: digits of a long number, the first of two equal names, and
 * a name that JavaScript takes for something else.
 */
function readExactly(text: string): Read {
  const cut: string[] = [];
  let names = 0;
  let hasProto = false;
  try {
    const value: Json = JSON.parse(text, (name: string, value: unknown, ...[context]: readonly unknown[]) => {
      hasProto ||= name === '__proto__';
      // The sign of a zero is lost on the way to the tool.
      const isSame = typeof value !== 'number' || (!Object.is(value, -0) && isKept(value, sourceOf(context)));
      if (!isSame) cut.push(sourceOf(context));
      if (isJsonObject(value)) names += Object.keys(value).length;
      return value;
    });
    if (hasProto)
      return unfit('A member named __proto__ would be lost on the way to the tool. Name it in another way.');
    if (cut.length > 0) return unfit(`${cut[0]} cannot be kept exactly. Write another number in its place.`);
    if (namesWritten(text) !== names) return unfit('One name stands there twice. Remove one of the two.');
    return { type: 'read', value };
    // `JSON.parse` throws for text that is not JSON. The person reads why in the form.
  } catch (error) {
    return unfit(`This is not JSON: ${errorText(error)}`);
  }
}

/** How many names stand in a text that is JSON. Each quoted text is read once, whether it is a name or not. */
function namesWritten(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*(?:"(?<colon>\s*:)?)?/g)].filter(
    ({ groups }) => groups?.colon !== undefined,
  ).length;
}

function sourceOf(context: unknown): string {
  if (typeof context !== 'object' || context === null || !('source' in context)) return '';
  return String(context.source);
}

function unfit(problem: string): { readonly type: 'unfit'; readonly problem: string } {
  return { type: 'unfit', problem };
}
