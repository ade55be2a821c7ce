import { defaultEvaluate } from '../actions.ts';
import { isAlmostJson } from '../app-state.ts';
import { given } from '../copy.ts';
import { AbortedError, handlerFailure, InterventionError, thrownText } from '../errors.ts';
import type { Json } from '../messages.ts';
import { type Interrupt, interruptId, withoutResponse } from '../pipeline/interrupt.ts';
import { failureWarning } from '../pipeline/one-handler.ts';
import type { Profile } from '../pipeline/profile.ts';
import { type HandlerReaction, type Reactions, reactionTo } from '../pipeline/reaction.ts';
import type { Noted } from '../pipeline/ruling.ts';
import { changed, dismissed, expired, refused, type Settlement, unsettled } from '../pipeline/settlement.ts';
import { within } from '../time.ts';
import { asSettlement, readAnswer, settledOrRefused, USUAL_ANSWERS } from './answer.ts';
import type { AskExtras, AskParts, InLine, MomentExtras, Settled } from './ask-parts.ts';

/** How often a question is asked again after an answer that does not count. */
const INVALID_ANSWERS = 10;

/** Asks all questions about one thing together, and settles them together: one refusal is enough. */
export async function settleConfirms(noted: readonly Noted[], parts: AskParts): Promise<Settled> {
  if (noted.length === 0) return { type: 'notAsked' };
  const outer = parts.about.signal;
  const others = new AbortController();
  const { signal } = others;
  const abort = () => others.abort(outer.reason);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  const each = noted.map(async (one) => {
    // A question leaves its place to the next one only after it has given up the questions that are void now.
    let leave = () => {};
    const enter = async () => {
      leave = await parts.turnstile.enter(signal);
    };
    try {
      const settlement = await settleOne(one, parts, { signal, enter });
      if (settlement.type !== 'approved' && settlement.type !== 'interrupted') others.abort('settled elsewhere');
      leave();
      return { handler: one.handler.name, settlement, reactions: one.confirm.reactions };
      // One question failed, which `combine` throws. A run gives its other questions up at once, and none of them takes the place first.
    } catch (error) {
      others.abort('failed elsewhere');
      if (outer.aborted || signal.reason !== 'failed elsewhere') leave();
      else parts.timers.after(0, leave);
      throw error;
    }
  });
  const ends = await Promise.allSettled(each);
  outer.removeEventListener('abort', abort);
  return combine(ends, parts);
}

type Open = Settlement | { readonly type: 'interrupted'; readonly interrupt: Interrupt };
type End = PromiseSettledResult<{
  readonly handler: string;
  readonly settlement: Open;
  readonly reactions: Reactions | undefined;
}>;

function combine(ends: readonly End[], { about }: AskParts): Settled {
  const settled = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const errors: unknown[] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  const failure = errors.find((error) => about.signal.aborted || !(error instanceof AbortedError));
  if (failure !== undefined) throw failure;
  const approvers = settled.flatMap(({ settlement }) =>
    'approver' in settlement && settlement.approver !== undefined ? [settlement.approver] : [],
  );
  const interrupts: Interrupt[] = [];
  const remember: (() => void)[] = [];
  const after: HandlerReaction[] = [];
  let edited: { readonly editedInput?: Json; readonly editedBy?: string } = {};
  for (const { handler, settlement, reactions } of settled) {
    switch (settlement.type) {
      case 'refused':
        return {
          type: 'refused',
          handler,
          because: settlement.because,
          text: settlement.text,
          approvers,
          reactions: reactionTo(settlement, handler, reactions),
        };
      case 'answered':
        return { type: 'answered', handler, text: settlement.text, approvers };
      case 'interrupted':
        interrupts.push(settlement.interrupt);
        break;
      case 'approved':
        if (settlement.editedInput !== undefined) edited = { editedInput: settlement.editedInput, editedBy: handler };
        after.push(...reactionTo(settlement, handler, reactions));
        if (settlement.remember !== undefined) remember.push(settlement.remember);
        break;
      case 'invalid':
      case 'more':
        throw new InterventionError(
          'An open answer was taken for a settled one, so nothing runs. This is a fault of the library: report it.',
        );
    }
  }
  if (interrupts.length > 0) return { type: 'interrupted', interrupts };
  for (const keep of remember) keep();
  return { type: 'approved', approvers, reactions: after, ...edited };
}

async function settleOne(noted: Noted, parts: AskParts, line: InLine): Promise<Open> {
  const { handler, confirm } = noted;
  const digest = parts.about.digest();
  if (parts.grants.has(grantKey(handler.name, digest))) return { type: 'approved' };
  if (parts.whenChanged === 'deny' && wasAsked(handler.name, digest, parts)) return changed();
  try {
    if (confirm.response !== undefined) return settledOrRefused(settle(noted, confirm.response, [], parts));
    if (confirm.ask !== undefined && !parts.pauses) return await askInline(noted, digest, parts, line);
    return pause(noted, digest, parts);
    // The callback that asks, or the handler's functions, may fail. That is never an approval.
  } catch (error) {
    if (line.signal.aborted) throw new AbortedError(line.signal.reason);
    if ((handler.onError ?? 'throw') === 'throw') {
      const isOpen = reopen(interruptId(parts.place, handler.name, digest), parts);
      throw handlerFailure(error, { handler: handler.name, event: parts.place.kind, isOpen });
    }
    parts.warn?.(failureWarning(handler, parts.place.kind, error));
    return refused('invalid', `DENIED: Handler threw: ${thrownText(error)}`);
  }
}

export function grantKey(handler: string, digest: string): string {
  return JSON.stringify([handler, digest]);
}

/** Whether a person has decided about an earlier form of this call for this handler: by an edit, or by answering a pause. */
function wasAsked(handler: string, digest: string, { grants, book, place }: AskParts): boolean {
  const anyGrant = grantKey(handler, '').slice(0, -'"]'.length);
  if ([...grants].some((grant) => grant.startsWith(anyGrant))) return true;
  return book
    .askedAt(place, handler)
    .some((asked) => asked.digest !== digest && (asked.response !== undefined || asked.approvals !== undefined));
}

async function askInline(noted: Noted, digest: string, parts: AskParts, { signal, enter }: InLine): Promise<Open> {
  const { confirm } = noted;
  const { about, place, timers } = parts;
  const id = interruptId(place, noted.handler.name, digest);
  const toolUse = about.toolUse();
  const approvals: Json[] = [];
  let problem: string | undefined;
  await enter();
  try {
    for (let invalid = 0; invalid < INVALID_ANSWERS; ) {
      // The invocation may have been cancelled while this question stood in line.
      if (signal.aborted) throw new AbortedError(signal.reason);
      parts.onWait?.(id);
      const extras: MomentExtras = {
        ...given({ toolUse }),
        digest,
        question: confirm.question ?? confirm.prompt,
        interruptId: id,
        signal,
        approvals: [...approvals],
        ...given({ problem }),
      };
      // A promise even when the callback answers at once, so that every answer is awaited the same way. Where there is
      // no tool call, the handler's own type says that it may be absent.
      const asked = Promise.resolve(confirm.ask?.(confirm.prompt, extras as AskExtras));
      const timeoutMs = confirm.askTimeoutMs === undefined ? ASK_TIMEOUT_MS : confirm.askTimeoutMs;
      const answer = await within(asked, { signal, timers, timeoutMs, onTimeout: () => new AskExpired() });
      if (answer === undefined || answer === null) return dismissed(toolUse?.name, about.subject);
      const settlement = settle(noted, answer, approvals, parts);
      if (settlement.type === 'more') approvals.push(settlement.approval);
      else if (settlement.type === 'invalid') invalid += 1;
      else return settlement;
      problem = settlement.type === 'invalid' ? settlement.problem : undefined;
    }
    return unsettled(about.subject);
    // The wait may have reached its limit, which is an outcome. Any other failure goes to `settleOne`.
  } catch (error) {
    if (error instanceof AskExpired) return expired(about.subject);
    throw error;
  }
}

const ASK_TIMEOUT_MS = 15 * 60_000;

class AskExpired extends Error {}

/** Pauses the run with this question, or settles it when its answer has arrived meanwhile, found by the id of the question. */
function pause(noted: Noted, digest: string, parts: AskParts): Open {
  const { handler, confirm } = noted;
  const { book, place, clock } = parts;
  const id = interruptId(place, handler.name, digest);
  book.checkName(id, handler.name);
  const known = book.find(id);
  const approvals = known?.approvals ?? [];
  const toolUseId = parts.about.toolUse()?.toolUseId;
  if (known?.response !== undefined) {
    const settlement = settle(noted, known.response, approvals, parts);
    if (settlement.type === 'more')
      return wait({ ...withoutResponse(known), approvals: [...approvals, settlement.approval] });
    if (settlement.type === 'invalid') return wait({ ...withoutResponse(known), problem: settlement.problem });
    return settlement;
  }
  if (known?.expiresAtMs !== undefined && known.expiresAtMs <= clock.now()) return expired(parts.about.subject);
  return wait(
    known ?? {
      id,
      name: handler.name,
      source: 'hook',
      reason: confirm.question ?? confirm.prompt,
      digest,
      ...given({ toolUseId, handler: handler.name }),
      ...answersOf(noted, parts.profile),
      ...expiryOf(confirm.question),
    },
  );

  function wait(interrupt: Interrupt): Open {
    book.put(interrupt, place);
    return { type: 'interrupted', interrupt };
  }
}

/** Opens a question again whose stored answer could not be judged. The loop withholds a result at once in that case. */
function reopen(id: string, { book, place }: AskParts): boolean {
  const known = book.find(id);
  if (known?.response === undefined || place.kind === 'afterToolCall') return false;
  book.put(withoutResponse(known), place);
  return true;
}

/** The answers to accept, so that any other is refused when it is given and the question stays open. */
function answersOf({ confirm }: Noted, profile: Profile): { readonly answers?: readonly Json[] } {
  if (confirm.answers !== undefined) return { answers: confirm.answers };
  const usual = profile === 'strict' && confirm.settle === undefined && confirm.evaluate === defaultEvaluate;
  return usual ? { answers: USUAL_ANSWERS } : {};
}

function expiryOf(question: Json | undefined): { readonly expiresAtMs?: number } {
  if (typeof question !== 'object' || question === null || !('expiresAtMs' in question)) return {};
  return typeof question.expiresAtMs === 'number' ? { expiresAtMs: question.expiresAtMs } : {};
}

function settle({ confirm }: Noted, response: unknown, approvals: readonly Json[], parts: AskParts): Settlement {
  if (!isAlmostJson(response)) return { type: 'invalid', problem: 'The answer holds what JSON cannot hold.' };
  const { evaluate, prompt, answers } = confirm;
  const settlement =
    confirm.settle === undefined
      ? readAnswer(response, { evaluate, prompt, profile: parts.profile, answers, subject: parts.about.subject })
      : asSettlement(confirm.settle(response, { approvals }));
  if (settlement.type !== 'approved' || settlement.editedInput === undefined) return settlement;
  const problem = parts.checkEdit(settlement.editedInput);
  return problem === undefined ? settlement : { type: 'invalid', problem };
}
