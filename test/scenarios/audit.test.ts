import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { audit } from '../support/audit.ts';
import { aWhile, cardIn, mention, openStage, reply, type Stage } from '../support/bot.ts';
import { emptyRedis } from '../support/redis.ts';

let stage: Stage | undefined;
afterEach(() => stage?.close());

/** One approved call, from the message to the last reply. */
async function approveOne(at: Stage): Promise<void> {
  const root = await mention(at, ANN, 'restart the payments service');
  await at.world.press(ANN, await cardIn(at, root), 'approval_approve');
  await reply(at, root, 'Done.');
}

describe('the audit', () => {
  it('reads the file of a stopped bot, and refuses while the bot runs (T19)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    await approveOne(stage);
    const env = { DATA_DIR: stage.dataDir };

    const beside = await audit(env, 'verify');
    expect(beside.code).toBe(2);
    expect(beside.err).toMatch(/Another process is using .*: the embedded store is for one process/);

    await bot.stop();
    const verified = await audit(env, 'verify');
    expect(verified).toMatchObject({ code: 0, out: '' });
    expect(verified.err).toMatch(/Walked 1 run, 0 trusts and 1 workspace .* as it was written/);
    const exported = await audit(env, 'export');
    const kinds = exported.out
      .trim()
      .split('\n')
      .map((line): string => JSON.parse(line).kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['call-asked', 'call-decided', 'call-started', 'sealed', 'run-sealed']),
    );
    expect(exported.out).not.toContain('payments');
  });

  it('reads beside the bots on one Redis, and reports a run that was removed (T19)', async () => {
    const redisUrl = await emptyRedis();
    stage = await openStage({ redisUrl });
    await stage.startBot();
    await approveOne(stage);
    const client = new Redis(redisUrl);
    while ((await client.keys('cs:*:w:*:j')).length === 0) await aWhile(20);

    expect(await audit({ REDIS_URL: redisUrl }, 'verify')).toMatchObject({ code: 0, out: '' });

    await client.del(...(await client.keys('cs:*:r:*:j')));
    client.disconnect();
    const missed = await audit({ REDIS_URL: redisUrl }, 'verify');
    expect(missed.code).toBe(1);
    expect(missed.out).toMatch(/was removed\. It had \d+ entries when it ended/);
  });

  it('creates nothing when no store exists', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-empty-'));

    const nothing = await audit({ DATA_DIR: join(folder, 'none') }, 'verify');

    rmSync(folder, { recursive: true });
    expect(nothing.code).toBe(2);
    expect(nothing.err).toMatch(/Nothing is stored in/);
    const empty = await audit({ REDIS_URL: await emptyRedis() }, 'verify');
    expect(empty.err).toMatch(/Nothing of Countersign is stored in this Redis/);
  });
});
