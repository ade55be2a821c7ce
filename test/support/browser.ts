import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/** A real browser without a window, for the tests of a file or of a block. */
export function oneBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: inject('chromium'),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  });
  afterAll(() => browser.close());
  return () => browser;
}

/** A page that notes every request which leaves this computer, of which there must be none. */
export async function openPage(browser: Browser, address: string): Promise<{ page: Page; strayed: readonly string[] }> {
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  page.setDefaultTimeout(PATIENCE_MS);
  const strayed: string[] = [];
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') strayed.push(request.url());
  });
  await page.goto(address);
  return { page, strayed };
}
