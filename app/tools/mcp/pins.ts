import type { Json } from '../../../interventions/index.ts';
import type { ToolPinned } from '../../journal/index.ts';
import type { PinFact, PinsJournal } from '../../recorder/index.ts';
import { SERVER_LIMITS } from './limits.ts';

/** Is a tool still what it was when it was pinned or last allowed? */
export type PinStanding = 'as-pinned' | 'changed' | 'changes-too-often';

export interface Seen {
  readonly server: string;
  /** The name that the server uses. */
  readonly tool: string;
  /** The name that the model and people see. */
  readonly name: string;
  readonly hash: string;
  readonly definition: Json;
}

export interface Pin extends Seen {
  /** The allowed definition: the first one seen, or the one allowed since. */
  readonly allowed: { readonly hash: string; readonly definition: Json; readonly at: string };
  /** How often the definition has changed since. */
  readonly changes: number;
}

export interface ComparedPin {
  readonly standing: PinStanding;
  /** The allowed definition. It is the seen one, unless that has changed. */
  readonly allowed: Json;
}

export interface Pins {
  /** Compares tools with their pins, and stores what is new before it resolves. A tool seen for the first time is pinned. */
  readonly see: (seen: readonly Seen[]) => Promise<readonly ComparedPin[]>;
  /** Allows a tool as it was last seen. `undefined` for an unknown tool, or one that was last seen with another hash. */
  readonly allow: (name: string, hashStart?: string) => Promise<Pin | undefined>;
  readonly all: () => Promise<readonly Pin[]>;
}

/**
 * The definitions of tools of servers as they were first seen or last allowed, on any replica. Each event adds one entry and
 * none is changed, so that replicas and the command may write at the same time.
 */
export function createPins({ settle }: PinsJournal): Pins {
  return {
    see: async (seen) => {
      const look = (facts: readonly PinFact[]) => compareAll(fold(facts), seen);
      const facts = await settle((known) =>
        look(known).flatMap(({ each, news }) => (news === undefined ? [] : [pinned(news, each)])),
      );
      return look(facts).map(({ standing, allowed }) => ({ standing, allowed }));
    },
    allow: async (name, hashStart = '') => {
      const find = (facts: readonly PinFact[]): Pin | undefined => {
        const pin = [...fold(facts).values()].find((each) => each.name === name);
        return pin?.hash.startsWith(hashStart) === true ? pin : undefined;
      };
      return find(
        await settle((known) => {
          const pin = find(known);
          return pin === undefined || pin.changes === 0 ? [] : [pinned('allowed', pin)];
        }),
      );
    },
    all: async () => [...fold(await settle(() => [])).values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function pinned(how: ToolPinned['how'], { server, tool, name, hash, definition }: Seen): ToolPinned {
  return { type: 'tool-pinned', how, server, tool, name, toolHash: hash, definition };
}

function compareAll(pins: ReadonlyMap<string, Pin>, seen: readonly Seen[]) {
  const names = new Map<string, number>();
  for (const { server } of pins.values()) names.set(server, (names.get(server) ?? 0) + 1);
  return seen.map((each) => {
    const pin = pins.get(keyOf(each));
    const before = names.get(each.server) ?? 0;
    if (pin === undefined) names.set(each.server, before + 1);
    return { each, ...compare(pin, each, before) };
  });
}

/** `names`: of how many tools the server has pins. */
function compare(
  pin: Pin | undefined,
  { hash, definition }: Seen,
  names: number,
): ComparedPin & { readonly news?: 'pinned' | 'seen' } {
  if (pin === undefined)
    return names < SERVER_LIMITS.namesKept
      ? { standing: 'as-pinned', allowed: definition, news: 'pinned' }
      : { standing: 'changes-too-often', allowed: definition };
  const allowed = pin.allowed.definition;
  const standing = pin.allowed.hash === hash ? 'as-pinned' : 'changed';
  if (pin.hash === hash) return { standing, allowed };
  return pin.changes < SERVER_LIMITS.changesKept
    ? { standing, allowed, news: 'seen' }
    : { standing: 'changes-too-often', allowed };
}

function fold(facts: readonly PinFact[]): ReadonlyMap<string, Pin> {
  const pins = new Map<string, Pin>();
  for (const { how, toolHash: hash, at, atMs, server, tool, name, definition } of inOrder(facts)) {
    const seen = { server, tool, name, hash, definition };
    const before = pins.get(keyOf(seen));
    const allowed = { hash, definition, at: at ?? new Date(atMs).toISOString() };
    if (before === undefined || how === 'allowed') pins.set(keyOf(seen), { ...seen, allowed, changes: 0 });
    // Two replicas may both pin a new tool. The earlier pin stands.
    else if (before.hash !== hash)
      pins.set(keyOf(seen), { ...seen, allowed: before.allowed, changes: before.changes + 1 });
  }
  return pins;
}

/**
 * What was moved from a file of an older version comes first, by its own time. So a replica that was started before the file
 * was moved, and pinned what it saw then, does not hide a change.
 */
function inOrder(facts: readonly PinFact[]): readonly PinFact[] {
  const moved = facts.filter(({ at }) => at !== undefined);
  if (moved.length === 0) return facts;
  return [
    ...moved.toSorted((one, other) => timeOf(one) - timeOf(other)),
    ...facts.filter(({ at }) => at === undefined),
  ];
}

function timeOf({ at = '' }: PinFact): number {
  return Date.parse(at);
}

function keyOf({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return JSON.stringify([server, tool]);
}
