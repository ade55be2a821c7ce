import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../json.ts';

/** What the example's tools write down when they begin and when they are done, whatever the bot says of it. */
const Line = z.object({ step: z.enum(['begun', 'done']), tool: z.string() });
export type Witnessed = z.infer<typeof Line>;

export interface Witness {
  readonly all: () => readonly Witnessed[];
  /** The next call that begins. */
  readonly next: () => Promise<Witnessed>;
}

/** A tool takes longer than this, so that it is still running when it is seen. */
const LOOK_EVERY_MS = 20;

export function witnessIn(file: string): Witness {
  const all = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .flatMap((line) => Line.safeParse(parseJson(line)).data ?? [])
      : [];
  const begun = () => all().filter(({ step }) => step === 'begun');
  return {
    all,
    next: async () => {
      const before = begun().length;
      for (;;) {
        const found = begun()[before];
        if (found !== undefined) return found;
        await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      }
    },
  };
}
