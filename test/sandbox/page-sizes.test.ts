import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OPS } from '../../sandbox/people.ts';
import { oneBrowser } from '../support/browser.ts';
import { type EchoPage, KILL, openEchoPage } from './fixtures/echo-page.ts';

/** The page in a small or low window, as of a phone or of a person who zooms. */
const browser = oneBrowser();
let opened: EchoPage;
let page: Page;
beforeEach(async () => {
  opened = await openEchoPage(browser(), { tricks: [KILL] });
  ({ page } = opened);
});
afterEach(() => opened.close());

const write = async (words: string) => {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(words);
  await page.keyboard.press('Enter');
};

/** Enough lines of a card to read it. */
const READABLE_PX = 240;

it.each([
  ['at 200 % zoom on a laptop', { width: 680, height: 430 }],
  ['on a phone that lies on its side', { width: 844, height: 390 }],
])('a card can be read and every place reached %s (DEMO-5)', async (_, size) => {
  await write('@countersign restart the payments service');
  const approve = page.getByRole('region', { name: 'Thread' }).getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  await page.setViewportSize(size);

  const heightOf = (part: string) => page.evaluate<number>(`document.querySelector('${part}').clientHeight`);
  expect(await heightOf('.thread .timeline')).toBeGreaterThan(READABLE_PX);
  expect((await page.getByRole('region', { name: 'Thread' }).boundingBox())?.width).toBe(size.width);
  await approve.click({ trial: true });
  await page.getByRole('button', { name: 'Kill the bot' }).click({ trial: true });
  await page.getByRole('link', { name: 'Dan, left' }).click({ trial: true });
  await page.getByRole('link', { name: 'Places' }).click();
  await page.getByRole('link', { name: 'general', exact: true }).click();
  await page.getByRole('textbox', { name: 'Message #general' }).click({ trial: true });
  expect(await heightOf('.channel .timeline')).toBeGreaterThan(READABLE_PX);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width);
});

it('the next step of the guide comes into view on a phone (DEMO-5)', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const guide = page.getByRole('region', { name: 'A minute in five steps' });
  await guide.getByRole('button', { name: 'Say' }).click();
  await guide.getByText('2 of 5').waitFor();
  await page.evaluate("document.getElementById('root').scrollTop = 1000");
  expect((await guide.boundingBox())?.y).toBeLessThan(-50);
  const thread = page.getByRole('region', { name: 'Thread' });
  await thread.getByRole('button', { name: 'Approve' }).click();
  await thread.getByText('Approved by').waitFor();
  const [card] = opened.sandbox.world.channel(OPS).filter(({ text }) => text.startsWith('Approved by'));
  await opened.bot.client.chat.update({ channel: OPS, ts: card?.ts ?? '', text: 'Done', blocks: [] });

  await guide.getByText('3 of 5').waitFor();
  await expect.poll(async () => (await guide.boundingBox())?.y).toBe(0);
});
