import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { type Audited, audit, startAudit } from '../support/audit.ts';
import { aWhile, cardIn, mention, openStage, reply, type Stage } from '../support/bot.ts';
import { listen } from '../support/listen.ts';
import { emptyRedis, startRedisServer } from '../support/redis.ts';
import { freePort } from '../support/servers.ts';

let stage: Stage | undefined;
afterEach(() => stage?.close());

/** One approved call, from the message to the last reply. */
async function approveOne(at: Stage): Promise<void> {
  const root = await mention(at, ANN, 'restart the payments service');
  await at.world.press(ANN, await cardIn(at, root), 'approval_approve');
  await reply(at, root, 'Done.');
}

describe('the audit', () => {
  it('reads the file of a bot that runs, and of one that was stopped (T19, EDGE-2)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    await approveOne(stage);
    const env = { DATA_DIR: stage.dataDir };
    const sealed = async (): Promise<Audited> => {
      const verified = await audit(env, 'verify');
      return verified.err.includes('Note:') ? sealed() : verified;
    };

    const beside = await sealed();
    expect(beside).toMatchObject({ code: 0, out: '' });
    expect(beside.err).toMatch(/Walked 1 run, 0 trusts and 1 workspace .* as it was written/);
    expect(bot.isAlive()).toBe(true);

    await bot.stop();
    expect(await audit(env, 'verify')).toEqual(beside);
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

  it('exports entries that it cannot decrypt without a hash, as a rotation gives their text another one (EDGE-2)', async () => {
    stage = await openStage();
    const bot = await stage.startBot({ env: { DATA_KEY: Buffer.alloc(32, 7).toString('base64') } });
    await reply(stage, await mention(stage, ANN, 'hello'), 'Hello!');
    await bot.stop();

    const [first = ''] = (await audit({ DATA_DIR: stage.dataDir }, 'export')).out.split('\n');

    const { kind, sentence, hash } = JSON.parse(first);
    expect({ kind, sentence, hash }).toEqual({
      kind: 'unreadable',
      sentence: 'This entry is encrypted. Set DATA_KEY to read it.',
      hash: undefined,
    });
  });

  it.each(['export', 'tail'])('says that it has no run of an id, in place of nothing (%s, EDGE-2)', async (command) => {
    stage = await openStage();
    const bot = await stage.startBot();
    await reply(stage, await mention(stage, ANN, 'hello'), 'Hello!');
    await bot.stop();

    const run = '00re18BMrFBZtf77pxcyt7lEw';
    const ended = await audit({ DATA_DIR: stage.dataDir }, command, '--run', run);

    expect(ended).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(
        `There is no run ${run} in this store. If retention removed it, export its file: npm run audit -- export --archive`,
      ),
    });
  });

  it('follows a run on SQLite while the bot writes it (EDGE-2)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    const tail = startAudit({ DATA_DIR: stage.dataDir }, 'tail');
    await expect.poll(tail.out).toContain('"call-asked"');
    expect(tail.out()).not.toContain('"call-decided"');
    await stage.world.press(ANN, card, 'approval_approve');
    await expect.poll(tail.out).toContain('"run-sealed"');

    const { out } = await tail.end();
    const lines = out
      .trim()
      .split('\n')
      .map((line): { journal: string; position: number } => JSON.parse(line))
      .map(({ journal, position }) => `${journal} ${position}`);
    expect(new Set(lines).size).toBe(lines.length);
    expect(bot.isAlive()).toBe(true);
  });

  it('keeps no bot from starting, stopping and starting again on the file that it follows (EDGE-2)', async () => {
    stage = await openStage();
    const first = await stage.startBot();
    await approveOne(stage);
    const tail = startAudit({ DATA_DIR: stage.dataDir }, 'tail', '--since', '2020-01-01');
    await expect.poll(tail.out).toContain('"call-finished"');

    expect(await first.stop()).toBe(0);
    const next = await stage.startBot();
    const root = await mention(stage, ANN, 'hello');
    await reply(stage, root, 'Hello!');
    await expect.poll(() => tail.out().split('"run-started"').length - 1).toBe(2);

    await tail.end();
    expect(next.isAlive()).toBe(true);
  });

  it('writes JSON for programs, one object for verify and one on each line otherwise (EDGE-2)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    await approveOne(stage);
    await bot.stop();
    const env = { DATA_DIR: stage.dataDir };
    const rowsOf = ({ out }: Audited): readonly Record<string, unknown>[] =>
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));

    const verified = await audit(env, 'verify', '--json');
    expect(verified.err).toBe('');
    expect(JSON.parse(verified.out)).toMatchObject({ counts: { runs: 1, workspaces: 1 }, findings: [] });
    expect(Object.keys(JSON.parse(verified.out))).toEqual(
      expect.arrayContaining(['counts', 'findings', 'notes', 'ends']),
    );
    const looks = rowsOf(await audit(env, 'attention', '--json'));
    expect(looks).toContainEqual({ cards: 1, finishedRuns: 1 });
    expect(looks).toContainEqual(expect.objectContaining({ tool: 'restart_service', asked: 1, approved: 1 }));
    expect(await audit(env, 'export', '--json')).toEqual(await audit(env, 'export'));
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

  it('creates nothing when no store exists, and says where it looked (EDGE-2)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-empty-'));
    const none = join(folder, 'none');

    const nothing = await audit({ DATA_DIR: none }, 'verify');
    writeFileSync(join(folder, 'countersign.sqlite'), '');
    const blank = await audit({ DATA_DIR: folder }, 'verify');

    expect(nothing).toEqual({
      code: 2,
      out: '',
      err: `Nothing is stored in ${none}. Set DATA_DIR or REDIS_URL to the store of the bot.\n`,
    });
    expect(blank.code).toBe(2);
    expect(blank.err).toBe(
      `Nothing is stored in ${join(folder, 'countersign.sqlite')} yet. Start the bot, then run the command again.\n`,
    );
    expect(readdirSync(folder)).toEqual(['countersign.sqlite']);
    rmSync(folder, { recursive: true });
    const empty = await audit({ REDIS_URL: await emptyRedis() }, 'verify');
    expect(empty.err).toMatch(/Nothing of Countersign is stored in this Redis/);
  });
});

describe('the audit of a Redis that cannot be reached', () => {
  it.each(['verify', 'export', 'tail', 'attention'])(
    'ends %s with 2, and says where it looked and what to do (EDGE-2)',
    async (command) => {
      const port = await freePort();

      const ended = await audit({ REDIS_URL: `redis://ann:hunter2@127.0.0.1:${port}/3` }, command);

      expect(ended).toEqual({
        code: 2,
        out: '',
        err:
          `Redis at 127.0.0.1:${port}/3 gave no answer for 5 seconds (connect ECONNREFUSED 127.0.0.1:${port}). ` +
          'See that it runs, and that REDIS_URL is that of the bot.\n',
      });
    },
  );

  it('ends with 2 when Redis takes the connection and says nothing (EDGE-2)', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}));
    const port = await listen(silent);

    const ended = await audit({ REDIS_URL: `redis://127.0.0.1:${port}` }, 'verify');

    silent.close();
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(/^Redis at 127\.0\.0\.1:\d+ gave no answer for 5 seconds \(it takes connections and /);
  });

  it('ends with 2 when Redis refuses the login, and prints no password (EDGE-2)', async () => {
    const server = await startRedisServer();
    await server.client().config('SET', 'requirepass', 'right');

    const ended = await audit({ REDIS_URL: `redis://:hunter2@127.0.0.1:${server.port}` }, 'verify');

    await server.remove();
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(
      /^Redis at 127\.0\.0\.1:\d+ refuses the login that REDIS_URL gives \(WRONGPASS\)\. Write /,
    );
    expect(ended.err).not.toContain('hunter2');
  });
});
