import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { startedDemo } from '../support/demo.ts';

/** `npm run demo` and a real browser: the whole walk as somebody who tries the product for the first time does it. */
let browser: Browser;
let demo: ChildProcess;
let page: Page;
let strayed: readonly string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  const started = await startedDemo(undefined, {
    PORT: '0',
    DEMO_DATA_DIR: mkdtempSync(join(tmpdir(), 'countersign-demo-')),
  });
  demo = started.child;
  ({ page, strayed } = await openPage(browser, started.address));
});

afterEach(async () => {
  const gone = new Promise((resolve) => demo.once('exit', resolve));
  demo.kill('SIGINT');
  expect(await gone).toBe(0);
  expect(strayed).toEqual([]);
  await page.close();
});

const thread = () => page.getByRole('region', { name: 'Thread' });

/** By what is written on it; its accessible name says more. */
const button = (words: string) =>
  thread()
    .getByRole('button')
    .filter({ hasText: new RegExp(`^${words}$`) });

const write = async (words: string) => {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(words);
  await page.keyboard.press('Enter');
  await thread().getByText('Approval needed').waitFor();
};

describe('the demo', () => {
  it('asks, is approved by Ann, runs, and replies', async () => {
    await write('@countersign restart the payments service');
    expect(await thread().getByText('Trust approves this call and later ones:').innerText()).toContain(
      'restart_service with any input, in this thread, for 1 hour',
    );

    await button('Approve').click();

    await thread().getByText('Done. The payments service was restarted.').waitFor();
    await thread().getByText('Approved by').waitFor();
    expect(await button('Approve').count()).toBe(0);
  });

  it('asks, is denied, and leaves the service alone', async () => {
    await write('@countersign restart the payments service');

    await button('Deny').click();

    await thread().getByText('Understood, I left the payments service alone.').waitFor();
    await thread().getByText('Denied by').waitFor();
  });

  it('asks, is trusted, and does not ask the second time', async () => {
    await write('@countersign restart the payments service');
    await button('Trust').click();
    await thread().getByText('Done. The payments service was restarted.').waitFor();

    await thread().getByRole('textbox').fill('restart the search service');
    await page.keyboard.press('Enter');

    await thread().getByText('Done. The search service was restarted.').waitFor();
    await thread().getByText('without asking').waitFor();
  });

  it('shows the journal grow beside the thread, and finds it whole (DEMO-3)', async () => {
    const journal = page.getByRole('region', { name: 'Journal' });
    await write('@countersign restart the payments service');
    await journal.getByText('People are asked about restart_service.').waitFor();

    await button('Approve').click();

    await journal.getByText('restart_service starts, with a stored yes.').waitFor();
    await journal.getByRole('button', { name: 'Verify', exact: true }).click();
    await journal.getByText('every one is as it was written').waitFor();
  });

  it('is killed while it waits, comes back by itself, and goes on with the card it had (DEMO-2)', async () => {
    await write('@countersign restart the payments service');
    const strip = page.getByRole('region', { name: 'Try to break it' });
    await strip.getByRole('button', { name: 'Kill the bot' }).click();
    await strip.getByText('and back after').waitFor();

    await button('Approve').click();

    await thread().getByText('Done. The payments service was restarted.').waitFor();
    await strip.getByText('restart_service: asked 1 · allowed 1 · started 1').waitFor();
  });
});
