import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this computer that can be made slow. */
export interface SlowLink {
  readonly port: number;
  /** How long each answer of the server takes from now on. */
  readonly delay: (ms: number) => void;
  readonly close: () => void;
}

export async function slowLinkTo(port: number): Promise<SlowLink> {
  let delayMs = 0;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.on('data', (data) => far.write(data));
    let dueAtMs = 0;
    far.on('data', (data) => {
      // Answers stay in order, also when the link gets fast again.
      dueAtMs = Math.max(dueAtMs, performance.now() + delayMs);
      if (delayMs === 0 && dueAtMs <= performance.now()) near.write(data);
      else setTimeout(() => near.write(data), dueAtMs - performance.now());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    delay: (ms) => {
      delayMs = ms;
    },
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
