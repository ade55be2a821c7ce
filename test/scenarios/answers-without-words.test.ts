import { afterEach, expect, it } from 'vitest';
import type { Answer } from '../../sandbox/model/answer.ts';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import { aWhile, mention, reply, type Stage, says } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';

let stage: Stage;
afterEach(() => stage?.close());

const REFUSAL: Answer = { content: [], stopReason: 'refusal' };
const EMPTY: Answer = { content: [] };
const BLANK: Answer = { content: [{ type: 'text', text: ' \n ' }] };

it.each([
  ['a refusal', REFUSAL, 'The model declined to answer'],
  ['an empty answer', EMPTY, 'The model ended without any words'],
  ['a blank answer', BLANK, 'The model ended without any words'],
] as const)(
  'the thread hears what happened after %s, and a later message works (MF-5, EDGE-3)',
  async (_what, answer, words) => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot();
    stage.sandbox.model.next(answer);

    const root = await mention(stage, ANN, 'what is up');
    await reply(stage, root, words);
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'nobody works' });

    stage.sandbox.model.next('Here I am again.');
    await stage.world.say(ANN, root.channel, 'once more', { thread: root });
    await reply(stage, root, 'Here I am again.');
    await stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
    await bot.kill();
    expect(brokenRules({ history: await historyOf(stage, root), before: [], cutTurns: 0 })).toEqual([]);
  },
);

it('the thread gets a post for an answer without words after a tool, and sees which tool ran (MF-5, EDGE-3)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  stage.sandbox.model.next({ content: [call('service_status', { service: 'payments' })] }, EMPTY);

  const root = await mention(stage, ANN, 'look at payments');
  const told = await reply(stage, root, 'The model ended without any words');

  expect(says(told, 'service_status')).toBe(true);
});

it('the thread gets one post for an answer without words when the bot dies before it can post (MF-5, EDGE-3)', async () => {
  stage = await stageOn('sqlite');
  const first = await stage.startBot({ dieAt: 'run-finished' });
  stage.sandbox.model.next(REFUSAL);
  const root = await mention(stage, ANN, 'what is up');
  await first.gone;
  await stage.startBot();

  await reply(stage, root, 'The model declined to answer');
  await aWhile();
  expect(stage.world.messages(root).filter(({ user }) => user === BOT)).toHaveLength(1);
  expect(stage.sandbox.model.requests).toHaveLength(1);
});
