import { canonical } from '../canonical.ts';
import { ConfigurationError, checkOptions } from '../errors.ts';
import type { Settlement } from './settlement.ts';

/** What happens after a decision. Every reaction but `continue` ends the run without asking the model again. */
export type Reaction =
  | { readonly type: 'continue' }
  /** The text becomes the last message. */
  | { readonly type: 'endTurn'; readonly text: string }
  /** No message is added. */
  | { readonly type: 'stop' };

/** Absent: `continue`. */
export interface Reactions {
  readonly approved?: Reaction;
  /** A person said no, or gave no answer that counts. */
  readonly denied?: Reaction;
  /** No person answered in time. */
  readonly expired?: Reaction;
}

/** Who ends the run, and how. */
export interface HandlerReaction {
  readonly handler: string;
  readonly reaction: Exclude<Reaction, { readonly type: 'continue' }>;
}

/** The reactions of a handler to this decision. A call that was cancelled or changed has none. */
export function reactionTo(
  settlement: Settlement,
  handler: string,
  reactions: Reactions = {},
): readonly HandlerReaction[] {
  if (settlement.type === 'approved') return handlerReaction(handler, reactions.approved);
  if (settlement.type !== 'refused') return [];
  switch (settlement.because) {
    case 'person':
    case 'dismissed':
    case 'invalid':
      return handlerReaction(handler, reactions.denied);
    case 'expired':
      return handlerReaction(handler, reactions.expired);
    case 'cancelled':
    case 'changed':
      return [];
  }
}

export function handlerReaction(handler: string, reaction: Reaction | undefined): readonly HandlerReaction[] {
  return reaction === undefined || reaction.type === 'continue' ? [] : [{ handler, reaction }];
}

/** The reaction that counts: the first `stop`, otherwise the first of all. */
export function strongestReaction(reactions: readonly HandlerReaction[]): HandlerReaction | undefined {
  return reactions.find(({ reaction }) => reaction.type === 'stop') ?? reactions[0];
}

const DECISIONS: Readonly<Record<keyof Reactions, true>> = { approved: true, denied: true, expired: true };

/** Refuses invalid reactions, before anything runs. */
export function checkReactions(reactions: Reactions, owner: string): void {
  checkOptions(`The reactions of ${owner}`, reactions, DECISIONS);
  for (const [decision, reaction] of Object.entries(reactions)) {
    const known = ['continue', 'endTurn', 'stop'].includes(reaction?.type);
    const said = reaction?.type !== 'endTurn' || (typeof reaction.text === 'string' && reaction.text !== '');
    if (known && said) continue;
    throw new ConfigurationError(
      `The reaction of ${owner} to ${decision} is ${canonical(reaction).slice(0, 100)}. Use { type: 'continue' }, { type: 'stop' } or { type: 'endTurn', text: 'a sentence' }.`,
    );
  }
}
