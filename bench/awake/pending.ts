import { systemClock as clock } from '../../app/clock.ts';
import { silentLog as log } from '../../app/log.ts';
import { threadKey } from '../../app/records/index.ts';
import { newId, openStore, runIdFor, shardOfThread } from '../../app/store/index.ts';
import { ANN, TEAM } from '../../sandbox/people.ts';

const AT_ONCE = 500;
const DAY_MS = 86_400_000;

/** Adds so many waiting approvals to a store: what a press of another one passes by, which is all but their journals. */
export async function addPending(redisUrl: string, many: number, dataDir: string): Promise<void> {
  const store = await openStore({ redisUrl, dataDir, durability: 'process', clock, log });
  const add = async (): Promise<unknown> => {
    const thread = threadKey({ team: TEAM, channel: 'C0PENDING0', ts: '1700000009.000001' });
    const shard = shardOfThread(thread, store.shards);
    const approval = newId('a', shard);
    const journal = runIdFor(thread, approval, shard);
    const waiting = { what: 'waiting', of: `${TEAM}:${ANN}` } as const;
    return store.append({
      journal,
      expectedVersion: 0,
      entries: [{ id: approval, text: '{}' }],
      effects: [
        { type: 'approval', approval, run: journal },
        { type: 'due', item: { what: 'expiry', subject: approval }, atMs: clock.now() + DAY_MS },
        { type: 'member', index: waiting, member: approval },
      ],
    });
  };
  for (let added = 0; added < many; added += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, many - added) }, add));
  }
  await store.close();
}
