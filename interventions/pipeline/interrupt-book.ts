import { isAlmostJson, isAlmostJsonAround } from '../app-state.ts';
import { canonical } from '../canonical.ts';
import { clone, given } from '../copy.ts';
import { InterruptError, InterventionError } from '../errors.ts';
import type { Json } from '../messages.ts';
import type { Clock } from '../time.ts';
import { type Interrupt, type InterruptRequest, interruptId, type Place, type RaiseInterrupt } from './interrupt.ts';

/** All questions of one pause, waiting and answered. */
export interface InterruptBook {
  readonly list: () => readonly Interrupt[];
  readonly find: (id: string) => Interrupt | undefined;
  /** The questions under this name at one place, whatever they were about. */
  readonly askedAt: (place: Place, name: string) => readonly Interrupt[];
  /** Registers a question, and drops an earlier one at the same place about something else. */
  readonly put: (interrupt: Interrupt, place: Place) => void;
  /** Drops questions without an answer, because what they were about went on without one. */
  readonly withdraw: (questions: readonly Interrupt[]) => void;
  readonly clear: () => void;
  /** Refuses the question of a handler that has the id of one that `interrupt()` asked: one answer would count for both. */
  readonly checkName: (id: string, name: string) => void;
  /** What `interrupt()` asked at one place and is not answered, also when its caller caught the error that pauses. */
  readonly raisedAt: (place: Place) => readonly Interrupt[];
  /** Makes the `interrupt()` of one place. */
  readonly raiser: (place: Place, details?: { readonly digest?: () => string }) => RaiseInterrupt;
}

/** Without a clock, no question of `interrupt()` expires. */
export function createInterruptBook(stored: readonly Interrupt[] = [], clock?: Clock): InterruptBook {
  // A callback or caller that holds a question cannot answer it by changing it, here and in `put`.
  const interrupts = new Map(stored.map((interrupt) => [interrupt.id, clone(interrupt)]));
  /** What was asked by `interrupt()`, by the id of the question. */
  const raised = new Map<string, string>();
  const askedAt = (place: Place, name: string) => {
    const samePlace = interruptId(place, name).slice(0, -'null]'.length);
    return [...interrupts.values()].filter(({ id }) => id.startsWith(samePlace));
  };
  const put = (interrupt: Interrupt, place: Place) => {
    for (const { id } of askedAt(place, interrupt.name)) interrupts.delete(id);
    interrupts.set(interrupt.id, clone(interrupt));
  };
  return {
    list: () => [...interrupts.values()],
    find: (id) => interrupts.get(id),
    askedAt,
    put,
    withdraw: (questions) => {
      for (const { id } of questions) if (interrupts.get(id)?.response === undefined) interrupts.delete(id);
    },
    clear: () => {
      interrupts.clear();
      raised.clear();
    },
    checkName: (id, name) => {
      if (raised.has(id)) throw sameName(name);
    },
    raisedAt: (place) => {
      const samePlace = interruptId(place, '').slice(0, -'"",null]'.length);
      return [...interrupts.values()].filter(({ id, response }) => {
        return response === undefined && raised.has(id) && id.startsWith(samePlace);
      });
    },
    raiser:
      (place, { digest } = {}) =>
      (request) => {
        checkRequest(request);
        const { name, reason, response, answers, expiresAtMs, problem } = request;
        const asked = digest?.();
        const id = interruptId(place, name, asked);
        const question = canonical([reason, answers]);
        if ((raised.get(id) ?? question) !== question) throw sameName(name);
        raised.set(id, question);
        const known = interrupts.get(id);
        if (known?.response !== undefined) return known.response;
        if (known?.expiresAtMs !== undefined && clock !== undefined && known.expiresAtMs <= clock.now()) {
          put({ ...known, response: EXPIRED }, place);
          return EXPIRED;
        }
        if (response !== undefined && known === undefined) return response;
        const interrupt: Interrupt = {
          id,
          name,
          source: place.kind === 'tool' ? 'tool' : 'hook',
          ...given({ reason, digest: asked, toolUseId: place.toolUseId, answers, expiresAtMs, problem }),
        };
        put(interrupt, place);
        throw new InterruptError([interrupt]);
      },
  };
}

/** What `interrupt()` returns when no person answered in time. Its caller must not take it for a yes. */
const EXPIRED: Json = Object.freeze({ decision: 'expired' });

function sameName(name: string): InterventionError {
  return new InterventionError(
    `Interrupt names must be unique for one event, and two questions are called ${JSON.stringify(name)}. One answer would count for both. Rename one of them.`,
  );
}

/** Refuses what could not be stored or answered. */
function checkRequest(request: InterruptRequest): void {
  const { name, reason, answers, expiresAtMs, problem } = request ?? {};
  if (typeof name !== 'string' || name === '') {
    throw new InterventionError('interrupt() needs a name, because the answer is found by it. Give it one.');
  }
  const wrong = (member: string, needed: string) =>
    new InterventionError(`The ${member} of the interrupt ${JSON.stringify(name)} cannot be used. Give ${needed}.`);
  if (reason !== undefined && !isAlmostJsonAround(reason)) throw wrong('reason', 'plain data, which can be stored');
  if (answers !== undefined && (!Array.isArray(answers) || !isAlmostJson(answers)))
    throw wrong('answers', 'a list of plain data');
  if (expiresAtMs !== undefined && !Number.isFinite(expiresAtMs))
    throw wrong('expiresAtMs', 'the time as a number of milliseconds');
  if (problem !== undefined && typeof problem !== 'string') throw wrong('problem', 'a text');
}
