import type { InterruptResponseBlock, Message, StateStore } from '../../interventions/index.ts';
import type { LoopOptions } from './loop-options.ts';
import type { StoredSession } from './session-page.ts';

export interface SessionOptions
  extends Omit<LoopOptions, 'state' | 'input' | 'agent' | 'signal' | 'invocationState' | 'mode'> {
  readonly id: string;
  readonly store: StateStore<StoredSession>;
  /** What new input does while people are asked. */
  readonly whileWaiting?: 'reject' | 'dismissAndContinue' | 'queue';
}

export type SessionInput = string | readonly Message[] | readonly InterruptResponseBlock[] | undefined;

export interface Invocation {
  readonly signal?: AbortSignal;
  readonly invocationState?: Record<string, unknown>;
}
