import type { InboxMessage } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import type { Wish } from '../payloads/index.ts';
import type { WordsAnswer } from './trusting.ts';

/** What became of a message before it was acknowledged. */
export type Taken =
  | {
      readonly type: 'for-the-agent';
      readonly message: InboxMessage;
      /** The thread has no run yet. */
      readonly isFirst: boolean;
    }
  | { readonly type: 'words'; readonly wish: Wish; readonly message: InboxMessage; readonly done: Done };

/** What words did before they were acknowledged. Doing it twice has the effect of doing it once. */
export interface Done {
  /** To `trust` and `untrust`. */
  readonly answer?: WordsAnswer;
  readonly stop?: Awaited<ReturnType<Runs['stop']>>;
  readonly triedAgain?: Awaited<ReturnType<Runs['tryAgain']>>;
}

/** What Bolt puts into the context of the listener. */
export function handOn(taken: Taken): { readonly taken: HandedOn } {
  return { taken: new HandedOn(taken) };
}

/** What the door handed on with this delivery. `undefined` when it took no message from it. */
export function readTaken(context: Readonly<Record<string, unknown>>): Taken | undefined {
  const handed = context.taken;
  return handed instanceof HandedOn ? handed.taken : undefined;
}

/** Bolt's context is untyped. A value of this class can only come from `handOn`. */
class HandedOn {
  readonly taken: Taken;

  constructor(taken: Taken) {
    this.taken = taken;
  }
}
