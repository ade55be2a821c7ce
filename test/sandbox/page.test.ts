import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, BEN, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { oneBrowser, openPage } from '../support/browser.ts';
import { createEchoBot } from './fixtures/echo-bot.ts';

const browser = oneBrowser();
let sandbox: Sandbox;
let bot: App;
let page: Page;
let strayed: readonly string[];

beforeEach(async () => {
  sandbox = await startSandbox({
    commands: ['/trusted'],
    shortcuts: [{ name: 'Ask', callbackId: 'ask_about_message' }],
  });
  bot = createEchoBot(sandbox);
  await bot.start();
  ({ page, strayed } = await openPage(browser(), sandbox.page));
});

afterEach(async () => {
  expect(strayed).toEqual([]);
  await page.close();
  await bot.stop();
  await sandbox.close();
});

const thread = () => page.getByRole('region', { name: 'Thread' });

const write = async (words: string) => {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(words);
  await page.keyboard.press('Enter');
};

const findCard = async () => {
  await write('@countersign restart the payments service');
  await thread().getByText('Approval needed').waitFor();
};

it('the page shows a mention, the card in its thread, and what became of it after a press', async () => {
  await findCard();
  expect(await thread().getByRole('status').textContent()).toContain('Countersign waits for a person');
  expect(await thread().locator('pre').textContent()).toContain('"service": "payments"');

  await thread().getByRole('button', { name: 'Approve' }).click();

  await thread().getByText('Approved by @Ann Archer').waitFor();
  expect(await thread().getByRole('button', { name: 'Approve' }).count()).toBe(0);
});

it('a message in a channel without a mention is followed by how the agent is asked (DEMO-5)', async () => {
  await write('restart the payments service');
  await page.getByRole('alert').getByText('The agent was not asked. In a channel, begin with @countersign.').waitFor();
  expect(await thread().count()).toBe(0);
});

it('after a thread was opened by a link, the keyboard goes on in it (DEMO-5)', async () => {
  await findCard();
  await page.goto(sandbox.page);
  await page
    .getByRole('link', { name: /restart the payments service/ })
    .first()
    .press('Enter');
  await thread().getByText('Approval needed').waitFor();

  const focused = () => page.evaluate<string>("document.activeElement.ariaLabel ?? ''");
  await expect.poll(focused).toBe('Messages in this thread');
  let tabs = 0;
  for (; !(await focused()).startsWith('Approve') && tabs < 10; tabs += 1) await page.keyboard.press('Tab');
  expect(tabs).toBeLessThan(10);
});

it('the page shows a refusal to the presser alone', async () => {
  await findCard();
  await page.getByRole('link', { name: 'Ben', exact: true }).click();
  await thread().getByRole('button', { name: 'Approve' }).click();
  await thread().getByText('Only visible to you').waitFor();

  await page.getByRole('link', { name: 'Zoe', exact: true }).click();

  await thread().getByText('Only visible to you').waitFor({ state: 'detached' });
  expect(sandbox.world.ephemerals(BEN)).toHaveLength(1);
});

it('the page asks in a dialog, says what is wrong at the field, and closes it when all is right', async () => {
  await findCard();
  await thread().getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'Deny with a reason…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deny' });

  await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: '"Why?" must be filled in.' }).waitFor();
  expect(await page.locator('#toast').textContent()).toBe('');
  await dialog.getByRole('textbox', { name: 'Why?' }).fill('no');
  await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Say a little more.' }).waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Why?' }).inputValue()).toBe('no');

  await dialog.getByRole('textbox', { name: 'Why?' }).fill('the wrong service');
  await dialog.getByRole('radio', { name: 'Stop this run' }).check();
  await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Countersign', exact: true }).click();
  await page.getByText('Your reason: the wrong service').waitFor();
});

it('the page takes commands in a channel and says why not in a thread', async () => {
  await write('/trusted please');
  await page.getByText('You wrote: please').waitFor();

  await findCard();
  await page.getByRole('textbox', { name: 'Reply in thread' }).fill('/trusted');
  await page.keyboard.press('Enter');

  await thread().getByText('/trusted is not supported in threads. Sorry!').waitFor();
});

it('the page draws the Home tab, and offers the shortcuts of the app at a message', async () => {
  await page.getByRole('link', { name: 'Countersign Home' }).click();
  await page.getByText('Waiting for you').waitFor();
  await page.getByRole('button', { name: 'Open: restart_service' }).waitFor();

  await page.getByRole('link', { name: 'ops', exact: true }).click();
  const message = await sandbox.world.say(BEN, OPS, 'something odd');
  await page.getByRole('article').filter({ hasText: 'something odd' }).hover();
  await page.getByRole('button', { name: 'Message shortcuts' }).click();
  await page.getByRole('menuitem', { name: 'Ask' }).click();

  const sent = await sandbox.world.until(() =>
    sandbox.world.deliveries.find(({ payload }) => payload.type === 'message_action'),
  );
  expect(sent.payload).toMatchObject({ message_ts: message.ts, callback_id: 'ask_about_message' });
});

it('the page shows hostile text as text, fetches nothing for it, and keeps what a person is typing', async () => {
  const box = page.getByRole('textbox', { name: 'Message #ops' });
  await box.fill('half a sen');
  await bot.client.chat.postMessage({
    channel: OPS,
    text: 'x',
    blocks: [
      { type: 'image', image_url: 'https://evil.example/pixel.png', alt_text: 'a pixel' },
      { type: 'markdown', text: '![pixel](https://evil.example/pixel.png) <img src="https://evil.example/2.png">' },
      { type: 'section', text: { type: 'plain_text', text: '<script>alert(1)</script> <!channel> *bold*' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '<javascript:alert(1)|press me> <https://evil.example|good.example>' },
      },
    ],
  });

  await page.getByText('<script>alert(1)</script> <!channel> *bold*').waitFor();
  expect(await page.getByRole('link', { name: 'press me' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'good.example' }).getAttribute('rel')).toContain('noopener');
  expect(await box.inputValue()).toBe('half a sen');
});

it('the page shows an answer grow while it is streamed', async () => {
  const root = await sandbox.world.say(ANN, OPS, 'tell me');
  const { client } = bot;
  const streamer = client.chatStream({
    channel: OPS,
    thread_ts: root.ts,
    recipient_team_id: 'T0DEMO0001',
    recipient_user_id: ANN,
    buffer_size: 1,
  });
  await streamer.append({ markdown_text: 'First **half**' });
  await page.getByRole('link', { name: 'Reply in thread' }).or(page.locator('a.replies')).first().click();
  await thread().getByText('First half').waitFor();

  await streamer.append({ markdown_text: ', second half.' });
  await streamer.stop();

  await thread().getByText('First half, second half.').waitFor();
});

it('the page sends a file with a message, and draws it', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await page
    .getByLabel('Attach files: Message #ops')
    .setInputFiles({ name: 'shot.png', mimeType: 'image/png', buffer: png });
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('Look at this');
  await page.keyboard.press('Enter');

  await page.getByRole('article').getByText('shot.png').first().waitFor();
  const message = sandbox.world.channel(OPS).find(({ text }) => text === 'Look at this');
  expect(Buffer.from(message?.files[0]?.bytes ?? []).equals(png)).toBe(true);
  expect(await page.getByAltText('shot.png').count()).toBe(1);
});

it('the counters of many tools take one line of the page, and scroll (DEMO-5)', async () => {
  await page.setViewportSize({ width: 1250, height: 713 });
  const trick = { id: 'kill', label: 'Kill', hint: 'Kill it.', meanwhile: 'Killed.', run: async () => 'Back.' };
  const strip = page.getByRole('region', { name: 'Try to break it' });
  const heightWith = async (tools: number) => {
    const counts = Array.from({ length: tools }, (_, at) => `tool_${at}: asked 1 · approved 1 · started 1`);
    sandbox.show({ tricks: [trick], counts: () => counts });
    await expect.poll(() => strip.getByRole('listitem').count()).toBe(tools);
    return (await strip.boundingBox())?.height ?? 0;
  };
  const one = await heightWith(1);

  expect(await heightWith(9)).toBeLessThan(one + 20);
  await strip.getByRole('listitem').last().scrollIntoViewIfNeeded();
  expect(await page.evaluate<number>("document.querySelector('.outcome ul').scrollLeft")).toBeGreaterThan(0);
});

it('what the demo says over the page leaves the step of the guide free (DEMO-5)', async () => {
  const trick = { id: 'kill', label: 'Kill', hint: 'Kill it.', meanwhile: 'Killed.', run: async () => 'Back.' };
  sandbox.show({ tricks: [trick], notice: 'The bot is gone. It comes back by itself…' });
  const guide = await page.getByRole('region', { name: 'A minute in five steps' }).boundingBox();
  const notice = await page.getByText('The bot is gone.').boundingBox();

  expect(notice?.y).toBeGreaterThan((guide?.y ?? 0) + (guide?.height ?? 0));
});

it('on a phone each person who is no full member is told apart by a word (DEMO-5)', async () => {
  await page.setViewportSize({ width: 390, height: 844 });

  const people = page.getByRole('group', { name: 'You are' });
  expect(await people.locator('.kind:visible').count()).toBe(3);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

it('a message that a person writes comes into view, also where they had scrolled up (DEMO-5)', async () => {
  for (let at = 0; at < 30; at += 1) await sandbox.world.say(BEN, OPS, `message ${at}`);
  await page.getByText('message 29').waitFor();
  await page.evaluate("document.querySelector('.timeline').scrollTop = 0");
  await write('my own words');

  const line = "document.querySelector('.timeline')";
  const below = () => page.evaluate<number>(`${line}.scrollHeight - ${line}.scrollTop - ${line}.clientHeight`);
  await page.getByText('my own words').waitFor();
  await expect.poll(below).toBeLessThan(2);
});
