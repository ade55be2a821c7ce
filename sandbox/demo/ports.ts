import { createServer } from 'node:net';

export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('The system gave no port. Try again.');
  return port;
}

/** Takes a port and gives it back. Returns the port, or `undefined` where another process has it. */
async function listenOnce(port: number): Promise<number | undefined> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return undefined;
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      const taken = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}
