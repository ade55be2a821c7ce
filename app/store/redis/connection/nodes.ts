import { Cluster, type Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.ts';
import type { Client } from './clients.ts';

/** The answer of one primary, with its name where there are several. */
export interface NodeAnswer {
  readonly node?: string;
  readonly reply: unknown;
}

/** Asks one server, or every primary of a Cluster: each has its own setup and keeps a part of the facts. */
export async function fromEach(client: Client, command: string): Promise<readonly NodeAnswer[]> {
  if (!(client instanceof Cluster)) return [{ reply: await client.call(command) }];
  const nodes = await primaries(client);
  return Promise.all(nodes.map(async (node) => ({ node: nameOf(node), reply: await node.call(command) })));
}

/** Every node that has slots. Rejects when one is not known, because facts that only it has would not be found. */
export async function primaries(client: Client): Promise<readonly Redis[]> {
  if (!(client instanceof Cluster)) return [client];
  // The client learns of a new node only when another node redirects a command to it.
  await new Promise<void>((resolve, reject) => {
    client.refreshSlotsCache((error) => (error ? reject(error) : resolve()));
  });
  const names = new Set(client.slots.flatMap(([primary]) => primary ?? []));
  return [...names].map((name) => nodeNamed(client, name));
}

/** The node that has this slot, as far as the client knows. */
export function primaryOf(cluster: Cluster, slot: number): Redis {
  return nodeNamed(cluster, cluster.slots[slot]?.[0]);
}

function nodeNamed(cluster: Cluster, name: string | undefined): Redis {
  const node = cluster.nodes('master').find((known) => nameOf(known) === name);
  if (node !== undefined) return node;
  throw new StoreUnavailableError('A node of the Redis Cluster is not known at the moment. Asking again is safe.');
}

function nameOf({ options }: Redis): string {
  return `${options.host}:${options.port}`;
}
