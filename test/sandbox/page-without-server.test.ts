import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../sandbox/demo/ports.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { startedDemo } from '../support/demo.ts';

let browser: Browser;
let port: number;
let folder: string;
let demo: ChildProcess;
let page: Page;

const start = async () => {
  const started = await startedDemo('test/sandbox/fixtures/echo-bot.ts', { PORT: `${port}`, DEMO_DATA_DIR: folder });
  demo = started.child;
  return started.address;
};

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  port = await freePort();
  folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  ({ page } = await openPage(browser, await start()));
});
afterEach(async () => {
  demo.kill('SIGKILL');
  await page.close();
});

const box = () => page.getByRole('textbox', { name: 'Message #ops' });
const stopped = () => page.getByText('The demo has stopped. Start it again');
const thread = () => page.getByRole('region', { name: 'Thread' });

it.each(['SIGKILL', 'SIGSTOP'] as const)(
  'the page says that the server is gone, keeps what is written, and goes on when it is back: %s (DEMO-4)',
  async (signal) => {
    await box().fill('@countersign restart the payments service');
    await page.keyboard.press('Enter');
    const approve = thread().getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    demo.kill(signal);
    await stopped().waitFor();

    expect(await approve.isDisabled()).toBe(true);
    await box().fill('written meanwhile');
    await page.keyboard.press('Enter');
    await page.getByText('this was not sent').waitFor();
    expect(await box().inputValue()).toBe('written meanwhile');
    expect(await page.getByRole('article').filter({ hasText: 'written meanwhile' }).count()).toBe(0);

    if (signal === 'SIGKILL') await start();
    else demo.kill('SIGCONT');
    await stopped().waitFor({ state: 'hidden' });
    await expect.poll(() => approve.isDisabled()).toBe(false);
    await approve.click();
    await thread().getByText('Approved by @Ann Archer').waitFor();
    await box().press('Enter');
    await page.getByRole('article').filter({ hasText: 'written meanwhile' }).waitFor();
  },
);

it('a press that the server did not take is not shown as taken (DEMO-4)', async () => {
  await box().fill('@countersign restart the payments service');
  await page.keyboard.press('Enter');
  const approve = thread().getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  await page.route('**/page/act', (route) => route.abort('connectionreset'));

  await approve.click();

  await page.getByText('look whether this was taken').waitFor();
  await expect.poll(() => approve.getAttribute('class')).not.toContain('busy');
  expect(await thread().getByText('Approved by').count()).toBe(0);
});
