import { type RedisServer, startRedisServer } from './redis.ts';
import { freePort } from './servers.ts';

export interface RedisCluster {
  readonly url: string;
  /** Its primaries. */
  readonly servers: readonly RedisServer[];
  /** Resolves when the replica has all that its primary has. */
  readonly addReplica: (primary: RedisServer) => Promise<RedisServer>;
  readonly empty: () => Promise<void>;
  /** Moves the slot of this key, with all that is in it, to the node beside the one that has it now. */
  readonly moveSlotOf: (key: string) => Promise<void>;
  /** Kills the node that has this key. Resolves with what starts it again, on its own files. */
  readonly loseNodeOf: (key: string) => Promise<{ readonly bringBack: () => Promise<void> }>;
  /** Cuts every connection that listens. */
  readonly cutListeners: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const SLOTS = 16_384;

/** Nodes on this machine that share the slots among them. */
export async function startRedisCluster(size = 3): Promise<RedisCluster> {
  const servers = await Promise.all(Array.from({ length: size }, startNode));
  const replicas: RedisServer[] = [];
  const [first] = servers;

  for (const [index, { admin, port, busPort }] of servers.entries()) {
    const from = Math.floor((index * SLOTS) / servers.length);
    const to = Math.floor(((index + 1) * SLOTS) / servers.length) - 1;
    await admin.call('cluster', 'addslotsrange', from, to);
    // Two nodes that start with the same epoch would have to argue first.
    await admin.call('cluster', 'set-config-epoch', index + 1);
    await first?.admin.call('cluster', 'meet', '127.0.0.1', port, busPort);
  }
  const agreed = async () => {
    const infos = await Promise.all(servers.map(({ admin }) => admin.call('cluster', 'info')));
    return infos.every(
      (info) => /cluster_state:ok/.test(`${info}`) && `${info}`.includes(`cluster_known_nodes:${size}\r`),
    );
  };
  while (!(await agreed())) await pause();

  const nodesFor = async (key: string) => {
    const slot = Number(await first?.admin.call('cluster', 'keyslot', key));
    const nodes = await Promise.all(
      servers.map(async (server) => {
        const { admin, port } = server;
        const id = `${await admin.call('cluster', 'myid')}`;
        const lines = `${await admin.call('cluster', 'nodes')}`.split('\n');
        const [, , , , , , , , ...ranges] = lines.find((line) => line.startsWith(id))?.split(' ') ?? [];
        const has = ranges.some((range) => {
          const [from = 0, to = from] = range.split('-').map(Number);
          return from <= slot && slot <= to;
        });
        return { id, admin, port, has, server };
      }),
    );
    return { slot, nodes };
  };

  return {
    servers,
    addReplica: async (primary) => {
      const { admin, busPort, ...replica } = await startNode();
      replicas.push(replica);
      const leader = primary.client();
      await leader.call('cluster', 'meet', '127.0.0.1', replica.port, busPort);
      const id = `${await leader.call('cluster', 'myid')}`;
      // It can only follow a node that it has heard of.
      while (!(await admin.call('cluster', 'replicate', id).catch(() => false))) await pause();
      while (!/master_link_status:up/.test(await admin.info('replication'))) await pause();
      return replica;
    },
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    empty: async () => {
      await Promise.all(servers.map(({ admin }) => admin.flushall()));
    },
    moveSlotOf: async (key) => {
      const { slot, nodes } = await nodesFor(key);
      const at = nodes.findIndex(({ has }) => has);
      const source = nodes[at];
      const target = nodes[(at + 1) % nodes.length];
      if (source === undefined || target === undefined) throw new Error(`No node has slot ${slot}.`);

      await target.admin.call('cluster', 'setslot', slot, 'importing', source.id);
      await source.admin.call('cluster', 'setslot', slot, 'migrating', target.id);
      for (;;) {
        const keys = await source.admin.call('cluster', 'getkeysinslot', slot, 100);
        if (!Array.isArray(keys) || keys.length === 0) break;
        await source.admin.call('migrate', '127.0.0.1', target.port, '', 0, 5_000, 'KEYS', ...keys);
      }
      for (const { admin } of [target, source, ...nodes]) {
        await admin.call('cluster', 'setslot', slot, 'node', target.id);
      }
    },
    loseNodeOf: async (key) => {
      const lost = (await nodesFor(key)).nodes.find(({ has }) => has)?.server;
      if (lost === undefined) throw new Error(`No node has the slot of ${key}.`);
      await lost.kill();
      return {
        bringBack: async () => {
          await lost.start();
          while (!(await agreed())) await pause();
        },
      };
    },
    cutListeners: async () => {
      await Promise.all(servers.map(({ admin }) => admin.call('client', 'kill', 'type', 'pubsub')));
    },
    remove: async () => {
      await Promise.all([...servers, ...replicas].map(({ remove }) => remove()));
    },
  };
}

async function startNode() {
  const busPort = await freePort();
  const settings = { 'cluster-enabled': 'yes', 'cluster-port': `${busPort}`, 'cluster-node-timeout': '2000' };
  const server = await startRedisServer(...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]));
  return { ...server, busPort, admin: server.client() };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
