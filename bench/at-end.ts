const things: (() => void)[] = [];

/** Does this when the bench ends, also when a person interrupts it: nothing of it stays behind. */
export function atEnd(thing: () => void): void {
  if (things.length === 0) {
    process.once('exit', () => {
      for (const one of things) one();
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }
  things.push(thing);
}
