import type { Interrupt, Message, StopReason } from '../../interventions/index.ts';
import type { Usage } from './ports.ts';
import type { LoopState } from './transcript.ts';

/** How a loop came to rest. A failure is not an outcome: it rejects. */
export type LoopOutcome = LoopEnd & {
  readonly state: LoopState;
  readonly usage: Usage;
};

export type LoopEnd =
  | {
      readonly type: 'finished';
      readonly stopReason: StopReason;
      readonly message: Message | undefined;
      /** Set when an intervention, not the model, ended the run. */
      readonly endedBy?: { readonly handler: string; readonly text: string };
    }
  /** People have to answer. Save the state, and go on with their answers in it. */
  | { readonly type: 'interrupted'; readonly interrupts: readonly Interrupt[] }
  | { readonly type: 'stopped'; readonly reason: StoppedReason };

export type StoppedReason = 'cancelled' | 'parked' | 'limitTurns' | 'limitTotalTokens' | 'limitOutputTokens';
