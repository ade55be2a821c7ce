import { WebClient } from '@slack/web-api';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { textAt } from '../../sandbox/json.ts';
import { ANN, OPS } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { oneBrowser, openPage } from '../support/browser.ts';

/** What people and administrators do with messages, threads and channels, on the page. */
const browser = oneBrowser();
let sandbox: Sandbox;
let page: Page;

beforeEach(async () => {
  sandbox = await startSandbox();
  ({ page } = await openPage(browser(), sandbox.page));
});
afterEach(async () => {
  await page.close();
  await sandbox.close();
});

const client = () => new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });
const told = () =>
  sandbox.world.deliveries.map(
    ({ payload }) => textAt(payload, 'event', 'subtype') || textAt(payload, 'event', 'type'),
  );

async function choose(words: string, item: string) {
  const message = page.getByRole('article').filter({ hasText: words }).first();
  await message.getByRole('button', { name: 'Message shortcuts' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

it('a person edits and deletes a message of their own, and the app hears of both (DEMO-5)', async () => {
  await sandbox.world.say(ANN, OPS, 'first words');
  await choose('first words', 'Edit…');
  const dialog = page.getByRole('dialog', { name: 'Edit message' });
  expect(await dialog.getByRole('textbox').inputValue()).toBe('first words');
  await dialog.getByRole('textbox').fill('other words');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('(edited)').waitFor();

  await choose('other words', 'Delete');
  await page.getByRole('article').waitFor({ state: 'detached' });
  expect(told()).toEqual(['message', 'message_changed', 'message_deleted']);
});

it('an administrator deletes a message of the app (DEMO-5)', async () => {
  await client().chat.postMessage({ channel: OPS, text: 'Approval needed' });
  await choose('Approval needed', 'Delete as administrator');

  await page.getByRole('article').waitFor({ state: 'detached' });
  expect(sandbox.world.channel(OPS)).toEqual([]);
  expect(told()).toContain('message_deleted');
});

it('in a locked thread neither a person nor the app can write, until it is unlocked (DEMO-5)', async () => {
  const { ts } = await sandbox.world.say(ANN, OPS, 'the root');
  await choose('the root', 'Lock the thread');
  const post = () => client().chat.postMessage({ channel: OPS, thread_ts: ts, text: 'an answer' });

  await expect.poll(() => sandbox.world.message({ channel: OPS, ts })?.isLocked).toBe(true);
  await expect(post()).rejects.toThrow('restricted_action_thread_locked');
  await page.goto(new URL(`/?channel=${OPS}&thread=${ts}`, page.url()).href);
  await page.getByText('Locked: nothing can be added.').waitFor();
  await expect(sandbox.world.say(ANN, OPS, 'me too', { thread: { channel: OPS, ts } })).rejects.toThrow('is locked');
  await choose('the root', 'Unlock the thread');
  await expect.poll(() => sandbox.world.message({ channel: OPS, ts })?.isLocked).toBe(false);
  await post();
});

it('in an archived channel neither a person nor the app can write, until it is brought back (DEMO-5)', async () => {
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('archived', { exact: true }).waitFor();
  await page.getByText('The channel is archived: bring it back to write in it.').waitFor();
  expect(await page.getByRole('list', { name: 'Requests to try' }).count()).toBe(0);
  const post = () => client().chat.postMessage({ channel: OPS, text: 'hello' });

  await expect(post()).rejects.toThrow('is_archived');
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('still here');
  await page.keyboard.press('Enter');
  await page.getByText('#ops is archived, so nothing can be written there.').waitFor();
  await page.getByRole('button', { name: 'Bring back' }).click();
  await page.getByRole('button', { name: 'Archive' }).waitFor();
  await post();
  expect(told()).toEqual(['channel_archive', 'channel_unarchive', 'message']);
});
