import { keepNewest } from '../../app/time/index.ts';
import type { Job } from './queue.ts';

/** What messages and pages show, as Slack last took it from this process. */
export interface LastShown {
  /** Slack's answer to the same edit, if the place shows exactly that already. */
  readonly answerTo: (job: Job) => { readonly answer: unknown } | undefined;
  readonly taken: (job: Job, answer: unknown) => void;
  /** Slack may show something else from now on. */
  readonly unsure: (job: Job) => void;
}

const MOST_KNOWN = 1_000;

/** For a process that writes alone. Beside others, a place may show what another process sent there last. */
export function createLastShown(): LastShown {
  const known = new Map<string, { readonly shows: string; readonly answer: unknown }>();
  return {
    answerTo: ({ same, shows }) => {
      const last = same === undefined ? undefined : known.get(same);
      return last !== undefined && last.shows === shows ? last : undefined;
    },
    taken: ({ same, shows }, answer) => {
      if (same !== undefined && shows !== undefined) keepNewest(known, same, { shows, answer }, MOST_KNOWN);
    },
    unsure: ({ same }) => {
      if (same !== undefined) known.delete(same);
    },
  };
}

/** Every place is a stranger, and each edit is sent. */
export const NOTHING_KNOWN: LastShown = { answerTo: () => undefined, taken: () => {}, unsure: () => {} };
