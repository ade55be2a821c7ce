import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANN, BEN, OPS, ZOE } from '../../sandbox/people.ts';
import { cardIn, draws, mention, openCards, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { ENGINES_BY_TURNS, stageOn } from '../support/engines.ts';
import { linesOf } from '../support/history.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe.each(ENGINES_BY_TURNS)('trust in one press (%s)', (engine) => {
  it('runs the call, grants exactly what the line says, and asks everywhere else (P51, P53, P19b, P19c, B12, T11)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const before = await mention(stage, ANN, 'restart the payments service');
    const waits = await cardIn(stage, before);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    const line = 'restart_service with any input, in this thread, for 1 hour';
    expect(says(card, line)).toBe(true);

    await stage.world.press(ANN, card, 'approval_trust');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);

    // Another process: trust is in the store.
    await first.kill();
    await stage.startBot();
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    await reply(stage, root, 'The search service was restarted');
    expect(witnessed(stage)).toHaveLength(2);
    expect(openCards(stage, root)).toEqual([]);
    await reply(stage, root, 'without asking');

    const other = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, other);
    expect(openCards(stage, before).map(({ ts }) => ts)).toEqual([waits.ts]);
    expect(witnessed(stage)).toHaveLength(2);
  });
});

describe('many calls of one run on one trust', () => {
  it('make one line in the thread, which counts them and can end the trust (P53)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'Done.');
    const lines = () => stage.world.messages(root).filter((message) => draws(message, 'trust_end_line'));

    await stage.world.say(ANN, root.channel, 'restart everything', { thread: root });
    await reply(stage, root, 'All 3 services were restarted');
    await reply(stage, root, /without asking, 3 calls.*(Ran in.*){3}/s);
    expect(lines()).toHaveLength(1);

    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    await stage.world.until(() => lines().length === 2);
    await stage.world.press(ANN, lines()[0] ?? root, 'trust_end_line');
    await stage.world.until(() => lines().length === 0);
    expect(stage.world.ephemerals(ANN)).toEqual([]);
  });
});

describe('the trust commands', () => {
  it('list, give and end trust, in a channel by slash command and in a thread by mention', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'Done.');

    await stage.world.say(ANN, root.channel, '<@U0BOT00001> trusted', { thread: root });
    await reply(stage, root, 'restart_service with any input, in this thread, for 1 hour');

    await stage.world.say(ANN, root.channel, '<@U0BOT00001> untrust restart_service', { thread: root });
    await reply(stage, root, /no longer|asks again|removed/i);
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    await cardIn(stage, root);
    expect(witnessed(stage)).toHaveLength(1);

    await stage.world.command(ANN, OPS, '/trust', 'restart_service me 1h');
    await stage.world.command(ANN, OPS, '/trusted', '');
    await whisper(stage, ANN, 'restart_service with any input, whenever the same person asks, for 1 hour');
    await stage.world.command(ANN, OPS, '/untrust', 'restart_service');
    const again = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, again);
  });

  it('give one trust that stays ended, however often Slack delivers the command (T5)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const told = () => stage.world.ephemerals(ANN).length;
    const again = async (delivery: Parameters<Stage['world']['duplicate']>[0]) => {
      const before = told();
      await stage.world.duplicate(delivery);
      await stage.world.until(() => told() > before, { what: 'the second delivery is answered' });
    };
    const trusting = await stage.world.command(ANN, OPS, '/trust', 'restart_service me 1h');
    if (trusting.type !== 'sent') throw new Error('The command was not sent.');
    await whisper(stage, ANN, 'Trusted:');

    await again(trusting.delivery);
    await stage.world.command(ANN, OPS, '/trusted', '');
    await whisper(stage, ANN, /by you elsewhere\* \(1\)/);
    await stage.world.command(ANN, OPS, '/untrust', 'restart_service');
    await whisper(stage, ANN, 'Trust ended');
    await again(trusting.delivery);

    expect(stage.world.ephemerals(ANN).at(-1)?.text).toContain('carried out these words before');
    await cardIn(stage, await mention(stage, ANN, 'restart the payments service'));
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('refuse trust for a guarded tool, and for calls that the person may not trust (P39)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    await stage.world.command(BEN, OPS, '/trust', 'drop_database channel 1h');
    await whisper(stage, BEN, 'guarded');
    await stage.world.command(ZOE, OPS, '/trust', 'restart_service channel 1h');
    await whisper(stage, ZOE, 'Nothing was changed');
    await stage.world.command(ZOE, OPS, '/trust', 'no_such_tool');
    await whisper(stage, ZOE, 'no tool named');

    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    expect(draws(card, 'approval_trust')).toBe(false);
    const id = /"value":"([^" ]+)"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
    await stage.world.press(BEN, card, 'approval_trust', { forged: true, value: id });
    await stage.world.press(BEN, card, 'approval_deny');
    await reply(stage, root, 'stays');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

describe.each(ENGINES_BY_TURNS)('a change of trust (%s)', (engine) => {
  it('writes one entry of trust, its end also for the workspace, and leaves everything else unchanged (P56)', async () => {
    stage = await stageOn(engine);
    const say = async (command: string, words: string, truth: RegExp) => {
      const bot = await stage.startBot();
      await stage.world.command(ANN, OPS, command, words);
      await whisper(stage, ANN, truth);
      await bot.stop();
      return linesOf(stage);
    };
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'Done.');
    await first.stop();
    const before = await linesOf(stage);
    expect(before.size).toBeGreaterThan(5);

    const given = await say('/trust', 'restart_service me 2h', /for 2 hours/);
    expect(newIn(given, before)).toEqual(['grant-given']);
    const taken = await say('/untrust', 'restart_service me', /asks again|ended|no longer/i);
    expect(newIn(taken, given)).toEqual(['grant-revoked', 'trust-ended']);
    const inVain = await say('/trust', 'no_such_tool', /no tool named/);
    expect(newIn(inVain, taken)).toEqual([]);
  });
});

/** The types of the lines that are new; all others must be what they were, to the letter. */
function newIn(after: ReadonlyMap<string, string>, before: ReadonlyMap<string, string>): readonly string[] {
  expect([...after].filter(([place]) => before.has(place))).toEqual([...before]);
  return [...after].flatMap(([place, text]) => (before.has(place) ? [] : [typeOf(text)]));
}

const typeOf = (text: string): string =>
  z.object({ body: z.object({ type: z.string() }) }).parse(JSON.parse(text)).body.type;
