import { InterruptError, InterventionError } from '../errors.ts';
import type { Json } from '../messages.ts';

/** A question for a person that outlives whoever asked it. Data only. */
export interface Interrupt {
  readonly id: string;
  readonly name: string;
  readonly source: 'tool' | 'hook';
  readonly reason?: Json;
  /** Absent until somebody answered. */
  readonly response?: Json;
  /** What exactly was asked about: an answer is good for this and nothing else. */
  readonly digest?: string;
  /** The answers that count. Absent: any. */
  readonly answers?: readonly Json[];
  /** Approvals so far, when several people must approve. */
  readonly approvals?: readonly Json[];
  readonly expiresAtMs?: number;
  readonly toolUseId?: string;
}

export interface InterruptRequest {
  readonly name: string;
  readonly reason?: Json;
  /** An answer that is known already: nothing pauses. */
  readonly response?: Json;
}

export type RaiseInterrupt = (request: InterruptRequest) => Json;

/** Where a question is raised. Its id is a pure function of this, so a restart finds the same question again. */
export interface Place {
  readonly agentId: string;
  readonly kind: 'beforeTools' | 'beforeToolCall' | 'tool' | 'beforeInvocation' | 'beforeModelCall' | 'afterToolCall';
  readonly turn: number;
  readonly attempt: number;
  /**
   * Counts new evaluations within one attempt, after an edit or after what allowed the call was gone; outside tool calls,
   * the questions that were settled before.
   */
  readonly round?: number;
  readonly toolUseId?: string;
}

/**
 * As JSON, so that no name can be written to look like another place. What was asked about is a part of it: when the
 * input changes, the old card answers nothing.
 */
export function interruptId(place: Place, name: string, digest?: string): string {
  const { agentId, turn, attempt, round = 0, kind, toolUseId } = place;
  return JSON.stringify(['v1', agentId, turn, attempt, round, kind, toolUseId ?? null, name, digest ?? null]);
}

/** All questions of one pause: those that wait and those that are answered. */
export interface InterruptBook {
  readonly list: () => readonly Interrupt[];
  readonly find: (id: string) => Interrupt | undefined;
  /** What was asked under this name at one place, whatever it was about. */
  readonly askedAt: (place: Place, name: string) => readonly Interrupt[];
  /** Registers a question, and drops the one asked at the same place about something else. */
  readonly put: (interrupt: Interrupt, place: Place) => void;
  readonly clear: () => void;
  /** `interrupt()` at one place. */
  readonly raiser: (place: Place, details?: { readonly digest?: () => string }) => RaiseInterrupt;
}

export function createInterruptBook(stored: readonly Interrupt[] = []): InterruptBook {
  const interrupts = new Map(stored.map((interrupt) => [interrupt.id, interrupt]));
  const askedAt = (place: Place, name: string) => {
    const samePlace = interruptId(place, name).slice(0, -'null]'.length);
    return [...interrupts.values()].filter(({ id }) => id.startsWith(samePlace));
  };
  const put = (interrupt: Interrupt, place: Place) => {
    for (const { id } of askedAt(place, interrupt.name)) interrupts.delete(id);
    interrupts.set(interrupt.id, interrupt);
  };
  return {
    list: () => [...interrupts.values()],
    find: (id) => interrupts.get(id),
    askedAt,
    put,
    clear: () => interrupts.clear(),
    raiser:
      (place, { digest } = {}) =>
      ({ name, reason, response }) => {
        if (typeof name !== 'string' || name === '') {
          throw new InterventionError('interrupt() needs a name, because the answer is found by it. Give it one.');
        }
        const asked = digest?.();
        const id = interruptId(place, name, asked);
        const known = interrupts.get(id);
        if (known?.response !== undefined) return known.response;
        if (response !== undefined && known === undefined) return response;
        const interrupt: Interrupt = {
          id,
          name,
          source: place.kind === 'tool' ? 'tool' : 'hook',
          ...(reason === undefined ? {} : { reason }),
          ...(asked === undefined ? {} : { digest: asked }),
          ...(place.toolUseId === undefined ? {} : { toolUseId: place.toolUseId }),
        };
        put(interrupt, place);
        throw new InterruptError([interrupt]);
      },
  };
}

/** The ones that nobody has answered. */
export function unanswered(interrupts: readonly Interrupt[]): readonly Interrupt[] {
  return interrupts.filter(({ response }) => response === undefined);
}
