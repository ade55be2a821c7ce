import { Redis } from 'ioredis';
import { z } from 'zod';
import { ApprovalId, RunId } from '../../app/records/index.ts';
import { startDurableBot } from '../durable/bot.ts';
import { threadsOf } from '../durable/threads.ts';

/** The process that waits: the bench starts it as a file of its own, and it tells when it hears and when it is awake. */

/** What it is asked for: to ask people about one more call. */
export const Wish = z.literal('ask');
export const Told = z.union([
  z.object({ isOpen: z.literal(true) }),
  z.object({ asked: z.object({ approval: ApprovalId, run: RunId }) }),
  z.object({ awakeAtNs: z.number() }),
  z.object({ heardAtNs: z.number() }),
]);
export type Told = z.infer<typeof Told>;

/** The channel of the bare message. */
export const BARE = 'bench';

const { AWAKE_REDIS_URL: redisUrl, AWAKE_DATA_DIR: dataDir } = process.env;
if (redisUrl !== undefined && dataDir !== undefined) await open(redisUrl, dataDir);

async function open(address: string, folder: string): Promise<void> {
  const nowNs = () => Number(process.hrtime.bigint());
  const subscriber = new Redis(address);
  await subscriber.subscribe(BARE);
  subscriber.on('message', () => tell({ heardAtNs: nowNs() }));
  const bot = await startDurableBot(
    { dataDir: folder, redisUrl: address },
    { step: (step) => void (step === 'waiter-woken' && tell({ awakeAtNs: nowNs() })) },
  );
  const next = threadsOf('waiting');
  process.on('message', (wish) => {
    Wish.parse(wish);
    void bot.waits(next()).then(() => {
      const asked = bot.asked.at(-1);
      if (asked !== undefined) tell({ asked });
    });
  });
  tell({ isOpen: true });
}

function tell(what: Told): void {
  process.send?.(what);
}
