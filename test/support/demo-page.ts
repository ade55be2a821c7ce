import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import { oneBrowser, openPage } from './browser.ts';
import { type DemoSetup, type StartedDemo, startDemo } from './demo.ts';
import { PICTURES } from './pictures.ts';

/** `npm run demo` with a page of a real browser, on which a test plays people. */
export interface DemoPage {
  readonly started: StartedDemo;
  readonly page: Page;
  readonly thread: Locator;
  readonly journal: Locator;
  readonly strip: Locator;
  /** Goes on as another person in the same place, by the name in the side. */
  readonly be: (name: string) => Promise<void>;
  /** Writes in #ops, as it stands there. */
  readonly say: (words: string) => Promise<void>;
  /** Goes on as this person in #ops, with no thread and no form open. */
  readonly begin: (name: string) => Promise<void>;
  /** A person, by default Ann, writes to the bot in #ops, and its thread opens. */
  readonly write: (words: string, name?: string) => Promise<void>;
  /** A button of the thread, by what is written on it; its accessible name says more. */
  readonly button: (words: string) => Locator;
  /** Waits for these words in the thread. */
  readonly sees: (words: string | RegExp) => Promise<void>;
  /** Presses a button of the strip. */
  readonly trick: (name: string) => Promise<void>;
  /** Waits for these words about the last trick. */
  readonly happened: (words: string) => Promise<void>;
  /** What the tools did, by what they write down themselves. */
  readonly counts: () => Promise<string>;
}

/** Is called with the demo before the tests that play on it. */
type Take = (demo: DemoPage) => void;

/** All tests of a file play on one demo. */
export function onOneDemo(take: Take, setup?: DemoSetup): void {
  const browser = oneBrowser();
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open(browser(), setup);
    take(opened.demo);
  });
  afterEach((test) => opened && keepPicture(opened, test));
  afterAll(() => opened && close(opened));
}

/** Each test plays on a demo of its own. */
export function onOwnDemos(take: Take, setup?: DemoSetup): void {
  const browser = oneBrowser();
  let opened: Opened | undefined;
  beforeEach(async () => {
    // A demo that does not start says why, and nothing of it is left to close.
    opened = undefined;
    opened = await open(browser(), setup);
    take(opened.demo);
  });
  afterEach((test) => opened && keepPicture(opened, test).finally(() => opened && close(opened)));
}

interface Opened {
  readonly demo: DemoPage;
  readonly started: StartedDemo;
  readonly strayed: readonly string[];
}

async function open(browser: Browser, setup: DemoSetup | undefined): Promise<Opened> {
  const started = await startDemo(setup);
  const { page, strayed } = await openPage(browser, started.address);
  return { started, strayed, demo: demoOn(page, started) };
}

async function close({ demo: { page }, started, strayed }: Opened): Promise<void> {
  await page.close();
  expect(await started.stop()).toBe(0);
  expect(strayed).toEqual([]);
}

function demoOn(page: Page, started: StartedDemo): DemoPage {
  const region = (name: string) => page.getByRole('region', { name });
  const [thread, journal, strip] = [region('Thread'), region('Journal'), region('Try to break it')];
  const be: DemoPage['be'] = (name) => page.getByRole('link', { name, exact: true }).click();
  /** A form lies over everything. */
  const closeForms = async () => {
    for (const form = page.getByRole('dialog'); (await form.count()) > 0; await form.waitFor({ state: 'detached' })) {
      await page.keyboard.press('Escape');
    }
  };
  const begin: DemoPage['begin'] = async (name) => {
    await page.goto(new URL('/', page.url()).href);
    await closeForms();
    await be(name);
    await page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current]')).waitFor();
    await closeForms();
  };
  const say: DemoPage['say'] = async (words) => {
    await page.getByRole('textbox', { name: 'Message #ops' }).fill(words);
    await page.keyboard.press('Enter');
  };
  return {
    ...{ page, thread, journal, strip, be, say },
    started,
    begin,
    write: async (words, name = 'Ann') => {
      await begin(name);
      await say(`@countersign ${words}`);
      await thread.getByText(words).first().waitFor();
    },
    button: (words) =>
      thread
        .getByRole('button')
        .filter({ hasText: new RegExp(`^${words}$`) })
        .first(),
    sees: (words) => thread.getByText(words).first().waitFor(),
    trick: (name) => strip.getByRole('button', { name }).click(),
    happened: (words) => strip.getByRole('status').getByText(words).waitFor(),
    counts: () => strip.getByRole('list').innerText(),
  };
}

async function keepPicture({ demo: { page } }: Opened, { task }: TestContext): Promise<void> {
  const folder = join(PICTURES, basename(task.file.name, '.test.ts'));
  mkdirSync(folder, { recursive: true });
  const name = (task.name.match(/[\p{L}\d]+/gu) ?? []).join('-').slice(0, 120);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
