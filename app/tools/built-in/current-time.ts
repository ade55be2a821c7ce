import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { Tool } from '../tool.ts';

export function currentTime({ now }: { readonly now: () => number }): Tool {
  const tool = defineTool({
    name: 'current_time',
    description:
      'The date and time now, in UTC and in the time zone you name. Use it whenever an answer depends on today or now.',
    input: z.object({
      timeZone: z.string().max(64).refine(isTimeZone, 'is not an IANA time zone such as Europe/Berlin').default('UTC'),
    }),
    effect: 'open',
    because: 'It reads a clock: nothing is changed, nothing is sent, nothing private is read.',
    idempotent: true,
    summarise: ({ timeZone }) => `Look up the time in ${timeZone}.`,
    run: ({ timeZone }) => {
      const date = new Date(now());
      const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(date);
      return `${date.toISOString()} is ${local} in ${timeZone}.`;
    },
  });
  return { ...tool, origin: 'built in' };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: name });
    return true;
    // `Intl` throws for a name that it does not know.
  } catch {
    return false;
  }
}
