import { createInterface } from 'node:readline';
import type { AskExtras } from './human-in-the-loop/ask-parts.ts';

/**
 * The one file of this folder that touches the outside: a question on the terminal, for interactive use. Loaded only
 * when `ask: 'stdio'` is chosen. Questions stand in line, so that two never share the terminal.
 */
export function createTerminalAsk(streams: TerminalStreams = { input: process.stdin, output: process.stdout }) {
  const lines = readLines(streams.input);
  let line: Promise<unknown> = Promise.resolve();
  return (suffix: string) =>
    (prompt: string, { problem }: Pick<AskExtras, 'problem'>): Promise<string | undefined> => {
      const turn = line.then(() => {
        streams.output.write(`${problem === undefined ? '' : `${problem}\n`}${prompt}${suffix}`);
        return lines.next();
      });
      line = turn.catch(() => {});
      return turn;
    };
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & { readonly ref?: () => unknown; readonly unref?: () => unknown };
  readonly output: NodeJS.WritableStream;
}

let shared: ReturnType<typeof createTerminalAsk> | undefined;

/** There is one terminal, however many gates ask on it. */
export function terminalAsk(suffix: string) {
  shared ??= createTerminalAsk();
  return shared(suffix);
}

/** Lines may arrive before they are asked for; after the end there are none, which is no answer. */
function readLines(input: TerminalStreams['input']): { readonly next: () => Promise<string | undefined> } {
  const read: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let ended = false;
  const reader = createInterface({ input });
  reader.on('line', (line) => {
    const resolve = waiting.shift();
    if (resolve === undefined) read.push(line.trim());
    else resolve(line.trim());
    rest();
  });
  reader.on('close', () => {
    ended = true;
    for (const resolve of waiting.splice(0)) resolve(undefined);
  });
  // A terminal that nobody waits for must not keep the program alive.
  const rest = () => {
    if (waiting.length === 0) input.unref?.();
  };
  rest();
  return {
    next: () => {
      const line = read.shift();
      if (line !== undefined || ended) return Promise.resolve(line);
      input.ref?.();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
