import type { HandlerReaction, Interrupt } from '../../../../interventions/index.ts';
import type { Evaluation } from './evaluation.ts';

/** How the work on one tool call ended: with a result, or with a pause for people. */
export type CallEnd =
  | { readonly type: 'finished'; readonly reactions?: readonly HandlerReaction[] }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

/** What one evaluation of a call leads to: its end, or another evaluation. */
export type CallStep = CallEnd | { readonly type: 'again'; readonly evaluation: Evaluation };
