import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, ZOE } from '../../sandbox/people.ts';
import { cardIn, mention, openCards, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe('two replicas on one Redis', () => {
  it('resume a run exactly once, whichever of them gets the presses, and answer two presses of one person by the card (P4, P3, B1, B2, T5, FS3)', async () => {
    stage = await stageOn('redis');
    await stage.startBot();
    await stage.startBot();

    for (const service of ['payments', 'search', 'mail', 'payments', 'search', 'mail']) {
      const before = witnessed(stage).length;
      const root = await mention(stage, ANN, `restart the ${service} service`);
      const card = await cardIn(stage, root);
      const [one, two] = await Promise.all([
        stage.world.press(ANN, card, 'approval_approve'),
        stage.world.press(BEN, card, 'approval_approve'),
      ]);
      // The two presses went to different sockets; Slack may also deliver each of them twice.
      await Promise.all([stage.world.duplicate(one.delivery), stage.world.duplicate(two.delivery)]);
      await reply(stage, root, 'Done.');
      expect(witnessed(stage)).toHaveLength(before + 1);
      expect(openCards(stage, root)).toEqual([]);
    }
    expect(stage.world.ephemerals(ANN)).toEqual([]);
    expect(new Set(witnessed(stage, 'begun').map(({ key }) => key)).size).toBe(6);
  });

  it('stop a tool that runs on one of them, whichever of them gets the stop (T17)', async () => {
    stage = await stageOn('redis');
    const slow = { env: { EXAMPLE_TOOL_MS: '60000' } };
    await stage.startBot(slow);
    await stage.startBot(slow);

    // Deliveries go round, so over three threads both the owner and the other replica hear a stop.
    for (const service of ['payments', 'search', 'mail']) {
      const before = witnessed(stage, 'begun').length;
      const root = await mention(stage, ANN, `restart the ${service} service`);
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      await stage.world.until(() => witnessed(stage, 'begun').length > before);
      await stage.world.say(ANN, root.channel, `<@${BOT}> stop`, { thread: root });
      await reply(stage, root, `Stopped by <@${ANN}>`);
    }

    expect(witnessed(stage)).toEqual([]);
  });

  it('show in the thread what was decided elsewhere, and both people hear the truth (P12)', async () => {
    stage = await stageOn('redis');
    await stage.startBot();
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);

    await Promise.all([
      stage.world.press(BEN, card, 'approval_deny'),
      stage.world.press(ZOE, card, 'approval_approve'),
    ]);

    await reply(stage, root, 'stays');
    await whisper(stage, ZOE, /./);
    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(openCards(stage, root)).toEqual([]);
  });
});
