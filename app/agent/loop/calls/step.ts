import type { HandlerReaction, Interrupt } from '../../../../interventions/index.ts';
import type { Look } from './look.ts';

/** How one tool call came to rest. */
export type CallEnd =
  | { readonly type: 'finished'; readonly reactions?: readonly HandlerReaction[] }
  | { readonly type: 'paused'; readonly interrupts: readonly Interrupt[] };

/** How a call came to rest, or another look at it. */
export type CallStep = CallEnd | { readonly type: 'again'; readonly look: Look };
