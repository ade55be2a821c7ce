import { afterEach, expect, it } from 'vitest';
import { textAt } from '../../sandbox/json.ts';
import { ANN, BEN, BOT, directChannel, GENERAL, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, openCards, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Where everything of the bot stands: its channel, and the thread in it. */
const places = (): ReadonlySet<string> =>
  new Set(
    stage.world.requests
      .filter(({ method }) => method === 'chat.postMessage' || method === 'chat.startStream')
      .map(({ arguments: args }) => `${textAt(args, 'channel')} ${textAt(args, 'thread_ts')}`),
  );

it('a card, and the answer after its press, appear in the thread of their run and nowhere else (P23)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  const ask = 'restart the payments service';
  const others = await stage.world.say(ZOE, OPS, 'payments look slow');
  const roots: readonly (readonly [string, SlackMessage])[] = [
    [ANN, await stage.world.say(ANN, OPS, `<@${BOT}> ${ask}`)],
    [ANN, await stage.world.say(ANN, GENERAL, `<@${BOT}> ${ask}`)],
    [ANN, await stage.world.say(ANN, directChannel(ANN), ask)],
    [BEN, others],
  ];
  await stage.world.say(BEN, OPS, `<@${BOT}> ${ask}`, { thread: others });

  for (const [by, root] of roots) {
    await stage.world.press(by, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
  }

  await stage.world.until(() => witnessed(stage).length === 4);
  expect(roots.map(([, root]) => openCards(stage, root).length)).toEqual([0, 0, 0, 0]);
  expect(places()).toEqual(new Set(roots.map(([, { channel, ts }]) => `${channel} ${ts}`)));
});
