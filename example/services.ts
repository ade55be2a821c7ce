import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

/** A make-believe company: four services and some databases, in one file that anybody can read. */
const World = z.object({
  services: z.record(z.string(), z.object({ status: z.enum(['running', 'degraded']), restarts: z.number() })),
  databases: z.array(z.string()),
  /** Databases that were taken out of use and can be brought back. */
  archived: z.array(z.string()).default([]),
});
export type World = z.infer<typeof World>;

export const SERVICES = ['payments', 'search', 'billing', 'mail'] as const;

const START: World = {
  services: {
    payments: { status: 'degraded', restarts: 0 },
    search: { status: 'running', restarts: 0 },
    billing: { status: 'running', restarts: 0 },
    mail: { status: 'running', restarts: 0 },
  },
  databases: ['payments', 'payments_old', 'search_old', 'mail_old', 'customers'],
  archived: [],
};

const folder = () => process.env.DATA_DIR ?? '.data';
const worldFile = () => join(folder(), 'services.json');

export function readWorld(): World {
  // No file: nobody has touched anything yet.
  return existsSync(worldFile()) ? World.parse(JSON.parse(readFileSync(worldFile(), 'utf8'))) : START;
}

/** Reads, changes and writes with nothing in between, so that calls at the same time do not undo each other. */
export function changeWorld(change: (world: World) => World): void {
  const world = change(readWorld());
  mkdirSync(folder(), { recursive: true });
  const draft = `${worldFile()}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(world, null, 2)}\n`);
  renameSync(draft, worldFile());
}

/**
 * Does the work between two lines in `actions.jsonl`, so that it can be seen afterwards what began, what was done, and
 * how often. EXAMPLE_TOOL_MS makes the work take longer, to watch what happens when the bot dies in the middle.
 */
export async function witnessed<Result>(
  call: { readonly tool: string; readonly key: string; readonly input: unknown; readonly signal: AbortSignal },
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const { signal, ...facts } = call;
  note({ step: 'begun', ...facts });
  await pause(Number(process.env.EXAMPLE_TOOL_MS ?? 200), undefined, { signal });
  const result = await work();
  note({ step: 'done', ...facts });
  return result;
}

/** Writes a line into `actions.jsonl`. */
export function note(fact: Readonly<Record<string, unknown>>): void {
  mkdirSync(folder(), { recursive: true });
  appendFileSync(join(folder(), 'actions.jsonl'), `${JSON.stringify({ at: new Date().toISOString(), ...fact })}\n`);
}
