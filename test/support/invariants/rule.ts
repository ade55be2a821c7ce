import type { History } from '../history.ts';

export interface Judged {
  readonly history: History;
  /** As it was when a bot had just died, oldest first. */
  readonly before: readonly History[];
  /** At most so many answers of the model never got into a journal: their bot died or lost the run meanwhile. */
  readonly cutTurns: number;
  /** Keys of messages that Slack delivered after later ones of their thread. */
  readonly late?: readonly string[];
}

/** Answers with what is wrong, one sentence each. */
export type Rule = (judged: Judged) => readonly string[];

export function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}
