import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { UserId } from '../../app/records/index.ts';
import { ANN, TEAM } from '../../sandbox/people.ts';
import { atEnd } from '../at-end.ts';
import { type DurableBot, startDurableBot } from '../durable/bot.ts';
import { diskFolder } from '../folders.ts';
import { type Figure, median } from '../measure.ts';
import { NO_REDIS } from '../redis-server.ts';
import type { Bench, Part } from '../rounds.ts';
import { addPending } from './pending.ts';
import { BARE, Told } from './waiter.ts';

const WAITER = fileURLToPath(new URL('waiter.ts', import.meta.url));
const PRESSES = 50;
const MICROS = 1_000;
const BY = { user: UserId.parse(ANN), team: TEAM };

/** Measured once, after the rounds: each figure has more approvals in the store than the one before. */
export const awakePart: Part = {
  title: 'Redis: from a press in one process until the process that waits for it is awake, beside a bare publish',
  open: async ({ redis, size }) =>
    redis === undefined
      ? { figures: () => [], notes: [NO_REDIS] }
      : { figures: () => awakeFigures(redis.freshUrl(), size) },
};

async function awakeFigures(redisUrl: string, { besides, warmUp }: Bench['size']): Promise<readonly Figure[]> {
  const dataDir = diskFolder();
  const waiter = await startWaiter(redisUrl, dataDir);
  const decides = await startDurableBot({ dataDir, redisUrl }, { onlyDecides: true });
  const publisher = new Redis(redisUrl);
  const figures: Figure[] = [];
  let there = 0;
  await measured(warmUp, waiter, decides, publisher);
  for (const many of besides) {
    await addPending(redisUrl, many - there, dataDir);
    there = many;
    const { hop, press } = await measured(PRESSES, waiter, decides, publisher);
    const where = `with ${(many + 1).toLocaleString('en')} pending`;
    figures.push(
      { what: `${where}: a bare publish, until the other process hears it`, value: hop, unit: 'µs' },
      { what: `${where}: a press, until the other process is awake`, value: press, unit: 'µs', target: 2 * hop },
    );
  }
  publisher.disconnect();
  await decides.close();
  waiter.kill();
  return figures;
}

/** The medians of both in microseconds, measured in turn. */
async function measured(times: number, waiter: Waiter, { approvals }: DurableBot, publisher: Redis) {
  const [hops, presses]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    const heard = waiter.tells('heardAtNs');
    const publishedNs = nowNs();
    await publisher.publish(BARE, 'x');
    hops.push(((await heard).heardAtNs - publishedNs) / MICROS);

    const card = await waiter.asks();
    const awake = waiter.tells('awakeAtNs');
    const pressedNs = nowNs();
    const decided = approvals.decide({ ...card, verdict: 'approve', by: BY, from: { type: 'full-view' } });
    presses.push(((await awake).awakeAtNs - pressedNs) / MICROS);
    await decided;
  }
  return { hop: median(hops), press: median(presses) };
}

const nowNs = () => Number(process.hrtime.bigint());

type Telling = {
  readonly [Name in 'asked' | 'heardAtNs' | 'awakeAtNs' | 'isOpen']: Extract<Told, Record<Name, unknown>>;
};

interface Waiter {
  readonly tells: <Name extends keyof Telling>(name: Name) => Promise<Telling[Name]>;
  /** Asks people about one more call, and resolves with what its card names, once that stands in its thread. */
  readonly asks: () => Promise<Telling['asked']['asked']>;
  readonly kill: () => void;
}

async function startWaiter(redisUrl: string, dataDir: string): Promise<Waiter> {
  const child = fork(WAITER, { env: { ...process.env, AWAKE_REDIS_URL: redisUrl, AWAKE_DATA_DIR: dataDir } });
  const kill = (): void => void child.kill('SIGKILL');
  atEnd(kill);
  const tells: Waiter['tells'] = (name) => told(child, name);
  await tells('isOpen');
  return {
    tells,
    kill,
    asks: async () => {
      const answer = tells('asked');
      child.send('ask');
      return (await answer).asked;
    },
  };
}

function told<Name extends keyof Telling>(child: ChildProcess, name: Name): Promise<Telling[Name]> {
  return new Promise((resolve, reject) => {
    const onExit = (): void =>
      reject(new Error('The process that waits ended while it was measured. Run the bench again.'));
    const isIt = (what: Told): what is Telling[Name] => name in what;
    const onMessage = (message: unknown): void => {
      const what = Told.parse(message);
      if (!isIt(what)) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(what);
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
  });
}
