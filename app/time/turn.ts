/** Resolves when this process has turned to what waits meanwhile: answers of Slack, presses, checks of its health. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
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
