import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, OUTSIDER, ZOE } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openCards, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const threeCards = async () => {
  const root = await mention(stage, ANN, 'restart everything');
  await stage.world.until(() => openCards(stage, root).length === 3);
  return { root, cards: openCards(stage, root) };
};

describe('trust', () => {
  it('given on one card decides that card alone, even after restarts before and after it (P55)', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot();
    const { root, cards } = await threeCards();
    await first.stop();
    const second = await stage.startBot();

    const [one, two, three] = cards;
    if (one === undefined || two === undefined || three === undefined) throw new Error('three cards');
    await stage.world.press(ANN, one, 'approval_trust');
    await stage.world.until(() => witnessed(stage).length === 1);
    await second.stop();
    await stage.startBot();
    await aWhile();
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(openCards(stage, root)).toHaveLength(2);

    await stage.world.press(ANN, two, 'approval_deny');
    await stage.world.press(ANN, three, 'approval_deny');
    await reply(stage, root, /Restarted/);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('in words never decides a pending call, whatever wakes its run', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.say(ANN, root.channel, `<@${BOT}> trust restart_service`, { thread: root });
    await aWhile(300);
    await first.stop();
    await stage.startBot();
    await stage.world.say(ZOE, root.channel, 'any news?', { thread: root });
    await aWhile();

    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.press(ANN, card, 'approval_deny');
    await aWhile(300);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('cannot be given by a person of another workspace (T7)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/asked-by.config.ts' } });
    const root = await mention(stage, OUTSIDER, 'hello');
    await reply(stage, root, /./);
    await stage.world.say(OUTSIDER, root.channel, `<@${BOT}> trust restart_service`, { thread: root });
    // A refusal is private, so the thread does not hear it.
    await whisper(stage, OUTSIDER, 'another workspace');
    expect(stage.world.messages(root).filter((message) => says(message, 'another workspace'))).toEqual([]);

    await stage.world.say(OUTSIDER, root.channel, 'restart the payments service', { thread: root });
    await reply(stage, root, 'no person may give it here');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('given by a bystander before the first request covers no other person', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await stage.world.say(ANN, 'C0OPS00001', 'payments look slow');
    await stage.world.say(ZOE, root.channel, `<@${BOT}> trust restart_service`, { thread: root });
    await aWhile(300);
    await stage.world.say(ANN, root.channel, `<@${BOT}> restart the payments service`, { thread: root });

    await cardIn(stage, root);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

it('an answer in the thread that is also sent to the channel reaches the agent', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  const root = await mention(stage, ANN, 'hello');
  await reply(stage, root, /hello|hi\b/i);

  const text = 'restart the payments service';
  await stage.world.say(ANN, root.channel, text, { thread: root, broadcast: true });

  await cardIn(stage, root);
});

describe('a polite stop', () => {
  it('in the middle of an answer lets the answer finish and forgets nothing: the next process goes on by itself (D11)', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot();
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 4_000 });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);

    await first.stop();
    await stage.startBot();

    await cardIn(stage, root);
    // The answer was complete before the first process left, so the model is not asked again.
    expect(stage.sandbox.model.requests).toHaveLength(1);
  });

  it('while an approved tool runs lets it end, and the next process reports the result (B17)', async () => {
    stage = await stageOn('sqlite');
    const first = await stage.startBot({ env: { EXAMPLE_TOOL_MS: '1500' } });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await stage.world.until(() => witnessed(stage, 'begun').length === 1);

    await first.stop();
    await stage.startBot();

    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });
});

describe('two replicas', () => {
  it('do not call a running call unknown when a person writes in its thread', async () => {
    stage = await stageOn('redis');
    const slow = { env: { EXAMPLE_TOOL_MS: '8000' } };
    await stage.startBot(slow);
    await stage.startBot(slow);
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await stage.world.until(() => witnessed(stage, 'begun').length === 1);
    await aWhile(6_000);
    for (const text of ['how is it going?', 'and now?'])
      await stage.world.say(ANN, root.channel, text, { thread: root });
    await stage.world.until(() => witnessed(stage).length === 1);
    await aWhile();

    const said = stage.world.messages(root).map(({ text }) => text);
    expect(said.filter((text) => text.includes('do not know whether it finished'))).toEqual([]);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });
});
