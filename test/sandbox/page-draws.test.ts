import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, OPS } from '../../sandbox/people.ts';
import { oneBrowser } from '../support/browser.ts';
import { type EchoPage, openEchoPage } from './fixtures/echo-page.ts';

/** What the page draws of reactions, dates and tricks, and what closes there by itself. */
const browser = oneBrowser();
let opened: EchoPage;
let page: Page;
beforeEach(async () => {
  opened = await openEchoPage(browser());
  ({ page } = opened);
});
afterEach(() => opened.close());

/** Opens the menu of a card. */
async function openMenu() {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('@countersign restart the payments service');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Thread' }).getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menu').waitFor();
}

it('a date stands in one line, wherever a message breaks (DEMO-5)', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (let words = 0; words < 12; words += 1) {
    const text = `${'wide '.repeat(words)}<!date^1800000000^{date_short_pretty} {time}|then>`;
    await opened.bot.client.chat.postMessage({ channel: OPS, text });
  }
  const dates = page.locator('time[title]');
  await expect.poll(() => dates.count()).toBe(12);

  const lines = await dates.evaluateAll((all) =>
    (all as unknown as readonly { getClientRects(): { length: number } }[]).map((date) => date.getClientRects().length),
  );
  expect(lines).toEqual(Array(12).fill(1));
});

it('a reaction is drawn as its sign with the number of those who gave it, and says its name (DEMO-5)', async () => {
  const { ts } = await opened.sandbox.world.say(ANN, OPS, 'look at this');
  await opened.bot.client.reactions.add({ channel: OPS, timestamp: ts, name: 'eyes' });

  const reaction = page.getByRole('article').filter({ hasText: 'look at this' }).locator('.reaction');
  await reaction.getByRole('img', { name: 'eyes' }).waitFor();
  expect(await reaction.innerText()).toBe('👀 1');
});

it('a trick that cannot be done here says why, and does nothing (DEMO-2)', async () => {
  const trick = {
    id: 'slow',
    label: 'Slow the store',
    hint: 'Slows it.',
    meanwhile: 'Slow.',
    run: async () => 'Fast.',
  };
  opened.sandbox.show({ tricks: [{ ...trick, unavailable: 'No Redis is installed here.' }] });
  const button = page.getByRole('button', { name: 'Slow the store' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.click({ force: true });

  await page.getByRole('status').getByText('No Redis is installed here.').waitFor();
});

it('a menu closes when the card that it belongs to is gone (DEMO-5)', async () => {
  await openMenu();
  const [card] = opened.sandbox.world.channel(OPS).filter(({ text }) => text.startsWith('Approval needed'));
  if (card === undefined) throw new Error('There is no card.');
  await opened.bot.client.chat.update({ channel: OPS, ts: card.ts, text: 'Denied', blocks: [] });

  await page.getByRole('menu').waitFor({ state: 'detached' });
});

it('a form closes on the page when its view ends (DEMO-5)', async () => {
  await openMenu();
  await page.getByRole('menuitem', { name: 'Deny with a reason…' }).click();
  await page.getByRole('dialog').waitFor();
  const [view] = opened.sandbox.world.views(ANN);
  if (view === undefined) throw new Error('There is no form.');
  await opened.sandbox.world.close(ANN, view);

  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('a chosen file is named beside the words until they are sent, and a screen reader hears of it (DEMO-5)', async () => {
  const chosen = () => page.evaluate<string>("getComputedStyle(document.querySelector('.attach'), '::after').content");
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  const field = page.getByLabel('Attach files: Message #ops');
  await field.setInputFiles([file('one.txt'), file('two.txt')]);
  expect(await chosen()).toBe('"2 files"');
  await field.setInputFiles(file('"notes".txt'));
  expect(await page.getByRole('status').getByText('Attached: "notes".txt').count()).toBe(1);
  await opened.sandbox.world.say(ANN, OPS, 'drawn anew');
  await page.getByText('drawn anew').waitFor();
  expect(await chosen()).toBe('"\\"notes\\".txt"');

  await page.getByRole('button', { name: 'Send: Message #ops' }).click();
  await page.getByRole('article').getByText('"notes".txt').first().waitFor();
  await expect.poll(chosen).toBe('none');
});
