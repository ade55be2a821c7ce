import { z } from 'zod';

/** What the measured process says to the bench: that a tool starts, and what the process has used so far. */
export const Told = z.union([
  z.object({ startedAtNs: z.number() }),
  z.object({ processorMicros: z.number() }),
  z.object({ heapBytes: z.number(), residentBytes: z.number() }),
]);
export type Told = z.infer<typeof Told>;

/** What the bench asks of it. The memory is that after a collection of garbage. */
export const Question = z.enum(['processor', 'memory']);
export type Question = z.infer<typeof Question>;

/** A bot that a test starts in its own process has another process to talk to. */
const isChild = process.env.BENCH_CHILD !== undefined;

export function tellBench(what: Told): void {
  if (isChild) process.send?.(what);
}

export function answerBench(): void {
  if (isChild) process.on('message', (question) => tellBench(used(Question.parse(question))));
}

function used(question: Question): Told {
  if (question === 'processor') {
    const { user, system } = process.cpuUsage();
    return { processorMicros: user + system };
  }
  globalThis.gc?.();
  const { heapUsed: heapBytes, rss: residentBytes } = process.memoryUsage();
  return { heapBytes, residentBytes };
}
