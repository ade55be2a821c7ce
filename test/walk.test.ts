import { afterEach, expect, it } from 'vitest';
import { ANN } from '../sandbox/people.ts';
import { cardIn, mention, openCards, openStage, reply, type Stage, witnessed } from './support/bot.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** The one walk that every commit takes: it needs nothing but Node. The others are in `scenarios/`. */
it('one message, one card, one press, one tool call, one reply (P7)', async () => {
  stage = await openStage();
  await stage.startBot();

  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  expect(witnessed(stage, 'begun')).toEqual([]);
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'Done.');

  expect(witnessed(stage)).toHaveLength(1);
  expect(openCards(stage, root)).toEqual([]);
});
