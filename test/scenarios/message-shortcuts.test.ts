import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN, BEN, OPS } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { cardIn, mention, openStage, reply, type Stage, says, whisper } from '../support/bot.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.startBot();
});
afterAll(() => stage.close());

const view = (user: string, words: string): Promise<View> =>
  stage.world.until(
    () => stage.world.views(user).find((one) => says({ text: '', blocks: one.content.blocks }, words)),
    { what: `${user} sees ${words}` },
  );

it('the person who uses the shortcut on a message is the requester, not its writer, and the thread sees the question (P33)', async () => {
  const alarm = await stage.world.say(BEN, OPS, 'payments answers 502 <!channel>');
  await stage.world.shortcut(ANN, alarm, 'ask_about_message');
  const form = await view(ANN, 'payments answers 502');
  await stage.world.submit(ANN, form, { question: 'restart the payments service' });

  await view(ANN, 'I am on it.');
  await reply(stage, alarm, `<@${ANN}> asks me about this message`);
  const card = await cardIn(stage, alarm);
  expect(says(card, `<@${ANN}> asks`)).toBe(true);
  await stage.world.press(ANN, card, 'approval_approve');
  await reply(stage, alarm, 'was restarted');
});

it('a question about a message that Slack delivers twice is shown once and begins one run (B7)', async () => {
  const alarm = await stage.world.say(BEN, OPS, 'mail is slow');
  await stage.world.shortcut(ANN, alarm, 'ask_about_message');
  const { delivery } = await stage.world.submit(ANN, await view(ANN, 'mail is slow'), { question: 'hello' });
  await reply(stage, alarm, 'Hello!');
  const answers = () => stage.world.requests.filter(({ method }) => method === 'views.update').length;
  const before = answers();

  await stage.world.duplicate(delivery);
  await stage.world.until(() => answers() > before, { what: 'the second delivery is answered' });

  expect(stage.world.messages(alarm).filter((message) => says(message, 'asks me about this message'))).toHaveLength(1);
  await stage.world.close(ANN, await view(ANN, 'I am on it.'));
});

it('the trust of a thread is listed in a view as it was given, and can be ended there (P52)', async () => {
  const root = await mention(stage, ANN, 'restart the search service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
  await reply(stage, root, 'was restarted');

  await stage.world.shortcut(BEN, root, 'thread_trust');
  const list = await view(BEN, 'restart_service with any input, in this thread, for 1 hour');
  await stage.world.press(BEN, list, 'trust_end_listed');
  await view(BEN, 'Trust ended: the next call asks again.');
});

it.each([
  ['not_in_channel', 'I am not in that channel'],
  ['is_archived', 'Slack does not let me write there'],
  ['restricted_action_read_only_channel', 'Slack does not let me write there'],
  ['restricted_action_thread_locked', 'Slack does not let me write there'],
])('a shortcut where the bot cannot write (%s) runs nothing, and the person hears why (P38)', async (error, why) => {
  const message = await stage.world.say(BEN, OPS, `search is slow, ${error}`);
  await stage.world.shortcut(ANN, message, 'ask_about_message');
  stage.world.faults.set('chat.postMessage', { type: 'platform', error });
  await stage.world.submit(ANN, await view(ANN, `search is slow, ${error}`), {
    question: 'restart the search service',
  });

  await stage.world.close(ANN, await view(ANN, why));
  expect(stage.world.messages(message)).toHaveLength(1);
});

it('a person who closes the form too early reads in the thread what became of the request (P38)', async () => {
  const message = await stage.world.say(BEN, OPS, 'search is slow');
  await stage.world.shortcut(ANN, message, 'ask_about_message');
  stage.world.faults.set('chat.postMessage', { type: 'slow', delayMs: 500 });
  const asked = await view(ANN, 'search is slow');
  await stage.world.submit(ANN, asked, { question: 'restart the search service' });
  await stage.world.close(ANN, await view(ANN, 'One moment'));

  await whisper(stage, ANN, 'I am on it.');
});
