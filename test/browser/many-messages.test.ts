import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { createEchoBot } from '../sandbox/fixtures/echo-bot.ts';
import { oneBrowser, openPage } from '../support/browser.ts';

/** The page of a workspace with 50 threads and 5,000 messages. */
const THREADS = 50;
const IN_EACH = 100;
/** Each step of a visitor takes less than this. The test waits five times as long, and prints what it took. */
const STEP_MS = 2_000;

const browser = oneBrowser();
let sandbox: Sandbox;
let bot: App;
let page: Page;

beforeAll(async () => {
  // The bot hears only of mentions, of which the first messages have none.
  sandbox = await startSandbox({ events: ['app_mention'] });
  for (let thread = 1; thread <= THREADS; thread += 1) {
    const root = await sandbox.world.say(ANN, OPS, `thread ${thread}`);
    for (let answer = 1; answer < IN_EACH; answer += 1)
      await sandbox.world.say(answer % 2 === 0 ? ANN : BOT, OPS, `answer ${answer} of ${thread}`, { thread: root });
  }
  bot = createEchoBot(sandbox);
  await bot.start();
  ({ page } = await openPage(browser(), 'about:blank'));
  page.setDefaultTimeout(5 * STEP_MS);
});
afterAll(async () => {
  await page.close();
  await bot.stop();
  await sandbox.close();
});

const thread = () => page.getByRole('region', { name: 'Thread' });

/** Prints how long it took, and answers with how many elements the page put in. */
async function step(name: string, take: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`addedNodes = 0; globalThis.watcher?.disconnect();
    watcher = new MutationObserver((all) => { for (const { addedNodes: put } of all) addedNodes += put.length; });
    watcher.observe(document, { childList: true, subtree: true });`);
  const beganMs = performance.now();
  await take();
  process.stdout.write(`With ${THREADS * IN_EACH} messages, ${name} took ${(performance.now() - beganMs) | 0} ms\n`);
  return page.evaluate<number>('globalThis.addedNodes ?? 0');
}

it('50 threads and 5,000 messages slow neither the page, nor a change of the thread, nor a press (DEMO-5)', async () => {
  expect(sandbox.world.channel(OPS)).toHaveLength(THREADS * IN_EACH);
  await step('opening the page', async () => {
    await page.goto(sandbox.page);
    await page.getByText('thread 50', { exact: true }).first().waitFor();
  });
  expect(await page.getByRole('article').count()).toBe(THREADS);

  const open = async (number: number) => {
    const root = page.getByRole('article').filter({ has: page.getByText(`thread ${number}`, { exact: true }) });
    await root.locator('a.replies').click();
    await thread().getByText(`answer 99 of ${number}`, { exact: true }).waitFor();
  };
  await step('opening a thread', () => open(50));
  await step('changing the thread', () => open(49));
  expect(await thread().getByRole('article').count()).toBe(IN_EACH);

  await thread().getByRole('textbox').fill('@countersign restart the payments service');
  await step('a card', async () => {
    await page.keyboard.press('Enter');
    await thread().getByRole('button', { name: 'Approve' }).first().waitFor();
  });
  const put = await step('a press', async () => {
    await thread().getByRole('button', { name: 'Approve' }).first().click();
    await thread().getByText('Approved by @Ann Archer').waitFor();
  });
  // A press draws its card anew and adds an answer. The other messages stay as they are.
  expect(put).toBeLessThan(IN_EACH);
});
