import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startRedis } from '../../sandbox/demo/store/redis.ts';
import { folderOfTest } from '../support/folder.ts';

/** A program in the place of Redis: it hangs up, then says nothing, then that it is loading. It notes when it says that it is there. */
function slowToAnswer(folder: string): string {
  const file = join(folder, 'redis-server');
  const source = `#!${process.execPath}
    const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
    let connections = 0;
    require('node:net').createServer((socket) => {
      connections += 1;
      if (connections === 1) socket.end();
      if (connections === 3) socket.end('-LOADING Redis is loading the dataset in memory\\r\\n');
      if (connections < 4) return;
      require('node:fs').writeFileSync(__filename + '.ready', '');
      socket.end('+PONG\\r\\n');
    }).listen(port, '127.0.0.1');`;
  writeFileSync(file, source);
  chmodSync(file, 0o755);
  return file;
}

it('a Redis that hangs up, says nothing or is loading while it starts is asked again (DEMO-2)', async () => {
  const folder = folderOfTest('redis');
  const program = slowToAnswer(folder);
  const redis = await startRedis(program, join(folder, 'data'));
  const isReady = existsSync(`${program}.ready`);
  await redis.stop();

  expect(isReady).toBe(true);
});
