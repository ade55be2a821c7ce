import { createInterface } from 'node:readline';
import type { AskExtras } from './human-in-the-loop/ask-parts.ts';

/**
 * Asks questions on the terminal, for interactive use. This is the only file of the library that touches the outside,
 * and it is loaded only for `ask: 'stdio'`. Questions wait in line, so that two never share the terminal.
 */
export function createTerminalAsk(streams: TerminalStreams = { input: process.stdin, output: process.stdout }) {
  const lines = readLines(streams.input);
  let line: Promise<unknown> = Promise.resolve();
  return (suffix: string) =>
    (prompt: string, { problem }: Pick<AskExtras, 'problem'>): Promise<string | undefined> => {
      const answer = line.then(async () => {
        await lines.dropTyped();
        streams.output.write(`${visible(`${problem === undefined ? '' : `${problem}\n`}${prompt}`)}${suffix}`);
        return lines.next();
      });
      // The caller gets the failure from `answer`. Here the next question only waits for the end of this one.
      line = Promise.allSettled([answer]);
      return answer;
    };
}

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & {
    readonly isTTY?: boolean;
    readonly ref?: () => unknown;
    readonly unref?: () => unknown;
  };
  readonly output: NodeJS.WritableStream;
}

let shared: ReturnType<typeof createTerminalAsk> | undefined;

/** Asks on the one terminal that all gates share. */
export function terminalAsk(suffix: string) {
  shared ??= createTerminalAsk();
  return shared(suffix);
}

/** Writes out what a terminal obeys or does not show: it could hide a part of what is asked, or draw something else. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) =>
    sign === '\n' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
}

/**
 * The lines of a pipe may arrive before they are asked for. A line that a person typed before its question was shown is no
 * answer to it. After the end of the input there is none, which is no answer.
 */
function readLines(input: TerminalStreams['input']) {
  const read: string[] = [];
  const waiting: ((line: string | undefined) => void)[] = [];
  let ended = false;
  const reader = createInterface({ input });
  reader.on('line', (line) => {
    const resolve = waiting.shift();
    if (resolve !== undefined) resolve(line.trim());
    else if (input.isTTY !== true) read.push(line.trim());
    rest();
  });
  reader.on('close', () => {
    ended = true;
    for (const resolve of waiting.splice(0)) resolve(undefined);
  });
  // While no question waits, the terminal must not keep the program alive.
  const rest = () => {
    if (waiting.length === 0) input.unref?.();
  };
  rest();
  return {
    /** Reads what a person has typed already, and drops it. After two rounds of the event loop, nothing of it is left. */
    dropTyped: async (): Promise<void> => {
      for (let round = 0; round < 2 && input.isTTY === true; round += 1) await new Promise(setImmediate);
    },
    next: (): Promise<string | undefined> => {
      const line = read.shift();
      if (line !== undefined || ended) return Promise.resolve(line);
      input.ref?.();
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
}
