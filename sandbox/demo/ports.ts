import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const LAST_PORT = 65_535;

/** Takes a port and gives it back. */
export async function isFree(port: number): Promise<boolean> {
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) return false;
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Below the ports that a system gives to connections: a port that is free now must still be free when a program uses it. */
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
