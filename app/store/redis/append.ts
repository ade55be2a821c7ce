import { refuseItems } from '../check.ts';
import { dueWord } from '../due.ts';
import {
  approvalKey,
  dueKey,
  inboxKey,
  indexKey,
  itemsKey,
  journalKey,
  shardOfId,
  threadKey,
  todoKey,
  wakeChannel,
} from '../keys.ts';
import type { AppendAnswer, AppendRequest, Effect, Hint } from '../store.ts';
import type { Link } from './connection/link.ts';
import { listIn, numberIn } from './replies.ts';
import { run } from './script.ts';
import { APPEND } from './scripts.ts';

export interface Publishing {
  readonly database: number;
  /** In a Cluster a plain PUBLISH counts the receivers of its own node only. */
  readonly command: 'PUBLISH' | 'SPUBLISH';
}

export async function append(link: Link, request: AppendRequest, publishing: Publishing): Promise<AppendAnswer> {
  const { journal, expectedVersion, follows, entries, items = [], itemsFrom, effects, notAfterMs } = request;
  const steps = effects.map((effect) => stepOf(effect, request, publishing));
  // KEYS names every key once, so that a Cluster finds the node.
  const touched = steps.flatMap(({ key, looksAt = [] }) => [key, ...looksAt]);
  const keys = [...new Set([journalKey(journal), itemsKey(journal), ...touched])];
  const numberOf = (key: string) => keys.indexOf(key) + 1;
  const args = [
    expectedVersion,
    notAfterMs ?? '',
    entries.length,
    items.length,
    itemsFrom ?? '',
    `${entries[0]?.id} `,
    follows === undefined ? '' : `${follows} `,
    ...entries.map(({ id, text }) => `${id} ${text}`),
    ...items,
    ...steps.flatMap(({ name, key, values, looksAt = [] }) => {
      const all = [...values, ...looksAt.map(numberOf)];
      return [name, numberOf(key), all.length, ...all];
    }),
  ];
  return readAnswer(await run(link, APPEND, keys, args), request);
}

/** One change of one key, which the script makes. */
interface Step {
  readonly name: string;
  readonly key: string;
  readonly values: readonly (string | number)[];
  /** Other keys that the change depends on. Their numbers follow the values. */
  readonly looksAt?: readonly string[];
}

function stepOf(effect: Effect, request: AppendRequest, publishing: Publishing): Step {
  const shard = shardOfId(request.journal);
  switch (effect.type) {
    case 'due':
      return { name: 'at', key: dueKey(shard), values: [effect.atMs, dueWord(effect.item)] };
    case 'not-due':
      return { name: 'not-at', key: dueKey(shard), values: [dueWord(effect.item)] };
    case 'todo':
      return { name: 'unless', key: todoKey(shard), values: [effect.inMs, effect.thread] };
    case 'not-todo':
      return { name: 'not-at', key: todoKey(shard), values: [effect.thread] };
    case 'got-further':
      return { name: 'no-field', key: threadKey(shard, effect.thread), values: ['deaths'] };
    case 'approval':
      return { name: 'put', key: approvalKey(effect.approval), values: [effect.run] };
    case 'member':
    case 'not-member':
      return { name: effect.type, key: indexKey(shard, effect.index), values: [effect.member] };
    case 'current-run':
      return effect.run === undefined
        ? { name: 'no-field', key: threadKey(shard, effect.thread), values: ['run'] }
        : { name: 'field', key: threadKey(shard, effect.thread), values: ['run', effect.run] };
    case 'run-over':
      return {
        name: effect.type,
        key: indexKey(shard, effect.index),
        values: [effect.thread, effect.run],
        looksAt: [threadKey(shard, effect.thread)],
      };
    case 'still-current':
      return { name: 'is', key: threadKey(shard, effect.thread), values: ['run', effect.run] };
    case 'drop-inbox':
      return { name: 'drop', key: inboxKey(shard, effect.thread), values: effect.keys.map(startOfElement) };
    case 'hint':
      return {
        name: 'publish',
        key: wakeChannel(shard, publishing.database),
        values: [publishing.command, JSON.stringify(withEntries(effect.hint, request))],
      };
  }
}

/** Each process gets every hint, and only one of them waits for it. */
const MOST_CHARS = 1_000;

/** A hint that brings the entries of its append, if they are short. */
export function withEntries(hint: Hint, { entries }: Pick<AppendRequest, 'entries'>): Hint {
  const chars = entries.reduce((sum, { text }) => sum + text.length, 0);
  return chars > MOST_CHARS ? hint : { ...hint, entries };
}

/** JSON text never holds a bare newline, so the first newline ends the key. */
export function startOfElement(key: string): string {
  return `${JSON.stringify(key)}\n`;
}

function readAnswer(reply: unknown, request: AppendRequest): AppendAnswer {
  const [type, value, receivers] = listIn(reply);
  switch (type) {
    case 'ok':
      return { type, version: numberIn(value), receivers: numberIn(receivers) };
    case 'already':
    case 'conflict':
      return { type, version: numberIn(value) };
    case 'items':
      return refuseItems(request, numberIn(value));
    default:
      return { type: 'late', nowMs: numberIn(value) };
  }
}
