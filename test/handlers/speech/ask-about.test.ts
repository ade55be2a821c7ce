import { expect, it } from 'vitest';
import { messageChoice, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { BEN } from '../views/records.ts';

onStage();

it('a message that a person asks about is shown and given to the agent as its author typed it, and not as Slack escapes it (SURF-5)', async () => {
  await start();
  const choice = messageChoice('ask_about_message');

  await door.press({ ...choice, message: { ...Object(choice.message), text: 'R&amp;D: a &lt; b &amp;lt;' } });
  await api.until(() => api.to('views.open').length > 0);
  const view = Object(api.to('views.open')[0]?.args.view);
  const memory = JSON.parse(view.private_metadata);
  await door.press(submission({ callback: 'ask_about_message', values: { question: 'what is this?' }, memory }));
  await api.until(() => bot.asked.taken.length > 0);

  expect(textOf(view.blocks)).toContain('R&D: a < b &lt;');
  expect(bot.asked.taken[0]?.text).toContain('> R&D: a < b &lt;');
});

it('a person who may not ask and has closed the form reads that in the channel, because the message may have no reply (SURF-5)', async () => {
  await start({ mayAsk: 'no' });
  api.next('views.update', { type: 'json', body: { ok: false, error: 'not_found' } });
  const memory = { channel: 'C0OPS00001', threadTs: '1.1', text: 'Is it up?' };

  await door.press(submission({ callback: 'ask_about_message', values: { question: 'what is this?' }, memory }));
  await api.until(() => api.to('chat.postEphemeral').length > 0);

  expect(api.to('chat.postEphemeral')[0]?.args).not.toHaveProperty('thread_ts');
});

it.each([
  ['another person', BEN, [BEN]],
  ['the bot itself', 'U0BOT00001', undefined],
])(
  'the author of a message that a person asks about counts as one who wrote to the agent: %s (EDGE-5, T7)',
  async (_who, author, counted) => {
    await start();
    const memory = { channel: 'C0OPS00001', threadTs: '1.1', author, text: 'Is it up?' };

    await door.press(submission({ callback: 'ask_about_message', values: { question: 'what is this?' }, memory }));
    await api.until(() => bot.asked.taken.length > 0);

    expect(bot.asked.taken[0]?.alsoSteeredBy).toEqual(counted);
  },
);
