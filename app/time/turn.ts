/**
 * Resolves when this process has turned to what waits meanwhile: answers of Slack, presses, checks of its health. The
 * first immediate comes before all of these if its caller was itself called by one of them; the second comes after them.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** Characters that are worked on within one turn. */
const CHARS_AT_ONCE = 500_000;

/** A function to call with the length of each text that was worked on. It gives other work a turn whenever they are long. */
export function turnsByLength(): (chars: number) => Promise<void> {
  let worked = 0;
  return async (chars) => {
    worked += chars;
    if (worked < CHARS_AT_ONCE) return;
    worked = 0;
    await nextTurn();
  };
}

/**
 * Work that may be long is a generator: it yields where other work may have its turn. `atOnce` and `inTurns` do the same
 * work and have the same result.
 */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Gives other work a turn at each place where this work yields. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
