import { grantless, openEnded, ranAnyway, twice, unapplied } from './invariants/calls.ts';
import { cardsThatLie, saidTwice, shownAhead, unseen } from './invariants/cards.ts';
import { forgotten } from './invariants/forgotten.ts';
import { askedAgain, changedMind, lostWords, rewritten } from './invariants/journals.ts';
import type { Judged, Rule } from './invariants/rule.ts';

/**
 * What is always true of a thread, whatever died on the way: judged from what is stored and from what those outside of
 * the bot saw, never from what a bot says of itself. Each rule answers with what is wrong, one sentence each.
 */
export function brokenRules(judged: Judged): readonly string[] {
  return Object.entries(RULES).flatMap(([id, rule]) => rule(judged).map((problem) => `${id}: ${problem}`));
}

/**
 * D13 is D10 read across a death; D14 wants clocks that disagree, and D15 says under which faults all of these hold, so
 * those two belong to the tests and not to a history.
 */
const RULES: Readonly<Record<string, Rule>> = {
  D1: grantless,
  D2: twice,
  D3: openEnded,
  D4: changedMind,
  D5: shownAhead,
  D6: ranAnyway,
  D7: cardsThatLie,
  D8: lostWords,
  D9: forgotten,
  D10: rewritten,
  D11: askedAgain,
  D12: saidTwice,
  P6: unapplied,
  P53: unseen,
};
