import { expect } from 'vitest';
import type { Step } from '../../../app/step.ts';
import { draws } from '../bot.ts';
import { PARTS, stepsOf } from './all.ts';
import { doubtsIn, type Row } from './row.ts';
import { STOPPING } from './stopping.ts';

/** Steps that no process comes to once it was told to stop, and why. */
export const NEVER_WHILE_STOPPING: Readonly<Partial<Record<Step, string>>> = {
  'delivery-received': 'Right before it the door looks whether it is open still, and if not, Slack delivers again.',
};

/** No caller waits at these steps, so a bot cannot be held there. `STOPPING` has them. */
const PASSED_BY = ['model-streaming', 'reply-grown'] as const satisfies readonly Step[];

const LEFT_OUT: readonly string[] = [...Object.keys(NEVER_WHILE_STOPPING), ...PASSED_BY];

/** Each row, with a bot that is told to stop when it comes to its step, stays at it while all else is stopped, and is killed. */
export const WHILE_STOPPING: readonly (readonly [part: string, rows: readonly Row[]])[] = PARTS.filter(
  ([, rows]) => rows !== STOPPING,
).map(([part, rows]) => [part, rows.filter(({ walk }) => !stepsOf(walk).some(isLeftOut)).map(whileStopping)]);

const WORST_STEPS = ['thread-taken', 'card-posted', 'call-decided', 'call-starting', 'call-started', 'post-sent:2'];

/** Those of which a failure would be the worst: a card, a yes, a call or an answer that is lost or comes twice. */
export const WORST: readonly Row[] = WHILE_STOPPING.slice(0, 1).flatMap(([, rows]) =>
  rows.filter(({ walk }) => WORST_STEPS.includes(walk.dieAt.join())),
);

function isLeftOut(step: string): boolean {
  return LEFT_OUT.includes(step);
}

function whileStopping(row: Row): Row {
  const stopping: Row = { ...row, id: `FK24, ${row.id}`, walk: { ...row.walk, whileStopping: true } };
  switch (row.walk.dieAt.join()) {
    case 'delivery-acknowledged':
      // Its run has begun, and is killed in the middle of an answer. Nothing holds it there, so it does not come to its call.
      return { ...stopping, walk: { ...stopping.walk, cutTurns: 1, onlyLastIsPressed: true } };
    case 'question-settled':
      // The process that took the answer stays there. The waiting call does not, and may end in time.
      return {
        ...stopping,
        must: 'the answer is used, or the call is a lost one',
        seen: ({ history }) => {
          expect(doubtsIn(history.messages).length).toBeLessThanOrEqual(1);
          expect(history.messages.filter((message) => draws(message, 'inquiry_decline'))).toEqual([]);
        },
      };
    default:
      return stopping;
  }
}
