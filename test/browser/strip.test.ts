import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { startedDemo } from '../support/demo.ts';

/** Each button of the strip, in two plays, against the real bot. */
const PLAYS = [
  { asks: 'restart the payments service', tool: 'restart_service', decides: 'Ann', done: 'was restarted' },
  { asks: 'drop the old database', tool: 'drop_database', decides: 'Ben', done: 'The old database is gone' },
] as const;
type Play = (typeof PLAYS)[number];

let browser: Browser;
let demo: ChildProcess;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function open(environment: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  const started = await startedDemo(undefined, { PORT: '0', DEMO_DATA_DIR: folder, ...environment });
  demo = started.child;
  ({ page } = await openPage(browser, started.address));
}
/** Without a path there is no Redis to be found. */
const openOnSqlite = () => open({ PATH: '' });
const openOnRedis = () => open({});

afterEach(async () => {
  const gone = new Promise((resolve) => demo.once('exit', resolve));
  demo.kill('SIGINT');
  expect(await gone).toBe(0);
  await page.close();
});

const thread = () => page.getByRole('region', { name: 'Thread' });
const strip = () => page.getByRole('region', { name: 'Try to break it' });
const trick = (name: string) => strip().getByRole('button', { name }).click();
const happened = (words: string) => strip().getByRole('status').getByText(words).waitFor();
const counts = () => strip().getByRole('list').innerText();

async function approve({ tool }: Play) {
  await thread()
    .getByRole('button')
    .filter({ hasText: /^Approve$/ })
    .click();
  // What cannot be undone is confirmed.
  if (tool === 'drop_database') await page.getByRole('button', { name: 'Yes, delete' }).click();
}

async function ask({ asks, decides }: Play) {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill(`@countersign ${asks}`);
  await page.keyboard.press('Enter');
  await thread().getByText('Approval needed').waitFor();
  await page.getByRole('link', { name: decides, exact: true }).click();
}

describe.each(PLAYS)('try to break it: $asks', (play) => {
  beforeEach(openOnSqlite);

  it('a bot that is killed comes back by itself, and its card still works (DEMO-2)', async () => {
    await ask(play);
    await trick('Kill the bot');
    await happened('and back after');

    await approve(play);
    await thread().getByText(play.done).waitFor();
    await expect.poll(counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  });

  it('a bot that is killed in the middle of the tool asks what became of the call (DEMO-2)', async () => {
    await trick('Kill it in the middle of the tool');
    await happened('Armed.');
    await ask(play);
    await approve(play);

    await happened(`Killed while ${play.tool} ran.`);
    await thread().getByText('Did this happen?').first().waitFor();
    await thread().getByText('outcome unknown').first().waitFor();
    expect(await counts()).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  });

  it('a press that is delivered five times more counts once (DEMO-2)', async () => {
    await trick('Deliver the last press five times');
    await happened('Press one on a card');
    await ask(play);
    await approve(play);
    await thread().getByText(play.done).waitFor();

    await trick('Deliver the last press five times');
    await happened('Delivered the press of “Approve” 5 more times; the bot took 5 of them. No tool started');
    await expect.poll(counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  });

  it('a message whose answer is lost stands once (DEMO-2)', async () => {
    await trick('Lose the next answer of Slack');
    await happened('Ready.');
    await ask(play);
    await happened('Slack posted “I will');

    await approve(play);
    await thread().getByText(play.done).waitFor();
    expect(await thread().getByText('I will').count()).toBe(1);
  });

  it('a card that gets no answer expires, and nothing runs (DEMO-2)', async () => {
    await trick('Let the next card expire');
    await page.getByText('The bot is gone').waitFor();
    await page.getByText('The bot is gone').waitFor({ state: 'detached' });
    await ask(play);

    await happened('It expired, and that is no yes');
    await thread()
      .getByRole('button')
      .filter({ hasText: /^Ask again$/ })
      .waitFor();
    await expect.poll(counts).toBe(`${play.tool}: asked 1 · allowed 0 · started 0`);
  });
});

it('without a Redis, what needs one says how to get it (DEMO-2)', async () => {
  await openOnSqlite();
  // A person can press what is greyed, and hears why.
  await strip().getByRole('button', { name: 'Second replica' }).click({ force: true });
  await happened('This needs a Redis. Install redis-server');
});

describe.each(PLAYS)('try to break it on Redis: $asks', (play) => {
  beforeEach(openOnRedis);

  it('of two replicas one can be killed, and the other one goes on (DEMO-2)', async () => {
    await trick('Second replica');
    await happened('Two processes of the bot run now');
    await ask(play);
    await trick('Kill the bot');
    await approve(play);

    await thread().getByText(play.done).waitFor();
    await happened('Killed one of two. The other went on meanwhile.');
    await expect.poll(counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  });

  it('on a slow store a press is late, and counts once (DEMO-2)', async () => {
    await ask(play);
    await trick('Slow the store');
    await happened('Each answer of the store takes half a second');
    await approve(play);

    await thread().getByText(play.done).waitFor();
    await happened('The store is fast again.');
    await expect.poll(counts).toBe(`${play.tool}: asked 1 · allowed 1 · started 1`);
  });
});
