import { type ApiJson, parseJson } from '../json.ts';
import type { ToolResult } from './request.ts';

/** What became of a call, read from the words of its tool result and from nothing else. */
export type Outcome =
  /** `input` is what really ran; `text` is what the tool returned. */
  | { readonly type: 'ran'; readonly input: ApiJson; readonly edited: boolean; readonly text: string }
  | { readonly type: 'failed'; readonly edited: boolean; readonly text: string }
  /** A person's words stand in place of the tool, which did not run. */
  | { readonly type: 'answered'; readonly words: string }
  | { readonly type: 'denied'; readonly reason: string | undefined }
  /** A person refused the same call before, so the bot did not ask again. */
  | { readonly type: 'denied-before'; readonly wait: string | undefined }
  | { readonly type: 'expired' }
  | { readonly type: 'cancelled'; readonly cause: string | undefined }
  | { readonly type: 'unknown'; readonly leftAlone: boolean }
  /** The call was interrupted, and a person says that it happened. */
  | { readonly type: 'happened'; readonly words: string | undefined }
  | { readonly type: 'withheld' }
  | { readonly type: 'not-run'; readonly text: string };

/** `retried` where an earlier attempt at the call was interrupted, whatever became of this one. */
export interface HeardOutcome {
  readonly outcome: Outcome;
  readonly retried: boolean;
}

const EDITED =
  /^A person changed the input before approving it\. What really ran, in place of what you asked for: (.*)\n*/;
const RETRIED = /\n*This was the second attempt at this call\..*\n*/;
const INSTEAD = /^A person answered in place of the tool, which was not used\./;
const HAPPENED =
  /^(?:This call was cut off while it ran\.|This call reached its time limit of [\d.]+ s and was told to stop\.) A person says that it happened/;
const WITHHELD = /^This tool call ran, and|, although it ran\b/;
const REFUSED = /^CONFIRMATION_FAILED: A person refused this tool call\./;
const REFUSED_BEFORE = /^DENIED: A person refused (?:exactly this|this same) call/;
const UNKNOWN = /\bnobody knows whether it finished\b|\bnot known(?: whether\b|:)/i;
const NOT_RUN = /^DENIED: |\bdid not run\b|\bbefore this call ran\b/;

export function hear(result: ToolResult): HeardOutcome {
  const edit = EDITED.exec(result.text)?.[1];
  const text = result.text.replace(EDITED, '');
  const own = text.replace(RETRIED, '');
  return { outcome: outcomeOf(result, { edit, text: own }), retried: own !== text };
}

interface Words {
  /** The input that ran, as JSON, where a person changed it. */
  readonly edit: string | undefined;
  readonly text: string;
}

function outcomeOf({ input, isError }: ToolResult, { edit, text }: Words): Outcome {
  if (isError) return didNotSucceed(edit !== undefined, text);
  if (INSTEAD.test(text)) return { type: 'answered', words: quoted(text) ?? text };
  if (HAPPENED.test(text)) return { type: 'happened', words: quoted(text) };
  const ran = edit === undefined ? input : (parseJson(edit) ?? edit);
  return { type: 'ran', input: ran, edited: edit !== undefined, text };
}

function didNotSucceed(edited: boolean, text: string): Outcome {
  if (WITHHELD.test(text)) return { type: 'withheld' };
  if (REFUSED.test(text)) return { type: 'denied', reason: quoted(text) };
  if (REFUSED_BEFORE.test(text)) return { type: 'denied-before', wait: /in about (\d+ minutes?)/.exec(text)?.[1] };
  if (text.startsWith('EXPIRED: ')) return { type: 'expired' };
  if (text.startsWith('CANCELLED: ')) return { type: 'cancelled', cause: quoted(text) };
  if (UNKNOWN.test(text)) return { type: 'unknown', leftAlone: text.includes('A person chose not to repeat it.') };
  if (NOT_RUN.test(text)) return { type: 'not-run', text: text.replace(/^DENIED: /, '') };
  return { type: 'failed', edited, text };
}

/** The words of a person are quoted as JSON at the end of a result. */
function quoted(text: string): string | undefined {
  const words = parseJson(/"(?:[^"\\]|\\.)*"$/.exec(text)?.[0] ?? '');
  return typeof words === 'string' ? words : undefined;
}
