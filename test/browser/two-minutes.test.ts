import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, it } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { startedDemo } from '../support/demo.ts';

let browser: Browser;
let demo: ChildProcess | undefined;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  demo?.kill('SIGINT');
  await browser.close();
});

/** A visitor has two minutes. The test waits five times as long, and prints what it took. */
const VISIT = { timeout: 5 * 120_000 };

it(
  'a visitor who does only what the page suggests sees a kill and the recovery, and is through in five steps (DEMO-5)',
  async () => {
    const beganMs = performance.now();
    const folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
    const started = await startedDemo(undefined, { PORT: '0', DEMO_DATA_DIR: folder });
    demo = started.child;
    const { page } = await openPage(browser, started.address);
    page.setDefaultTimeout(VISIT.timeout);
    const guide = page.getByRole('region', { name: 'A minute in five steps' });
    const thread = page.getByRole('region', { name: 'Thread' });
    const approve = () =>
      thread
        .getByRole('button')
        .filter({ hasText: /^Approve$/ })
        .click();

    await guide.getByText('1 of 5').waitFor();
    await guide.getByRole('button', { name: 'Say' }).click();
    await guide.getByText('2 of 5').waitFor();
    await approve();
    await guide.getByText('3 of 5').waitFor();
    await thread.getByText('Done. The payments service was restarted.').waitFor();
    await guide.getByRole('button', { name: 'Say' }).click();
    await thread.getByText('Approval needed').waitFor();
    await page.getByRole('button', { name: 'Kill the bot' }).click();
    await guide.getByText('4 of 5').waitFor();
    await approve();
    await thread.getByText('Done. The search service was restarted.').waitFor();
    process.stdout.write(
      `From the start to a watched recovery: ${((performance.now() - beganMs) / 1000).toFixed(1)} s\n`,
    );

    await guide.getByText('5 of 5').waitFor();
    await guide.getByText('npm run audit -- verify').waitFor();
    await guide.getByRole('button', { name: 'Done' }).click();
    await guide.waitFor({ state: 'detached' });
  },
  VISIT.timeout * 2,
);
