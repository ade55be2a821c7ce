import { expect } from 'vitest';
import { draws, says } from '../bot.ts';
import type { Walk, Walked } from '../dying-walk.ts';

/** One way to die, with its row of the fault matrix, and what must be seen besides what is always true. */
export interface Row {
  readonly id: string;
  readonly walk: Walk;
  readonly must: string;
  readonly seen: (walked: Walked) => void;
}

/** How often the tool ran, and whether that is known. */
export interface Ran {
  readonly ran?: 0 | 1;
  readonly known?: boolean;
}

export const titleOf = ({ id, walk, must }: Row): string => `after ${walk.dieAt.join(' and then ')}: ${must} (${id})`;

export const ENDS = /Done\. The|Understood/;

/** One card, no buttons, one end, and the tool as often as the row says: as people and tools saw it. */
export function witnessesAgree({ history }: Walked, { ran = 1, known = true }: Ran = {}): void {
  expect(history.begun).toHaveLength(ran);
  expect(history.done).toHaveLength(ran);
  expect(history.runs).toHaveLength(1);
  expect(history.messages.filter((message) => draws(message, 'approval_deny'))).toEqual([]);
  expect(history.messages.filter((message) => says(message, ENDS))).toHaveLength(1);
  expect(doubtsIn(history.messages)).toHaveLength(known ? 0 : 1);
  const unknown = history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'call-unknown'));
  expect(unknown).toHaveLength(known ? 0 : 1);
}

type Messages = Walked['history']['messages'];

export const cardsIn = (messages: Messages): Messages => ofKind(messages, 'card:');
export const doubtsIn = (messages: Messages): Messages => ofKind(messages, 'doubt:');

const ofKind = (messages: Messages, kind: string): Messages =>
  messages.filter(({ metadata }) => JSON.stringify(metadata ?? {}).includes(`"${kind}`));
