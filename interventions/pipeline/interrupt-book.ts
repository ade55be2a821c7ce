import { clone, given } from '../copy.ts';
import { InterruptError, InterventionError } from '../errors.ts';
import { type Interrupt, interruptId, type Place, type RaiseInterrupt } from './interrupt.ts';

/** All questions of one pause, waiting and answered. */
export interface InterruptBook {
  readonly list: () => readonly Interrupt[];
  readonly find: (id: string) => Interrupt | undefined;
  /** The questions under this name at one place, whatever they were about. */
  readonly askedAt: (place: Place, name: string) => readonly Interrupt[];
  /** Registers a question, and drops an earlier one at the same place about something else. */
  readonly put: (interrupt: Interrupt, place: Place) => void;
  readonly clear: () => void;
  /** Makes the `interrupt()` of one place. */
  readonly raiser: (place: Place, details?: { readonly digest?: () => string }) => RaiseInterrupt;
}

export function createInterruptBook(stored: readonly Interrupt[] = []): InterruptBook {
  // A callback or caller that holds a question cannot answer it by changing it, here and in `put`.
  const interrupts = new Map(stored.map((interrupt) => [interrupt.id, clone(interrupt)]));
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
    clear: () => interrupts.clear(),
    raiser:
      (place, { digest } = {}) =>
      ({ name, reason, response, answers, expiresAtMs }) => {
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
          ...given({ reason, digest: asked, toolUseId: place.toolUseId, answers, expiresAtMs }),
        };
        put(interrupt, place);
        throw new InterruptError([interrupt]);
      },
  };
}
