import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { audit, keys } from '../support/audit.ts';
import { aWhile, cardIn, logged, mention, reply, type Stage } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { install, startForMany } from '../support/install.ts';
import { storedOn } from '../support/stored.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Each says a word of its own, and none of them looks like a secret. */
const SAID = { message: 'porcupine', input: 'windmill', answer: 'saxophone' } as const;

const conversation = {
  example: 'keep it',
  begins: (said: string) => said.includes(SAID.message),
  play: ({ results: [result] }: { readonly results: readonly unknown[] }) =>
    result === undefined
      ? {
          content: [
            {
              type: 'tool_use' as const,
              name: 'keep_login',
              input: { place: 'mail', value: 'of-ours', note: SAID.input },
            },
          ],
        }
      : `It is kept, ${SAID.answer}.`,
};

const newKey = (): string => randomBytes(32).toString('base64');
const CONFIG = { COUNTERSIGN_CONFIG: 'test/scenarios/secretive.config.ts' };
const startBot = (key?: string) => stage.startBot({ env: key === undefined ? CONFIG : { ...CONFIG, DATA_KEY: key } });
/** Where the store is, for a command. */
const place = (): Record<string, string> =>
  stage.redisUrl === undefined ? { DATA_DIR: stage.dataDir } : { REDIS_URL: stage.redisUrl };
const readable = async (): Promise<readonly string[]> => {
  const stored = await storedOn(stage);
  return Object.values(SAID).filter((word) => stored.includes(word));
};

describe.each(ENGINES)('the keys of a bot (%s)', (engine) => {
  it('are turned on for a store in use, changed and dropped, and the bot goes on each time (EDGE-1, T16)', async () => {
    stage = await stageOn(engine, { sandbox: { conversations: [conversation] } });
    const [first, second] = [newKey(), newKey()];

    // Without a key: one run is over, and one waits.
    const plain = await startBot();
    expect(plain.log()).toContain('is stored in clear');
    const over = await mention(stage, ANN, `keep it, ${SAID.message}`);
    await stage.world.press(ANN, await cardIn(stage, over), 'approval_approve');
    await reply(stage, over, SAID.answer);
    const waiting = await mention(stage, ANN, `keep it, ${SAID.message}`);
    const card = await cardIn(stage, waiting);
    await plain.stop();
    expect(await readable()).toEqual(Object.values(SAID));

    // With a key the run that waits goes on, and its new entries are encrypted.
    const keyed = await startBot(first);
    expect(keyed.log()).not.toContain('is stored in clear');
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, waiting, SAID.answer);
    await keyed.stop();
    expect(await storedOn(stage)).toContain('sealed:');

    // Neither no key nor another one opens it from here on.
    await expect(startBot()).rejects.toThrow(/This store is encrypted, and DATA_KEY is not set\. Set it to the key/);
    await expect(startBot(second)).rejects.toThrow(/no key in DATA_KEY opens it/);

    // A new key in front of the old one, then a rotation: beside a living bot where the store allows it.
    const both = `${second},${first}`;
    const living = await startBot(both);
    const root = await mention(stage, ANN, `keep it, ${SAID.message}`);
    const asked = await cardIn(stage, root);
    const beside = await keys({ ...place(), DATA_KEY: both }, 'rotate');
    let serving = living;
    if (engine === 'sqlite') {
      expect(beside).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Another process is using') });
      await living.stop();
      expect(await keys({ ...place(), DATA_KEY: both }, 'rotate')).toMatchObject({ code: 0, err: '' });
      serving = await startBot(second);
    } else {
      expect(beside).toMatchObject({ code: 0, err: '' });
      expect(beside.out).toMatch(
        /^Encrypted with the newest key: [1-9]\d* entries, [1-9]\d* items, 0 waiting messages, 0 tokens\.\n/,
      );
      expect(beside.out).toContain('Older keys can be dropped');
    }
    expect(await readable()).toEqual([]);
    await stage.world.press(ANN, asked, 'approval_approve');
    await reply(stage, root, SAID.answer);

    // The old key is dropped, and everything can be read.
    await serving.stop();
    const last = await startBot(second);
    expect(last.log()).not.toContain('DATA_KEY lacks a key');
    const again = await mention(stage, ANN, `keep it again, ${SAID.message}`);
    await cardIn(stage, again);
    await aWhile();
    await last.stop();
    expect(await audit({ ...place(), DATA_KEY: second }, 'verify')).toMatchObject({ code: 0, out: '' });
    expect(await readable()).toEqual([]);
    expect(await keys({ ...place(), DATA_KEY: second }, 'rotate')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^Encrypted with the newest key: 0 entries, 0 items, 0 waiting messages, 0 tokens\.\n/,
      ),
    });
  });
});

it('a bot that lacks the key of a rotation is not ready, its log says why, and with that key it takes the press (EDGE-1)', async () => {
  stage = await stageOn('redis');
  const [first, second] = [newKey(), newKey()];
  const bot = await stage.startBot({ http: true, env: { DATA_KEY: first } });
  const readiness = () => fetch(`http://127.0.0.1:${bot.port}/readyz`).then(({ status }) => status);
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  expect(await readiness()).toBe(200);
  expect(await keys({ ...place(), DATA_KEY: `${second},${first}` }, 'rotate')).toMatchObject({ code: 0 });

  await expect.poll(readiness).toBe(503);
  await logged(bot, 'no key in DATA_KEY opens it');

  await bot.stop();
  await stage.startBot({ http: true, env: { DATA_KEY: `${second},${first}` } });
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'Done.');
});

it('a bot without a key is not ready where another begins to encrypt its store, its log says why, and the other works on (EDGE-1)', async () => {
  stage = await stageOn('redis');
  const without = await stage.startBot({ http: true });
  const serving = await stage.startBot({ http: true, env: { DATA_KEY: newKey() } });
  const encrypted = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, encrypted);

  stage.sandbox.deliverTo(`http://127.0.0.1:${without.port}/slack/events`);
  const taken = await mention(stage, ANN, 'restart the search service');
  await aWhile(4_000);
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${without.port}/readyz`)).status).toBe(503);
  await logged(without, 'DATA_KEY is not set');
  await without.stop();

  stage.sandbox.deliverTo(`http://127.0.0.1:${serving.port}/slack/events`);
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, encrypted, 'Done.');
  await stage.world.press(ANN, await cardIn(stage, taken), 'approval_approve');
  await reply(stage, taken, 'Done.');
});

it('a rotation encrypts the token of an installation anew, and the app works with the new key alone (EDGE-1, T16)', async () => {
  stage = await stageOn('redis');
  const [first, second] = [newKey(), newKey()];
  const { port, bot } = await startForMany(stage, { env: { DATA_KEY: first } });
  const world = await install(stage, port, 'T0ACME0001');
  await bot.stop();

  expect(await keys({ ...place(), DATA_KEY: `${second},${first}` }, 'rotate')).toMatchObject({
    code: 0,
    out: expect.stringContaining(', 1 token.'),
  });

  await startForMany(stage, { env: { DATA_KEY: second } });
  const root = await world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  await cardIn({ ...stage, world }, root);
});
