import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JournalLine, Verified } from '../../sandbox/page/journal/journal.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { oneBrowser, openPage } from '../support/browser.ts';
import { createEchoBot } from './fixtures/echo-bot.ts';

/** The pane of the journal, with a journal that a test writes. */
const browser = oneBrowser();
let sandbox: Sandbox;
let bot: App;
let page: Page;
let lines: readonly JournalLine[] = [];
let verified: Verified;

beforeEach(async () => {
  lines = [line(0, { prev: '' }), line(1, { kind: 'call-started', digest: 'asked-for', shown: 'asked-for' }), line(2)];
  verified = { outcome: 'whole', findings: [], notes: ['Walked it.'] };
  sandbox = await startSandbox();
  sandbox.show({ journal: { of: () => lines, verify: async () => verified } });
  bot = createEchoBot(sandbox);
  await bot.start();
  ({ page } = await openPage(browser(), sandbox.page));
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('@countersign restart the payments service');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Thread' }).getByText('Approval needed').waitFor();
});

afterEach(async () => {
  await page.close();
  await bot.stop();
  await sandbox.close();
});

function line(position: number, more: Partial<JournalLine> = {}): JournalLine {
  const hash = (at: number) => `hash-${at}-`.padEnd(43, 'x');
  const time = new Date(1_790_000_000_000 + position).toISOString();
  const about = { journal: 'run', position, time, kind: 'posted', sentence: `Entry ${position}.` };
  return { ...about, hash: hash(position), prev: hash(position - 1), ...more };
}

const journal = () => page.getByRole('region', { name: 'Journal' });
const verify = () => journal().getByRole('button', { name: 'Verify', exact: true }).click();

it('names each entry that the command finds, in the journal itself (DEMO-3)', async () => {
  verified = { outcome: 'broken', findings: ['run: entry 1 was altered.', 'other: entry 2 was altered.'], notes: [] };
  await verify();

  await expect.poll(() => journal().locator('.red').allInnerTexts()).toEqual([expect.stringContaining('Entry 1.')]);
  expect(await journal().getByRole('status').innerText()).toContain('run: entry 1 was altered.');
  await expect(journal().locator('.verdict .whole').count()).resolves.toBe(0);
});

it('names an entry in what the command says by its hash, as in the list, and says it in no other thread (DEMO-3)', async () => {
  verified = { outcome: 'broken', findings: ['run: entry 2 (wt_CKtKANNnN) does not stand on entry 1.'], notes: [] };
  await verify();
  await journal().getByText('run: entry 2 (hash-2-x) does not stand on entry 1.').waitFor();

  await page.getByRole('textbox', { name: 'Message #ops' }).fill('@countersign another one');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Thread' }).getByText('another one').first().waitFor();
  await expect.poll(() => journal().getByRole('status').innerText()).toBe('');
  expect(await journal().locator('.red').count()).toBe(0);
});

it('says in the words of the command why it could not look, and is not green (DEMO-3)', async () => {
  verified = { outcome: 'failed', findings: [], notes: ['Redis gives no answer.', 'Try again.'] };
  await verify();

  await journal().getByText('Redis gives no answer.').waitFor();
  expect(await journal().locator('.verdict .failed').count()).toBe(1);
});

it('says only that no entry has arrived of a run whose entries are not read yet, as after a new start (DEMO-3)', async () => {
  lines = [];
  await page.reload();

  await page.getByRole('region', { name: 'Thread' }).getByText('Approval needed').waitFor();
  await expect.poll(() => journal().innerText()).toContain('No entry has arrived here yet.');
});

it('a start of something else than was shown stands out (DEMO-3)', async () => {
  expect(await journal().locator('.digests.same').innerText()).toBe('shown asked-fo = ran asked-fo');
  lines = lines.map((one) => (one.position === 1 ? { ...one, digest: 'something else' } : one));
  sandbox.changed();

  await expect
    .poll(() => journal().locator('.digests.other').allInnerTexts())
    .toEqual(['shown asked-fo ≠ ran somethin']);
  expect(await journal().locator('.digests.same').count()).toBe(0);
});

it('a press that reached no bot stands where it fell, and is no entry (DEMO-3)', async () => {
  await bot.stop();
  await sandbox.world.until(() => sandbox.sockets.count() === 0);
  await page.getByRole('region', { name: 'Thread' }).getByRole('button', { name: 'Approve' }).click();

  const last = journal().getByRole('listitem').last();
  await last.getByText('Slack got no answer to Ann Archer’s press of “Approve”: the app is not connected.').waitFor();
  await last.getByText('no entry').waitFor();
});
