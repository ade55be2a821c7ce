import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A wire between a client and a server that can be cut, blocked or made slow at the moment a test chooses. */
export interface TestProxy {
  readonly port: number;
  /** The next request that contains this never arrives: its connection is cut instead. Resolves when it has happened. */
  readonly cutBefore: (request: string) => Promise<void>;
  /** The next request that contains this is carried out, and its connection cut in place of the reply. */
  readonly cutAfter: (request: string) => Promise<void>;
  /** Connections that are open now stay open and carry nothing any more. New ones work. */
  readonly goSilent: () => void;
  /** Replies that contain this are swallowed. */
  readonly swallow: (reply: string) => void;
  /** Every reply takes so long. None overtakes another one. */
  readonly delay: (ms: number) => void;
  /** As if nothing had been. What is silent stays so. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

interface Cut {
  readonly when: 'before' | 'after';
  readonly request: string;
  readonly done: () => void;
}

export async function startProxy(targetPort: number): Promise<TestProxy> {
  const wires = new Set<{ readonly client: Socket; readonly server: Socket; silent: boolean }>();
  let cut: Cut | undefined;
  let swallowed: string | undefined;
  let delayMs = 0;

  const proxy = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const wire = { client, server, silent: false };
    let cutting: Cut | undefined;
    let lastReply = Promise.resolve();
    const end = () => {
      client.destroy();
      server.destroy();
      wires.delete(wire);
    };
    wires.add(wire);
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (!wire.silent) end();
      });
    }
    client.on('data', (request) => {
      if (wire.silent) return;
      if (cut !== undefined && request.includes(cut.request)) {
        cutting = cut;
        cut = undefined;
        if (cutting.when === 'before') {
          end();
          return cutting.done();
        }
      }
      server.write(request);
    });
    server.on('data', (reply) => {
      if (wire.silent || (swallowed !== undefined && reply.includes(swallowed))) return;
      if (cutting !== undefined) {
        end();
        return cutting.done();
      }
      const onItsWay = delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs));
      lastReply = Promise.all([lastReply, onItsWay]).then(() => void (client.writable && client.write(reply)));
    });
  });
  const port = await listen(proxy);

  const cutWhen = (when: Cut['when']) => (request: string) =>
    new Promise<void>((done) => {
      cut = { when, request, done };
    });
  return {
    port,
    cutBefore: cutWhen('before'),
    cutAfter: cutWhen('after'),
    goSilent: () => {
      for (const wire of wires) wire.silent = true;
    },
    swallow: (reply) => {
      swallowed = reply;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    heal: () => {
      cut = undefined;
      swallowed = undefined;
      delayMs = 0;
    },
    close: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const { client, server } of wires) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}
