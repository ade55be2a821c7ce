import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../interventions/index.ts';
import { createTurns, nextTurn } from '../../time/index.ts';
import type { Tool, ToolRunHelp } from '../index.ts';
import { readDefinition, type ServerTool } from './definition.ts';
import { toolName } from './names.ts';
import type { ComparedPin, PinStanding, Pins } from './pins.ts';
import { offer, type ServerToolDeps } from './server-tool.ts';

/** What a server offers by its list and the pins. */
export interface Offered {
  readonly tools: readonly Tool[];
  /** How each tool that may be called compares with its pin, by the hash of its definition. */
  readonly standings: ReadonlyMap<string, PinStanding>;
  /** What this follows from. Absent where the comparison failed. */
  readonly of?: { readonly found: readonly ServerTool[]; readonly looks: readonly ComparedPin[] };
}

const NOTHING: Offered = { tools: [], standings: new Map() };

export interface OfferingDeps extends Omit<ServerToolDeps, 'call'> {
  readonly pins: Pins;
  readonly call: (tool: ServerTool, standing: PinStanding, input: Json, help: ToolRunHelp) => Promise<unknown>;
  /** Called when the server offers other tools than before. */
  readonly onChange: () => void;
}

export interface Offering {
  /** Takes a list of the server. */
  readonly list: (listed: readonly unknown[]) => void;
  /** Compares the tools with what is pinned by now, here and on other replicas. Never rejects. */
  readonly compare: () => Promise<void>;
  /** What followed from the last comparison. */
  readonly now: () => Offered;
}

/** What a server offers. Its list and the pins may change at any time, and a stale class would be wrong. */
export function createOffering(deps: OfferingDeps): Offering {
  const { settings, pins, log, onChange } = deps;
  const inTurn = createTurns();
  let listed: readonly unknown[] | undefined;
  /** The list that `found` was read from. */
  let read: readonly unknown[] | undefined;
  let found: readonly ServerTool[] | undefined;
  let offered = NOTHING;

  const lastSeen = async () =>
    (await pins.all()).flatMap(({ server, definition }) => (server === settings.name ? [definition] : []));
  const compareNow = async (): Promise<void> => {
    const before = offered;
    const list = listed;
    try {
      if (list !== undefined && list !== read) found = await readTools(list, deps);
      read = list;
      // A server that was not reached yet offers the tools it was last seen with: a call that waits for a person must find
      // its tool again, and then fail because the server is away.
      found ??= await readTools(await lastSeen(), deps);
      offered = await compareAll(found, before, deps);
      // The pins cannot be read or written. Without them a changed tool cannot be told from an unchanged one.
    } catch (error) {
      const about = { server: settings.name, error };
      log.error(
        'The tools of a server cannot be compared with what was allowed; none is offered until the store answers.',
        about,
      );
      offered = NOTHING;
    }
    if (offered !== before) onChange();
  };
  const compare = (): Promise<void> => inTurn(settings.name, compareNow);
  return {
    list: (list) => {
      listed = list;
      // A tool is pinned when it is seen, not when it is first used.
      void compare();
    },
    compare,
    now: () => offered,
  };
}

/** Compares the tools of a server with their pins, and pins those that are new. Returns `before` where nothing has changed. */
async function compareAll(found: readonly ServerTool[], before: Offered, deps: OfferingDeps): Promise<Offered> {
  const { settings, pins } = deps;
  const server = settings.name;
  const looks = await pins.see(
    found.map(({ name: tool, hash, definition }) => ({ server, tool, name: toolName(server, tool), hash, definition })),
  );
  const of = { found, looks };
  return isDeepStrictEqual(of, before.of) ? before : { ...(await offerAll(found, looks, deps)), of };
}

/** Other work has its turns meanwhile, as in `readTools`: a definition may have 64 KB. */
async function offerAll(
  found: readonly ServerTool[],
  looks: readonly ComparedPin[],
  { settings, policy, log, call }: OfferingDeps,
): Promise<Offered> {
  const server = settings.name;
  const tools: Tool[] = [];
  const standings = new Map<string, PinStanding>();
  for (const [place, tool] of found.entries()) {
    await turnBefore(place);
    const look = looks[place];
    if (look === undefined) continue;
    const callIt: ServerToolDeps['call'] = (each, ...rest) => call(each, look.standing, ...rest);
    const made = orUndefined(() => offer(tool, look, { settings, policy, log, call: callIt }));
    if (made === undefined)
      leaveOut(tool.name, 'its schema cannot be used, it changes again and again, or its server names ever new tools', {
        settings,
        log,
      });
    else {
      tools.push(made);
      standings.set(tool.hash, look.standing);
    }
    if (look.standing === 'changed')
      log.warn(
        'A tool has changed since it was allowed: it is guarded until you run npm run tools -- allow, with its name.',
        {
          server,
          tool: toolName(server, tool.name),
        },
      );
  }
  return { tools, standings };
}

/** The tools of a list. Leaves out tools that share a name, because it is not known which of them a call would reach. */
export async function readTools(
  listed: readonly unknown[],
  deps: Pick<OfferingDeps, 'settings' | 'log'>,
): Promise<readonly ServerTool[]> {
  const byName = new Map<string, ServerTool[]>();
  for (const [place, value] of listed.entries()) {
    await turnBefore(place);
    const read = readDefinition(value);
    if (!read.ok) {
      leaveOut(read.name, read.problem, deps);
      continue;
    }
    const name = toolName(deps.settings.name, read.tool.name);
    byName.set(name, [...(byName.get(name) ?? []), read.tool]);
  }
  return [...byName].flatMap(([name, [tool, another]]) => {
    if (tool === undefined) return [];
    if (another === undefined) return [tool];
    leaveOut(name, 'the server lists it more than once', deps);
    return [];
  });
}

async function turnBefore(place: number): Promise<void> {
  if (place > 0 && place % TOOLS_AT_ONCE === 0) await nextTurn();
}

const TOOLS_AT_ONCE = 5;

function leaveOut(tool: string, problem: string, { settings, log }: Pick<OfferingDeps, 'settings' | 'log'>): void {
  log.warn('A tool of a server is left out. Correct it there.', { server: settings.name, tool, problem });
}

/** Returns `undefined` if `make` throws. */
function orUndefined<Value>(make: () => Value): Value | undefined {
  try {
    return make();
    // Only its use shows that a schema is unusable. The caller logs the tool that is left out.
  } catch {
    return undefined;
  }
}
