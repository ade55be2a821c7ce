import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startRedis } from '../../sandbox/demo/store/redis.ts';
import { folderOfTest } from '../support/folder.ts';

/** A program in the place of Redis, which counts its connections and answers to none of the first two. */
function slowToAnswer(folder: string): string {
  const file = join(folder, 'redis-server');
  const source = `#!${process.execPath}
    const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
    let connections = 0;
    require('node:net').createServer((socket) => {
      connections += 1;
      if (connections === 1) socket.end();
      if (connections > 2) socket.end('+PONG ' + connections + '\\r\\n');
    }).listen(port, '127.0.0.1');`;
  writeFileSync(file, source);
  chmodSync(file, 0o755);
  return file;
}

it('a Redis that hangs up, or says nothing, while it starts is asked again (DEMO-2)', async () => {
  const folder = folderOfTest('redis');
  const redis = await startRedis(slowToAnswer(folder), join(folder, 'data'));
  await redis.stop();

  expect(redis.port).toBeGreaterThan(0);
});
