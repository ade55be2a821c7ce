import { createHash } from 'node:crypto';
import { canonical, type Json } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { errorText } from '../log.ts';
import type { Precondition } from '../records/index.ts';
import { cutText } from './output.ts';
import type { LookHelp, PartFailed, Tool } from './tool.ts';

/** What a tool sees for one input before people are asked. */
export type Looked =
  | { readonly type: 'looked'; readonly preview?: string; readonly precondition?: Precondition }
  /** The precondition cannot be read, so a yes would rest on nothing. */
  | { readonly type: 'blind'; readonly problem: string };

const LOOK_MS = 5_000;
const PREVIEW_CHARS = 1_500;
const PRECONDITION_CHARS = 1_000;
const NO_PREVIEW = 'There is no preview: the tool could not make one.';

/** Preview and precondition of one call. Never rejects. */
export async function look(
  tool: Tool,
  input: Json,
  signal: AbortSignal,
  failed: PartFailed = () => {},
): Promise<Looked> {
  const [preview, precondition] = await Promise.all([
    tool.preview === undefined
      ? undefined
      : inTime(tool.preview, input, signal)
          .then((text) => cutText(asText(text), PREVIEW_CHARS))
          .catch((error: unknown) => {
            failed('preview', error);
            // The preview is optional: people still see the input itself.
            return NO_PREVIEW;
          }),
    seePrecondition(tool, input, signal, failed),
  ]);
  if (precondition?.type === 'blind') return precondition;
  return {
    type: 'looked',
    ...(preview === undefined || preview.trim() === '' ? {} : { preview }),
    ...given({ precondition: precondition?.precondition }),
  };
}

/** A deployment's configuration is not checked for types when it is loaded, so a preview may be anything. */
function asText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('It gave no text.');
  return value;
}

export type SeenPrecondition =
  | { readonly type: 'seen'; readonly precondition: Precondition }
  | { readonly type: 'blind'; readonly problem: string };

/** Reads the precondition of this call. `undefined` for a tool that has none. Never rejects. */
export async function seePrecondition(
  tool: Tool,
  input: Json,
  signal: AbortSignal,
  failed: PartFailed = () => {},
): Promise<SeenPrecondition | undefined> {
  if (tool.precondition === undefined) return undefined;
  try {
    const value = await inTime(tool.precondition, input, signal);
    const text = typeof value === 'string' ? value : canonical(value);
    const digest = createHash('sha256').update(text).digest('base64url');
    return { type: 'seen', precondition: { text: cutText(text, PRECONDITION_CHARS), digest } };
    // The deployment's own function may throw or take too long. The call is not asked about and does not run.
  } catch (error) {
    failed('precondition', error);
    const why = errorText(error);
    return { type: 'blind', problem: `${tool.name} could not find out how things stand (${why}), so it did not run.` };
  }
}

/** A function of the tool that never ends must not hold up the question. */
async function inTime<Seen>(
  see: (input: Json, help: LookHelp) => Promise<Seen>,
  input: Json,
  outer: AbortSignal,
): Promise<Seen> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(LOOK_MS)]);
  return Promise.race([
    see(input, { signal }),
    new Promise<never>((_resolve, reject) => {
      const stop = (): void => reject(new Error(outer.aborted ? 'it was stopped' : `no answer in ${LOOK_MS / 1000} s`));
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    }),
  ]);
}
