import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser, openPage } from './browser.ts';
import { startedDemo } from './demo.ts';

/** `npm run demo` with a page of a real browser, on which a test plays Ann, Ben and Zoe. */
export interface DemoPage {
  readonly page: Page;
  readonly thread: Locator;
  /** Goes on as another person in the same thread. */
  readonly be: (name: 'Ann' | 'Ben' | 'Zoe') => Promise<void>;
  /** Ann writes to the bot in #ops, and its thread opens. */
  readonly write: (words: string) => Promise<void>;
  /** A button of the thread, by what is written on it; its accessible name says more. */
  readonly button: (words: string) => Locator;
  /** Waits for these words in the thread. */
  readonly sees: (words: string | RegExp) => Promise<void>;
  /** Requests that left this computer. */
  readonly strayed: readonly string[];
  /** Resolves with the exit code of the demo. */
  readonly close: () => Promise<number | null>;
}

export async function openDemo(): Promise<DemoPage> {
  const browser: Browser = await openBrowser();
  const { child: demo, address } = await startedDemo(undefined, {
    // Node alone: without a Redis the demo is the same on every computer.
    PATH: dirname(process.execPath),
    PORT: '0',
    DEMO_DATA_DIR: mkdtempSync(join(tmpdir(), 'countersign-demo-')),
  });
  const gone = new Promise<number | null>((resolve) => demo.once('exit', resolve));
  const { page, strayed } = await openPage(browser, address);
  const thread = page.getByRole('region', { name: 'Thread' });
  const be: DemoPage['be'] = (name) => page.getByRole('link', { name, exact: true }).click();
  return {
    page,
    thread,
    be,
    strayed,
    write: async (said) => {
      await be('Ann');
      await page.getByRole('textbox', { name: 'Message #ops' }).fill(`@countersign ${said}`);
      await page.keyboard.press('Enter');
      await thread.getByText(said).first().waitFor();
    },
    button: (label) =>
      thread
        .getByRole('button')
        .filter({ hasText: new RegExp(`^${label}$`) })
        .first(),
    sees: (said) => thread.getByText(said).first().waitFor(),
    close: async () => {
      demo.kill('SIGINT');
      const code = await gone;
      await browser.close();
      return code;
    },
  };
}
