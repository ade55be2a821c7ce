import { afterEach, describe, expect, it } from 'vitest';
import { ANN, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, cardIn, cards, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const capped = { env: { COUNTERSIGN_CONFIG: 'test/support/capped.config.ts' } };

describe.each(ENGINES)('limits (%s)', (engine) => {
  it('stop a run that asks too many questions, and say so (P64)', async () => {
    stage = await stageOn(engine);
    await stage.startBot(capped);

    const root = await mention(stage, ANN, 'restart everything');

    await reply(stage, root, /limit: 2 questions to people for this run/);
    await aWhile();
    expect(openCards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('count what the same person used in other threads, even before a restart, and nothing of other people', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot(capped);
    for (const service of ['payments', 'search', 'mail']) {
      const root = await mention(stage, ANN, `restart the ${service} service`);
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      await reply(stage, root, 'Done.');
    }
    await first.kill();
    await stage.startBot(capped);

    const fourth = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, fourth, /limit: 3 tool calls for the person who asked, today/);
    expect(cards(stage, fourth)).toEqual([]);
    await cardIn(stage, await mention(stage, ZOE, 'restart the payments service'));
    expect(witnessed(stage)).toHaveLength(3);
  });
});

it('limits hold across threads, even when all of them were asked before any was answered (P64)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot(capped);
  const roots: SlackMessage[] = [];
  for (const service of ['payments', 'search', 'mail', 'payments']) {
    roots.push(await mention(stage, ANN, `restart the ${service} service`));
  }
  const open = await Promise.all(roots.map((root) => cardIn(stage, root)));

  await Promise.all(open.map((card) => stage.world.press(ANN, card, 'approval_approve')));

  await stage.world.until(() => witnessed(stage).length === 3);
  const told = () => roots.filter((root) => stage.world.messages(root).some((one) => says(one, /limit: 3 tool calls/)));
  await stage.world.until(() => told().length === 1);
  await aWhile();
  expect(witnessed(stage, 'begun')).toHaveLength(3);
});

it('a call that was just refused makes no second card in the same thread (P64)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
  await reply(stage, root, 'Understood');
  const before = cards(stage, root).length;

  await stage.world.say(ANN, root.channel, 'restart the payments service', { thread: root });
  await stage.world.until(() => JSON.stringify(stage.sandbox.model.requests).includes('a moment ago'));
  await aWhile();

  expect(cards(stage, root)).toHaveLength(before);
  expect(witnessed(stage, 'begun')).toEqual([]);
  // Another call is another question.
  await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
  await cardIn(stage, root);
});
