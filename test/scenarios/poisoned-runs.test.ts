import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { ANN, BEN, BOT, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { logged, mention, type RunningBot, reply, type Stage, says, whisper } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let stage: Stage;
let supervised: Supervised;
afterEach(async () => {
  await supervised.end();
  await stage.close();
});

interface Supervised {
  readonly deaths: () => number;
  readonly end: () => Promise<void>;
}

const CONFIG = { COUNTERSIGN_CONFIG: 'test/scenarios/poisoned.config.ts' };

/** Starts each bot again as soon as it has died, as the supervisor of a deployment does. */
function supervise(bots: number, env: Readonly<Record<string, string>> = {}, http = false): Supervised {
  let open = true;
  let deaths = 0;
  const running = new Set<RunningBot>();
  const keep = async (): Promise<void> => {
    while (open) {
      // A bot may die before it says that it runs.
      const bot = await stage.startBot({ env: { ...CONFIG, ...env }, http }).catch(() => undefined);
      if (bot !== undefined) {
        running.add(bot);
        if (!open) await bot.kill();
        await bot.gone;
        running.delete(bot);
      }
      if (open) deaths += 1;
    }
  };
  const kept = Array.from({ length: bots }, keep);
  return {
    deaths: () => deaths,
    end: async () => {
      open = false;
      await Promise.all([...running].map((bot) => bot.kill()));
      await Promise.all(kept);
    },
  };
}

/** The model answers these words with a call of the tool, and tells its result. */
const using = (tool: string) => ({
  example: `use ${tool}`,
  begins: (said: string) => said.includes(`use ${tool}`),
  play: ({ results }: { readonly results: readonly { readonly text: string }[] }) =>
    results.length > 0
      ? `${tool} says: ${results.at(-1)?.text}`
      : { content: [{ type: 'tool_use' as const, name: tool, input: {} }] },
});
const saying = (example: string, answer: string) => ({
  example,
  begins: (said: string) => said.includes(example),
  play: () => answer,
});

async function openStage(engine: (typeof ENGINES)[number]): Promise<void> {
  const conversations = [saying('greet me', 'Hello.'), ...['poison', 'slow'].map(using), saying('say it', 'fatal')];
  stage = await stageOn(engine, { sandbox: { conversations } });
}

const replicas = (engine: (typeof ENGINES)[number]) => (engine === 'redis' ? 2 : 1);

/** What these bots die of, as of a fault that only such a text brings out. */
const diesOf = (words: string) => ({
  NODE_OPTIONS: `--import ${import.meta.dirname}/../support/dies-of-words.ts`,
  DIES_OF: words,
});

/** A bot leaves a run with such an entry when it is told to stop. */
async function leaveAnEntry(): Promise<SlackMessage> {
  const bot = await stage.startBot({ env: CONFIG });
  const root = await mention(stage, ANN, 'use slow');
  await logged(bot, 'slow begins');
  await bot.stop();
  return root;
}

const say = (user: string, root: SlackMessage, text: string) =>
  stage.world.say(user, OPS, `<@${BOT}> ${text}`, { thread: root });

const saidIn = (root: SlackMessage, words: string) =>
  stage.world.messages(root).filter((message) => message.user === BOT && says(message, words)).length;

const heard = (root: SlackMessage, words: string, times: number) =>
  stage.world.until(() => saidIn(root, words) >= times || undefined, {
    what: `the bot says ${words} ${times} times`,
    ...BEHIND_LEASES,
  });

/** On Redis each death costs a lease before the next process goes on. */
const BEHIND_LEASES = { withinMs: PATIENCE_MS + 4 * LIMITS.leaseMs };

const ASIDE = 'I crashed twice while I worked on this';

const POISONS = [
  ['a tool', {}, () => mention(stage, ANN, 'use poison')],
  ['an answer of the model', diesOf('content_block_delta.*fatal'), () => mention(stage, ANN, 'say it')],
  ['a stored entry', diesOf('"type":"call-finished"'), leaveAnEntry],
] as const;

describe.each(ENGINES)('on %s', (engine) => {
  it.each(POISONS)(
    'a run with which %s has ended the process twice is set aside, its thread is told, and all else goes on (EDGE-7)',
    async (what, env, begin) => {
      await openStage(engine);
      const early = what === 'a stored entry' ? await begin() : undefined;
      supervised = supervise(replicas(engine), env);
      const honest = await mention(stage, ANN, 'greet me');
      await reply(stage, honest, 'Hello.');

      const root = early ?? (await begin());
      await reply(stage, root, ASIDE, BEHIND_LEASES);
      const other = await mention(stage, BEN, 'greet me');
      await reply(stage, other, 'Hello.');
      await say(ANN, honest, 'greet me again');
      await heard(honest, 'Hello.', 2);
      expect([saidIn(root, ASIDE), supervised.deaths()]).toEqual([1, 2]);

      await say(BEN, root, 'greet me');
      await whisper(stage, BEN, 'does not read it yet');
      await say(BEN, root, 'stop');
      // What cannot even be read ends one more process, and the next stop leaves it as it is.
      if (what === 'a stored entry') {
        await stage.world.until(() => supervised.deaths() === 3 || undefined, { what: 'a bot dies of the stop' });
        await say(BEN, root, 'stop');
      }
      await reply(stage, root, 'Stopped.', BEHIND_LEASES);
      await say(ANN, root, 'greet me');
      await reply(stage, root, 'Hello.', BEHIND_LEASES);
      expect(supervised.deaths()).toBe(what === 'a stored entry' ? 3 : 2);
    },
  );

  it('a run that is set aside is tried again for its requester or an admin alone, and is set aside at its next death (EDGE-7)', async () => {
    await openStage(engine);
    supervised = supervise(replicas(engine), diesOf('content_block_delta.*fatal'));
    const root = await mention(stage, ANN, 'say it');
    await reply(stage, root, ASIDE, BEHIND_LEASES);

    await say(BEN, root, 'try again');
    expect(await whisper(stage, BEN, 'who asked for this')).toContain(`<@${ANN}>`);
    expect(supervised.deaths()).toBe(2);

    await say(ANN, root, 'try again');
    await heard(root, ASIDE, 2);
    expect(supervised.deaths()).toBe(3);
    await say(ZOE, root, 'try again');
    await heard(root, ASIDE, 3);
    expect(supervised.deaths()).toBe(4);
  });

  it('runs that a process has in hand when another one ends it, or when it is killed, are not set aside (EDGE-7)', async () => {
    await openStage(engine);
    const first = await stage.startBot({ env: CONFIG });
    const honest = await Promise.all([1, 2, 3].map(() => mention(stage, ANN, 'use slow')));
    await logged(first, 'slow begins', 3);
    await first.kill();
    supervised = supervise(replicas(engine));
    const root = await mention(stage, ANN, 'use poison');

    for (const one of honest) await reply(stage, one, 'slow says: It took a while.', BEHIND_LEASES);
    await reply(stage, root, ASIDE, BEHIND_LEASES);
    expect(honest.map((one) => saidIn(one, ASIDE))).toEqual([0, 0, 0]);
  });
});

it('a run that a stop has left begins no call in a bot that stood still while the model answered (D8, EDGE-7)', async () => {
  const eventRetryMs = [1_000, 2_000, 4_000];
  stage = await stageOn('redis', { sandbox: { conversations: [using('slow')], pieceDelayMs: 500, eventRetryMs } });
  const still = await stage.startBot({ env: CONFIG, http: true });
  const root = await mention(stage, ANN, 'use slow');
  await stage.world.until(() => stage.sandbox.model.requests.length > 0 || undefined, { what: 'the model is asked' });
  still.pause();
  // Each other bot dies as soon as it reads the run, also of the first stop.
  supervised = supervise(1, diesOf('"type":"run-started"'), true);
  await reply(stage, root, ASIDE, BEHIND_LEASES);
  await say(BEN, root, 'stop');
  await stage.world.until(() => supervised.deaths() === 2 || undefined, { what: 'a bot dies of the stop' });
  await say(BEN, root, 'stop');
  await reply(stage, root, 'Stopped.', BEHIND_LEASES);

  still.resume();
  await logged(still, 'A run is left for a while');

  expect(still.log()).not.toContain('slow begins');
});
