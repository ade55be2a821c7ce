import type { CallOutcome } from '../../../app/records/index.ts';
import { join, type Mrkdwn, mrkdwn } from '../kit/blocks.ts';

/** Small phrases that several views share. */

export function inWords(ms: number): string {
  const span = Math.max(0, ms) || 0;
  if (span < 1_000) return `${Math.round(span)} ms`;
  if (span < 59_950) return `${(span / 1_000).toFixed(1)} s`;
  const minutes = Math.round(span / 60_000);
  if (minutes < 60) return count(minutes, 'minute');
  const hours = Math.round(span / 3_600_000);
  if (hours < 48) return count(hours, 'hour');
  return count(Math.round(span / 86_400_000), 'day');
}

/** How long a person took, in words. */
export function waited(ms: number): string {
  return ms < 1_000 ? 'at once' : `after ${ms < 59_950 ? count(Math.round(ms / 1_000), 'second') : inWords(ms)}`;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

export function listed(people: readonly Mrkdwn[], word: 'and' | 'or'): Mrkdwn {
  const last = people.at(-1);
  if (last === undefined) return mrkdwn`nobody`;
  if (people.length === 1) return last;
  return join([join(people.slice(0, -1), ', '), last], ` ${word} `);
}

const atLimit = (limitMs: number | undefined): string =>
  limitMs === undefined ? '' : ` It was told to stop at its time limit of ${inWords(limitMs)}.`;

/** How the call came out, in a sentence. */
export function outcomeText(outcome: CallOutcome): string {
  switch (outcome.type) {
    case 'waiting':
      return 'Not started yet.';
    case 'running':
      // The tool may have ended already, while its end still waits to be stored.
      return 'Started, and not finished as far as I know.';
    case 'ran':
      return `Ran in ${inWords(outcome.ms)}.`;
    case 'failed':
      return outcome.stopped === true
        ? `Ran for ${inWords(outcome.ms)} and was stopped.`
        : `Ran for ${inWords(outcome.ms)} and failed.${atLimit(outcome.limitMs)}`;
    case 'unknown':
      return `It may or may not have run.${atLimit(outcome.limitMs)} Check before you run it again.`;
    case 'not-applied':
      return 'Not run: its approval stopped counting before it could start.';
  }
}
