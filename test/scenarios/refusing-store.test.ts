import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN } from '../../sandbox/people.ts';
import {
  aWhile,
  cardIn,
  mention,
  openCards,
  openStage,
  type RunningBot,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';
import { freePort } from '../support/servers.ts';

let stage: Stage;
let redis: RedisServer | undefined;
afterEach(async () => {
  await stage?.close();
  await redis?.remove();
  redis = undefined;
});

/** A store that refuses every write from now on. Call what it returns to let it write again. */
type Refuse = (dataDir: string) => Promise<() => Promise<unknown>>;

/** A Redis that is full, with the policy that the bot requires. */
const fullRedis: Refuse = async () => {
  const admin = redis?.client();
  await admin?.config('SET', 'maxmemory', '1');
  return async () => admin?.config('SET', 'maxmemory', '0');
};

/** A Redis that could not save to its disk, and refuses to change what it could not keep. */
const savelessRedis: Refuse = async () => {
  const admin = redis?.client();
  const [, folder = ''] = [await admin?.config('GET', 'dir')].flat().map(String);
  mkdirSync(join(folder, 'dump.rdb'));
  await admin?.config('SET', 'save', '3600 1');
  await admin?.bgsave();
  await expect.poll(() => admin?.set('probe', '1').catch(String)).toContain('MISCONF');
  return async () => admin?.config('SET', 'stop-writes-on-bgsave-error', 'no');
};

/** A Redis that a script of another program keeps busy. */
const busyRedis: Refuse = async () => {
  const admin = redis?.client();
  await admin?.config('SET', 'lua-time-limit', '50');
  redis
    ?.client()
    .eval('while true do end', 0)
    .catch(() => {});
  await expect.poll(() => admin?.get('probe').catch(String)).toContain('BUSY');
  return async () => {
    await admin?.script('KILL');
    // The script ends a moment after Redis has answered.
    await expect.poll(() => admin?.get('probe').then(String, String)).not.toContain('BUSY');
  };
};

/** A Redis that took a command from the user of the bot. */
const strictRedis: Refuse = async () => {
  const admin = redis?.client();
  await admin?.call('ACL', 'SETUSER', 'admin', 'on', 'nopass', '+@all', '~*', '&*');
  await admin?.call('AUTH', 'admin', '');
  await admin?.call('ACL', 'SETUSER', 'default', '-rpush');
  return async () => admin?.call('ACL', 'SETUSER', 'default', '+rpush');
};

/** A Redis that takes no writes because it follows another one. */
const replicaRedis: Refuse = async () => {
  const admin = redis?.client();
  await admin?.replicaof('127.0.0.1', await freePort());
  return async () => admin?.replicaof('NO', 'ONE');
};

/** Another program, a backup for example, that holds the file's write lock. */
const lockedSqlite: Refuse = async (dataDir) => {
  const other = new DatabaseSync(join(dataDir, 'countersign.sqlite'), { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  return async () => other.close();
};

/** A file that a person took out of its folder. What is still written to it is lost when the bot ends. */
const movedSqlite: Refuse = async (dataDir) => {
  const file = join(dataDir, 'countersign.sqlite');
  renameSync(file, `${file}.moved`);
  // The bot looks for it every 20 ms at most.
  await aWhile(50);
  return async () => renameSync(`${file}.moved`, file);
};

/** A disk without room. */
const fullSqlite: Refuse = async (dataDir) => {
  writeFileSync(join(dataDir, 'full'), '');
  return async () => rmSync(join(dataDir, 'full'));
};

const STORES = [
  ['a Redis without memory', true, fullRedis],
  ['a Redis that cannot save', true, savelessRedis],
  ['a Redis that is busy with a script', true, busyRedis],
  ['a Redis that denies the bot a command', true, strictRedis],
  ['an SQLite file that is locked', false, lockedSqlite],
  ['an SQLite file without room', false, fullSqlite],
  ['an SQLite file that was moved away', false, movedSqlite],
] as const;

async function startOn(onRedis: boolean): Promise<RunningBot> {
  if (onRedis) redis = await startRedisServer();
  stage = await openStage(redis === undefined ? {} : { redisUrl: redis.url });
  const env = {
    COUNTERSIGN_CONFIG: 'test/scenarios/refusing-store.config.ts',
    NODE_OPTIONS: `--import ${new URL('../support/full-sqlite.ts', import.meta.url)}`,
  };
  return stage.startBot({ env, http: true });
}

const times = (bot: RunningBot, words: string) => bot.log().split(words).length - 1;

const readiness = async (bot: RunningBot) => (await fetch(`http://127.0.0.1:${bot.port}/readyz`)).status;

it.each(STORES)(
  'the end of a call is written when the store takes it again, after %s refused it (MF-4, EDGE-3)',
  async (_what, onRedis, refuse) => {
    const bot = await startOn(onRedis);
    stage.sandbox.model.next({ content: [call('move_data', {})] }, 'It is moved.');
    const root = await mention(stage, ANN, 'move the data');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Started'), { what: 'the tool runs' });

    const allow = await refuse(stage.dataDir);
    writeFileSync(join(stage.dataDir, 'end-the-tool'), '');
    await expect.poll(bot.log).toContain('The end of a call could not be written');
    expect(witnessed(stage)).toHaveLength(1);
    await aWhile(1_500);
    expect(says(stage.world.message(card) ?? card, 'Started, and not finished as far as I know.')).toBe(true);
    await allow();

    await reply(stage, root, 'It is moved.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Ran in'), { what: 'the card says it ran' });
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(bot.log().match(/The end of a call could not be written/g)).toHaveLength(1);
    await bot.kill();
    expect(brokenRules({ history: await historyOf(stage, root), before: [], cutTurns: 0 })).toEqual([]);
  },
);

it('a card says that its call has started where the call was over before the card showed it, and its end cannot be written (EDGE-3)', async () => {
  const bot = await startOn(false);
  stage.sandbox.model.next({ content: [call('fill_disk', {})] }, 'It is full.');
  const root = await mention(stage, ANN, 'fill the disk');
  const card = await cardIn(stage, root);

  await stage.world.press(ANN, card, 'approval_approve');
  await stage.world.until(
    () => says(stage.world.message(card) ?? card, 'Started, and not finished as far as I know.'),
    {
      what: 'the card says that the call has started',
    },
  );
  expect(bot.log()).toContain('The end of a call could not be written');
  rmSync(join(stage.dataDir, 'full'));

  await reply(stage, root, 'It is full.');
  await stage.world.until(() => says(stage.world.message(card) ?? card, 'Ran in'), { what: 'the card says it ran' });
  expect(witnessed(stage)).toHaveLength(1);
});

it.each(STORES)(
  'the answer of a model waits for %s, is asked for once, the thread hears why, and the log has one line for each trouble (EDGE-3)',
  async (_what, onRedis, refuse) => {
    const bot = await startOn(onRedis);
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
    stage.sandbox.model.next('It is fine.', 'It was asked again.');
    const root = await mention(stage, ANN, 'how is it');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    const allow = await refuse(stage.dataDir);
    await reply(stage, root, 'I have paused');
    await expect.poll(() => readiness(bot)).toBe(503);
    await aWhile(4_000);
    await allow();

    await reply(stage, root, 'It is fine.');
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    expect(stage.sandbox.model.requests).toHaveLength(1);
    await expect.poll(() => readiness(bot)).toBe(200);
    const troubles = times(bot, 'The store cannot be reached; work goes on');
    expect(troubles).toBeLessThanOrEqual(1);
    await expect.poll(() => times(bot, 'The store is back.')).toBe(troubles);
  },
);

it.each([...STORES, ['a Redis that became a replica', true, replicaRedis] as const])(
  'a press on %s is not recorded, its person hears so and presses again, and nothing else is said of it (EDGE-3)',
  async (_what, onRedis, refuse) => {
    const bot = await startOn(onRedis);
    writeFileSync(join(stage.dataDir, 'end-the-tool'), '');
    stage.sandbox.model.next({ content: [call('move_data', {})] }, 'It is moved.');
    const root = await mention(stage, ANN, 'move the data');
    const card = await cardIn(stage, root);
    const allow = await refuse(stage.dataDir);
    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, 'That was not recorded, as far as I know. Pressing again is safe.');
    expect(openCards(stage, root)).toHaveLength(1);
    await expect.poll(() => readiness(bot)).toBe(503);
    await allow();

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'It is moved.');
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  },
);

it.each([
  ['a Redis without memory', true, fullRedis],
  ['an SQLite file without room', false, fullSqlite],
] as const)(
  'a reason that %s does not take is not lost, and its person sends it again (P3, EDGE-3)',
  async (_what, onRedis, refuse) => {
    await startOn(onRedis);
    stage.sandbox.model.next({ content: [call('move_data', {})] }, 'I leave it.');
    const root = await mention(stage, ANN, 'move the data');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
    const views = () => stage.world.views(ANN);
    const form = await stage.world.until(() => views().find(({ content }) => content.submit !== undefined));
    const allow = await refuse(stage.dataDir);

    const first = await stage.world.submit(ANN, form, { reason: 'Not before noon.' });
    // The form stays open, or an answer that took longer has the reason below it.
    if (first.result.type !== 'errors')
      await stage.world.until(() => JSON.stringify(views()).includes('Not before noon.'));
    else expect(first.result.errors).toEqual({ reason: expect.stringContaining('not recorded') });
    await allow();
    await stage.world.submit(ANN, form, { reason: 'Not before noon.' });

    await reply(stage, root, 'I leave it.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Not before noon.'));
    expect(witnessed(stage)).toEqual([]);
  },
);

it.each(STORES)(
  'a yes whose call could not be started on %s stays, and the call runs once (EDGE-3)',
  async (_what, onRedis, refuse) => {
    const bot = await startOn(onRedis);
    writeFileSync(join(stage.dataDir, 'end-the-tool'), '');
    stage.sandbox.model.next({ content: [call('move_data', {})] }, 'It is moved.');
    const root = await mention(stage, ANN, 'move the data');
    const card = await cardIn(stage, root);
    // The tool looks at what its yes rests on after the yes and before the start.
    writeFileSync(join(stage.dataDir, 'look-slowly'), '');
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Approved'), { what: 'the yes' });
    const allow = await refuse(stage.dataDir);
    rmSync(join(stage.dataDir, 'look-slowly'));
    await reply(stage, root, 'I have paused');
    await aWhile();
    expect(says(stage.world.message(card) ?? card, 'was gone')).toBe(false);
    expect(witnessed(stage, 'begun')).toEqual([]);
    await allow();

    await reply(stage, root, 'It is moved.');
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    await bot.kill();
    expect(brokenRules({ history: await historyOf(stage, root), before: [], cutTurns: 0 })).toEqual([]);
  },
);

it.each([
  ['a Redis without memory', true, fullRedis],
  ['an SQLite file without room', false, fullSqlite],
] as const)(
  'a bot that is started on %s says that it is not ready, and works when there is room (EDGE-3)',
  async (_what, onRedis, refuse) => {
    const first = await startOn(onRedis);
    await first.kill();
    const allow = await refuse(stage.dataDir);
    const env = { NODE_OPTIONS: `--import ${new URL('../support/full-sqlite.ts', import.meta.url)}` };
    const bot = await stage.startBot({ env, http: true });
    expect(await readiness(bot)).toBe(503);
    await allow();
    await expect.poll(() => readiness(bot)).toBe(200);
    const root = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, root);
  },
);
