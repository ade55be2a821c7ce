import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nextTurn, turnsByLength } from '../../../app/time/index.ts';
import { listen } from '../../support/listen.ts';

/** Two ends of a connection: what one writes waits for the other at once. */
let [near, far]: Socket[] = [];
const server = createServer();
beforeEach(async () => {
  const port = await listen(server);
  const taken = once(server, 'connection');
  near = connect(port, '127.0.0.1');
  [far] = await taken;
});
afterEach(() => {
  near?.destroy();
  server.close();
});

it.each<[string, (begin: () => void) => void]>([
  [
    'an answer',
    (begin) => {
      far?.once('data', begin);
      near?.write('begin');
    },
  ],
  ['a timer', (begin) => setTimeout(begin)],
  ['a turn', (begin) => setImmediate(begin)],
])(
  'work that goes on after a turn lets a waiting answer come first, also if it began with %s (EDGE-7)',
  async (_what, call) => {
    const happened: string[] = [];
    await new Promise<void>((resolve) => {
      call(async () => {
        far?.once('data', () => happened.push('the answer'));
        near?.write('an answer');
        await nextTurn();
        happened.push('the next turn');
        resolve();
      });
    });

    expect(happened).toEqual(['the answer', 'the next turn']);
  },
);

it('long texts give other work a turn whenever they are long together, and short ones do not wait (EDGE-7)', async () => {
  const turnAfter = turnsByLength();
  let turns = 0;
  const worked = async (chars: number) => {
    const turn = nextTurn().then(() => 'a turn');
    const waited = turnAfter(chars).then(() => 'no turn');
    if ((await Promise.race([waited, turn])) === 'a turn') turns += 1;
    await turn;
  };
  for (let times = 0; times < 10; times += 1) await worked(150_000);

  expect(turns).toBe(2);
});
