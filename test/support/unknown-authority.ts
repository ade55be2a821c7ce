import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

const FOLDER = 'test/fixtures/unknown-authority';

/** A server whose certificate is signed by an authority that Node does not know. */
export async function startOfUnknownAuthority() {
  const keys = { key: readFileSync(`${FOLDER}/key.pem`), cert: readFileSync(`${FOLDER}/certificate.pem`) };
  const server = createServer(keys).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this kind. The type also knows sockets of files.
  const { port } = server.address() as AddressInfo;
  return { redisUrl: `rediss://localhost:${port}`, stop: () => server.close() };
}
