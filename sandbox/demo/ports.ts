import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const LAST_PORT = 65_535;

export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

/** Below those that a system gives to whoever connects: one that is free now must still be free when a program uses it. */
const FROM = 20_000;
const TO = 32_000;
const TRIES = 100;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FROM, TO);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${FROM} to ${TO} is free. End what listens there and try again.`);
}

/** Takes a port and gives it back. Returns the port, or `undefined` where another process has it. */
async function listenOnce(port: number): Promise<number | undefined> {
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) return undefined;
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
