import { afterEach, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { cards, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Slack's ration is one a minute. The shape is the same for one a second. */
const RATION = { type: 'rationed', most: 15, everyMs: 1_000 } as const;
const reads = () => stage.world.requests.filter(({ method }) => method === 'conversations.replies');

/** A thread of which Slack gives 15 messages at a time, with three times as many. */
async function longThread(say: string) {
  stage = await stageOn('sqlite');
  stage.world.faults.set('conversations.replies', RATION, Number.POSITIVE_INFINITY);
  await stage.startBot();
  const root = await stage.world.say(ANN, OPS, 'Something is slow.');
  for (let at = 0; at < 40; at += 1) await stage.world.say(ANN, OPS, `Line ${at}.`, { thread: root });
  await stage.world.say(ANN, OPS, `<@${BOT}> ${say}`, { thread: root });
  return root;
}

it('the bot searches a long thread after a doubt, page by page as Slack gives them, and posts each message once (SURF-3, D7)', async () => {
  const root = await longThread('hello');
  await reply(stage, root, 'Hello!');
  stage.world.faults.set('chat.postMessage', { type: 'lost' });
  await stage.world.say(ANN, OPS, `<@${BOT}> restart the payments service`, { thread: root });
  await stage.world.until(() => cards(stage, root).length > 0 && reads().length >= 3);
  await stage.world.press(ANN, cards(stage, root)[0] ?? root, 'approval_approve');
  await reply(stage, root, 'Done.');

  const posted = stage.world
    .messages(root)
    .filter(({ user }) => user === BOT)
    .map(({ text }) => text);
  expect(posted.filter((text, at) => posted.indexOf(text) !== at)).toEqual([]);
  expect(cards(stage, root)).toHaveLength(1);
});

it('the tool that reads a thread says that it cannot where Slack gives too little of it (SURF-3)', async () => {
  const root = await longThread('hello');
  await reply(stage, root, 'Hello!');
  const before = reads().length;
  stage.sandbox.model.next({ content: [call('read_thread', {})] }, 'I cannot read it.');
  await stage.world.say(ANN, OPS, `<@${BOT}> what was said?`, { thread: root });
  await reply(stage, root, 'I cannot read it.');

  expect(stage.sandbox.model.requests.at(-1)?.results.at(-1)?.text).toContain(
    'Slack gives this app 15 messages of a thread a minute',
  );
  expect(reads().length - before).toBeLessThanOrEqual(2);
});
