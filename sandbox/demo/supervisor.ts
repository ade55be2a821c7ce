import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './program.ts';

/** Starts the bot, and again after it died. */
export interface SupervisedBot {
  readonly program: () => Program;
  /** Whether the bot died and has not connected again. */
  readonly isAway: () => boolean;
  /** Resolves with the line to end with, if the bot cannot be brought to life. */
  readonly gaveUp: Promise<string>;
  readonly stop: (withinMs: number) => Promise<void>;
}

export interface SupervisorOptions {
  readonly start: () => Program;
  /** How many connections to Slack are open. */
  readonly connections: () => number;
  /** Called when something of that changes. */
  readonly onConnection: (listener: () => void) => unknown;
  readonly onChange: () => void;
}

/** Long enough to be seen on the page. */
const PAUSE_MS = 400;
/** This many starts in a row may end without a connection. The very first start may not. */
const MOST_FAILURES = 3;

export function superviseBot({ start, connections, onConnection, onChange }: SupervisorOptions): SupervisedBot {
  let program = start();
  let before = connections();
  let connected = false;
  let isRunning = true;
  let isAway = false;
  let isStopping = false;
  onConnection(() => {
    // The connection of a dead process may be seen a moment longer.
    if (!isRunning) return;
    if (connections() < before) before = connections();
    if (connections() === before || connected) return;
    connected = true;
    isAway = false;
    onChange();
  });

  return {
    program: () => program,
    isAway: () => isAway,
    gaveUp: keepAlive(),
    stop: async (withinMs) => {
      isStopping = true;
      await program.stop(withinMs);
    },
  };

  async function keepAlive(): Promise<string> {
    for (let failures = 0, starts = 1; ; starts += 1) {
      const how = await program.ended;
      isRunning = false;
      failures = connected ? 0 : failures + 1;
      const isHopeless = failures === MOST_FAILURES || (failures === 1 && starts === 1);
      if (isHopeless && !isStopping) return died(how, program);
      connected = false;
      isAway = true;
      onChange();
      await sleep(PAUSE_MS);
      if (isStopping) return died(how, program);
      before = connections();
      program = start();
      isRunning = true;
    }
  }
}

function died(how: string, program: Program): string {
  return `Countersign stopped by itself (${how}).${lastWords(program)}`;
}

export function lastWords(program: Program): string {
  const words = program.lastLines().join(' | ');
  return words === '' ? ' It said nothing.' : ` The end of its log: ${words}`;
}
