import { readFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import { listen } from './listen.ts';

const FOLDER = 'test/fixtures/unknown-authority';

/** A server whose certificate is signed by an authority that Node does not know. */
export async function startOfUnknownAuthority() {
  const keys = { key: readFileSync(`${FOLDER}/key.pem`), cert: readFileSync(`${FOLDER}/certificate.pem`) };
  const server = createServer(keys);
  const port = await listen(server);
  return { redisUrl: `rediss://localhost:${port}`, stop: () => server.close() };
}
