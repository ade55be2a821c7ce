import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANN, BEN, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { audit } from '../support/audit.ts';
import {
  aWhile,
  type BotOptions,
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
import { ENGINES, type Engine } from '../support/engines.ts';
import { linesOf } from '../support/history.ts';
import { newerVersion, versionWithMoreFields, versionWithNewKind } from '../support/newer-version.ts';
import { type Patched, patchedSources, SOON_REMOVED } from '../support/patched.ts';
import { type RedisServer, startRedisServer } from '../support/redis.ts';

/*
 * An old and a new version of the bot on one store, as during a rollout or after a rollback. The old version leaves alone
 * what only the new version can read, even if Slack or the queue asks the old version first.
 */

let redis: RedisServer;
let newer: Patched;
beforeAll(async () => {
  newer = newerVersion();
  redis = await startRedisServer();
});
afterAll(async () => {
  newer.remove();
  await redis.remove();
});

/** A story on a store of its own, told beside the others. */
async function told(engine: Engine, story: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await openStage(engine === 'redis' ? { redisUrl: redis.freshDatabase() } : {});
  await story(stage).finally(stage.close);
}

const startOld = (stage: Stage, options: BotOptions = {}) => stage.startBot({ http: true, ...options });
const startNew = (stage: Stage, options: BotOptions = {}) =>
  stage.startBot({ http: true, sources: newer.folder, ...options });

/** Slack sends everything to this one from now on. */
const towards = (stage: Stage, { port }: RunningBot) =>
  stage.sandbox.deliverTo(`http://127.0.0.1:${port}/slack/events`);

const ask = (stage: Stage) => mention(stage, ANN, 'restart the payments service');
const say = (stage: Stage, root: SlackMessage, text: string) => stage.world.say(ANN, OPS, text, { thread: root });
const approve = async (stage: Stage, root: SlackMessage) =>
  stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
const heard = (stage: Stage, words: string) =>
  stage.sandbox.model.requests.some((request) => JSON.stringify(request).includes(words));

/** In which formats the journal of each run was written. */
function formatsOf(lines: ReadonlyMap<string, string>): readonly string[] {
  const found = new Map<string, Set<number>>();
  for (const [place, text] of lines) {
    const [journal = ''] = place.split(' ');
    if (journal[2] === 'r') found.set(journal, (found.get(journal) ?? new Set()).add(JSON.parse(text).v));
  }
  return [...found.values()].map((formats) => [...formats].join(' ')).sort();
}

/** Lines of its log that are more than chatter. */
const complaints = (bot: RunningBot) =>
  bot
    .log()
    .split('\n')
    .filter((line) => /"level":"(warn|error)"/.test(line));

describe.concurrent('an old and a new version of the bot side by side', () => {
  it('answer a press at the old one without deciding, and the press counts at the new one (FN4)', () =>
    told('redis', async (stage) => {
      const next = await startNew(stage);
      const root = await ask(stage);
      const card = await cardIn(stage, root);
      await startOld(stage);
      const before = await linesOf(stage);

      await stage.world.press(ANN, card, 'approval_approve');

      expect(await whisper(stage, ANN, 'newer version')).toContain('nothing has changed');
      expect(await linesOf(stage)).toEqual(before);
      expect(openCards(stage, root)).toHaveLength(1);

      towards(stage, next);
      await stage.world.press(ANN, card, 'approval_approve');
      await reply(stage, root, 'Done.');
      expect(witnessed(stage, 'begun')).toHaveLength(1);
    }));

  it('pass a message that the old one acknowledged to the new one, and its writer hears of no trouble (FN4)', () =>
    told('redis', async (stage) => {
      const next = await startNew(stage);
      const root = await ask(stage);
      await cardIn(stage, root);
      const old = await startOld(stage);

      await say(stage, root, 'and look at the logs');
      await aWhile(2_000);
      towards(stage, next);
      await approve(stage, root);
      // The model of the sandbox hears two things at once, and knows no answer to both.
      await reply(stage, root, 'I am a script');

      expect(heard(stage, 'and look at the logs')).toBe(true);
      expect(witnessed(stage, 'begun')).toHaveLength(1);
      expect(stage.world.ephemerals(ANN).filter((message) => says(message, /wrong|not keep/))).toEqual([]);
      expect(complaints(old).length).toBeLessThan(3);
    }));

  it.each(ENGINES)(
    'let the old one alone (%s) go on with every other run and leave alone what it cannot read (FN4)',
    (engine) =>
      told(engine, async (stage) => {
        const next = await startNew(stage);
        const root = await ask(stage);
        await cardIn(stage, root);
        await next.kill();
        const before = await linesOf(stage);
        const old = await startOld(stage);
        await say(stage, root, 'are you still there?');

        for (const _ of [1, 2]) {
          const other = await ask(stage);
          await approve(stage, other);
          await reply(stage, other, 'Done.');
        }
        // Long enough for the thread to come up several times.
        await aWhile(12_000);
        await old.kill();

        const after = await linesOf(stage);
        for (const [place, text] of before) expect(after.get(place)).toBe(text);
        expect(formatsOf(after)).toEqual(['1', '1', '2']);
        const said = complaints(old);
        expect(said.filter((line) => line.includes('update this one'))).toHaveLength(1);
        expect(said.length, said.join('\n')).toBeLessThan(3);
        expect(old.log()).not.toContain('store cannot be reached');

        await startNew(stage);
        await approve(stage, root);
        // The model of the sandbox hears two things at once, and knows no answer to both.
        await reply(stage, root, 'I am a script');
        expect(heard(stage, 'are you still there?')).toBe(true);
        expect(witnessed(stage, 'begun')).toHaveLength(3);
      }),
  );

  it('let the old one release a run that it holds when the new one writes to it (FN4)', () =>
    told('redis', async (stage) => {
      const old = await startOld(stage);
      const root = await ask(stage);
      const card = await cardIn(stage, root);
      const next = await startNew(stage);

      // It reads all that the old one wrote, and decides on it.
      const pressedMs = performance.now();
      await stage.world.press(ANN, card, 'approval_approve');
      await reply(stage, root, 'Done.');
      process.stdout.write(`FN4 handed over and done after ${Math.round(performance.now() - pressedMs)} ms\n`);

      expect(witnessed(stage, 'begun')).toHaveLength(1);
      expect(formatsOf(await linesOf(stage))).toEqual(['1 2']);
      expect(complaints(old).length).toBeLessThan(3);
      expect(old.log()).not.toContain('store cannot be reached');

      // And it has room for others.
      await next.kill();
      towards(stage, old);
      const other = await ask(stage);
      await approve(stage, other);
      await reply(stage, other, 'Done.');
    }));

  it('let the new one close a question whose time has come, and the old one stay silent about it (FN4)', () =>
    told('redis', async (stage) => {
      const env = { COUNTERSIGN_CONFIG: 'test/support/few-seconds.config.ts' };
      const next = await startNew(stage, { env });
      const root = await ask(stage);
      await cardIn(stage, root);
      await next.kill();
      const old = await startOld(stage, { env });
      await aWhile(8_000);

      expect(openCards(stage, root)).toHaveLength(1);
      expect(complaints(old).length).toBeLessThan(3);

      await startNew(stage, { env });
      await stage.world.until(() => openCards(stage, root).length === 0, { what: 'the question is over' });
      expect(witnessed(stage, 'begun')).toEqual([]);
    }));

  it('let retention of the old one leave alone what it cannot read, and its audit report no fault in it (FN4)', () =>
    told('redis', async (stage) => {
      const env = { COUNTERSIGN_CONFIG: 'test/support/retaining.config.ts' };
      const [old, next] = [patchedSources([SOON_REMOVED]), newerVersion(SOON_REMOVED)];
      try {
        const first = await startNew(stage, { env, sources: next.folder });
        const root = await mention(stage, BEN, 'hello');
        await reply(stage, root, 'Hello!');
        await stage.world.until(() => stage.world.session(root).status === 'active');
        await first.kill();
        const second = await startOld(stage, { env, sources: old.folder });
        await aWhile(6_000);

        expect(formatsOf(await linesOf(stage))).toEqual(['2']);
        expect(readdirSync(join(old.folder, 'archive'))).toEqual([]);
        expect(complaints(second).length).toBeLessThan(3);
        const { code, out, err } = await audit({ REDIS_URL: stage.redisUrl ?? '' }, 'verify');
        expect(out + err).toContain('a newer version of the bot wrote entry 0, and may know more');
        expect(code).toBe(0);

        await startNew(stage, { env, sources: next.folder });
        await stage.world.until(() => stage.world.session(root).status === 'closed');
      } finally {
        old.remove();
        next.remove();
      }
    }));

  it('ignore and keep fields that a later version adds within the same format (FN4)', () =>
    told('redis', async (stage) => {
      const later = versionWithMoreFields();
      try {
        const next = await startNew(stage, { sources: later.folder });
        const root = await ask(stage);
        await cardIn(stage, root);
        await next.kill();
        await startOld(stage);

        await approve(stage, root);
        await reply(stage, root, 'Done.');

        expect([...(await linesOf(stage)).values()].filter((line) => line.includes('hopeful'))).not.toEqual([]);
        expect((await audit({ REDIS_URL: stage.redisUrl ?? '' }, 'verify')).code).toBe(0);
      } finally {
        later.remove();
      }
    }));

  it('refuse a kind of entry that only a later version knows like a newer format (FN4)', () =>
    told('redis', async (stage) => {
      const later = versionWithNewKind();
      try {
        const next = await startNew(stage, { sources: later.folder });
        const root = await ask(stage);
        const card = await cardIn(stage, root);
        const old = await startOld(stage);

        await stage.world.press(ANN, card, 'approval_approve');
        await whisper(stage, ANN, 'newer version');
        expect(complaints(old).filter((line) => line.includes("of the kind 'turn-dreamt'"))).toHaveLength(1);

        towards(stage, next);
        await stage.world.press(ANN, card, 'approval_approve');
        await reply(stage, root, 'Done.');
      } finally {
        later.remove();
      }
    }));
});
