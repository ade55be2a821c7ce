import type { EntryBody } from '../../app/journal/facts/entries.ts';
import type { RunState } from '../../app/journal/fold/state.ts';
import { idAt, type Journal } from './journal.ts';
import { type Actor, type Stage, type Step, type World, withActor } from './world.ts';

/**
 * The recorder in single steps. It decides on the state it knows and appends at that version. If another writer was
 * faster, it reads what is new and decides again. If the reply is lost, it sends the same append a second time.
 */
export function commit<Result>(
  { core, library }: Stage,
  world: World,
  index: number,
  { name, decide, next }: Wish<Result>,
): readonly Step[] {
  const actor = actorAt(world, index);
  const label = `${actor.name} ${name}`;
  const { entries, result, notAfterMs } = decide(actor.known.state, world.nowMs);
  if (entries.length === 0) return [{ name: label, world: withActor(world, index, next(actor, result)) }];

  const expectedVersion = actor.known.version;
  if (!core.fits(expectedVersion, world.journal.version)) {
    return [conflict(label, world, index, actor)];
  }
  if (notAfterMs !== undefined && core.isLate(world.nowMs, notAfterMs)) {
    return [{ name: `${label}: late`, world: withActor(world, index, next(actor, 'late')) }];
  }
  const stamped = entries.map((body, position) => ({
    ...body,
    id: `${actor.name}.${actor.type === 'replica' ? actor.life : 0}.${expectedVersion + position}`,
    // No rule reads this value, so it must not make two worlds different.
    atMs: 0,
  }));
  const journal = library.append(world.journal, stamped);
  const known = library.append(actor.known, stamped);
  const after = next({ ...actor, known }, result);
  const answered = { name: label, world: withActor(world, index, after, { journal }) };
  if (world.left.loseReply === 0) return [answered];

  const ids = stamped.map(({ id }) => id);
  const waiting: Actor = { ...actor, sent: { expectedVersion, ids, written: known, next: after } };
  const left = { ...world.left, loseReply: world.left.loseReply - 1 };
  return [answered, { name: `${label}, reply lost`, world: withActor(world, index, waiting, { journal, left }) }];
}

export interface Wish<Result> {
  readonly name: string;
  readonly decide: (state: RunState, nowMs: number) => Decided<Result>;
  /** The next step of the actor with this result. `late`: the store's clock refused the append. */
  readonly next: (actor: Actor, result: Result | 'late') => Actor;
}

interface Decided<Result> {
  readonly entries: readonly EntryBody[];
  readonly result: Result;
  readonly notAfterMs?: number;
}

/** Sends the same append again. A store that remembers it answers `already`. */
export function sendAgain({ core, library }: Stage, world: World, index: number): readonly Step[] {
  const { sent, ...actor } = actorAt(world, index);
  if (sent === undefined) return [];
  const { expectedVersion, ids, written, next } = sent;
  const name = `${actor.name} sends it again`;
  if (core.knows(ids[0] ?? '', idAt(world.journal, expectedVersion))) {
    return [{ name, world: withActor(world, index, next) }];
  }
  if (core.fits(expectedVersion, world.journal.version)) {
    const journal = library.append(world.journal, entriesSince(written, expectedVersion));
    return [{ name: `${name}: written twice`, world: withActor(world, index, next, { journal }) }];
  }
  // A conflict: another writer's entry has that version. It reads, and decides again.
  return [conflict(name, world, index, actor)];
}

function conflict(name: string, world: World, index: number, actor: Actor): Step {
  const next = withActor(world, index, { ...actor, known: world.journal });
  return { name: `${name}: conflict, reads`, world: next, rereads: true };
}

function entriesSince(journal: Journal, version: number) {
  const entries = [];
  for (let at: Journal | undefined = journal; at !== undefined && at.version > version; at = at.before) {
    entries.unshift(at.entry);
  }
  return entries;
}

export function actorAt(world: World, index: number): Actor {
  const actor = world.actors[index];
  if (actor === undefined) throw new Error(`There is no actor ${index}.`);
  return actor;
}
