import { afterEach, describe, expect, it } from 'vitest';
import { ANN, directChannel } from '../../sandbox/people.ts';
import { cardIn, draws, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES_BY_TURNS, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe.each(ENGINES_BY_TURNS)('a message, a card, a press and a tool call (%s)', (engine) => {
  it('runs the tool once Ann approves, and replies once (P7)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();

    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    expect(says(card, 'restart_service')).toBe(true);
    expect(['approval_approve', 'approval_deny', 'approval_trust'].filter((id) => !draws(card, id))).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(witnessed(stage)).toMatchObject([{ tool: 'restart_service', input: { service: 'payments' } }]);
    expect(openCards(stage, root)).toEqual([]);
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Approved'));
    expect(stage.world.messages(root).filter((message) => says(message, 'Done.'))).toHaveLength(1);
  });

  it('asks again when the model makes the identical call a second time (P16)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');

    await stage.world.say(ANN, root.channel, 'restart the payments service', { thread: root });
    const second = await cardIn(stage, root);

    expect(witnessed(stage)).toHaveLength(1);
    await stage.world.press(ANN, second, 'approval_approve');
    await stage.world.until(() => witnessed(stage).length === 2);
  });

  it('starts one run however often and under however many event kinds the message arrives (B7)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();

    const root = await mention(stage, ANN, 'restart the payments service');
    const deliveries = stage.world.deliveriesOf(root);
    for (const delivery of deliveries) {
      await stage.world.duplicate(delivery);
      await stage.world.redeliver(delivery);
    }
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
    for (const delivery of deliveries) await stage.world.redeliver(delivery);
    await stage.world.say(ANN, root.channel, 'hello', { thread: root });
    await reply(stage, root, /hello|hi\b/i);

    expect(deliveries.length).toBeGreaterThan(1);
    expect(witnessed(stage)).toHaveLength(1);
    expect(stage.sandbox.model.requests).toHaveLength(3);
  });

  it('takes a direct message as well as a mention', async () => {
    stage = await stageOn(engine);
    await stage.startBot();

    const root = await stage.world.say(ANN, directChannel(ANN), 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

    await reply(stage, root, 'Done.');
  });
});

describe('the same walk over signed HTTP', () => {
  it('ends with one tool call and one reply', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ http: true });

    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(witnessed(stage)).toHaveLength(1);
  });
});
