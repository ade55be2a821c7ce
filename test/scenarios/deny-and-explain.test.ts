import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { aWhile, cardIn, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe('a refusal', () => {
  it('reaches the model as an error result from a person, and the tool does not run (P62)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.press(ANN, card, 'approval_deny');
    await reply(stage, root, 'Understood');

    expect(witnessed(stage, 'begun')).toEqual([]);
    expect(openCards(stage, root)).toEqual([]);
    expect(says(stage.world.message(card) ?? card, /Denied/)).toBe(true);
    const told = JSON.stringify(stage.sandbox.model.requests.at(-1));
    expect(told).toMatch(/person refused/i);
    expect(told).toContain('"is_error":true');
  });

  it('is never read from text, whoever wrote it: words during the wait are kept, and only buttons decide (P28)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    for (const text of ['yes', 'approve', 'y', 'trust'])
      await stage.world.say(ANN, root.channel, text, { thread: root });
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.until(() => stage.world.ephemerals(ANN).some((message) => says(message, /button/i)));
    const written = () => stage.world.messages(root).filter(({ user, ts }) => user === ANN && ts !== root.ts);
    await stage.world.until(() => written().every(({ reactions }) => reactions.some(({ name }) => name === 'eyes')), {
      what: 'two eyes on everything that is kept',
    });

    await stage.world.press(ANN, card, 'approval_deny');
    await stage.world.until(() => stage.world.message(card)?.text.startsWith('Denied'));
    // None of the words is lost: the agent reads them together with the refusal.
    await stage.world.until(() => JSON.stringify(stage.sandbox.model.requests.at(-1)).includes('trust'));
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});
