import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Trick } from '../../sandbox/page/strip.ts';
import { ANN, directChannel, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { oneBrowser, openPage } from '../support/browser.ts';

/** The guided minute as the server draws it, step after step. */
const CHECK = 'DATA_DIR=/tmp/demo DATA_KEY=key npm run audit -- verify';
const browser = oneBrowser();
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
  const kill: Trick = { id: 'kill', label: 'Kill', hint: 'Kill it.', meanwhile: 'Killed.', run: async () => 'Back.' };
  sandbox.show({ tricks: [kill], check: CHECK });
});
afterEach(() => sandbox.close());

const drawn = async (address = '') => (await fetch(new URL(`/page/app${address}`, sandbox.page))).text();

const slackApi = () => new WebClient(sandbox.botToken, { slackApiUrl: sandbox.slackApiUrl });
const say = (words: string) => sandbox.world.say(ANN, OPS, `@countersign ${words}`);
const kill = () => fetch(new URL('/page/trick', sandbox.page), { method: 'POST', body: 'kill' });

/** A question about this. */
const asked = async (words: string) => card((await say(words)).ts);

/** The bot answers a press, or the card ends by itself. */
const end = ({ ts }: { readonly ts: string }) =>
  slackApi().chat.update({ channel: OPS, ts, text: 'Approved', blocks: [] });

async function approve(waiting: SlackMessage) {
  await sandbox.world.press(ANN, waiting, 'approve');
  await end(waiting);
}

/** Posts a card, as a bot that asks. */
async function card(thread: string) {
  const { chat } = slackApi();
  const button = {
    type: 'button' as const,
    action_id: 'approve',
    text: { type: 'plain_text' as const, text: 'Approve' },
  };
  const blocks = [{ type: 'actions' as const, elements: [button] }];
  const { ts = '' } = await chat.postMessage({ channel: OPS, thread_ts: thread, text: 'Approval needed', blocks });
  const message = sandbox.world.message({ channel: OPS, ts });
  if (message === undefined) throw new Error('The card is gone.');
  return message;
}

const FIRST = 'restart the payments service';
const SECOND = 'restart the search service';

async function walkToTheLastStep() {
  const first = await asked(FIRST);
  expect(await drawn()).toContain('2 of 5');
  await approve(first);
  expect(await drawn()).toContain('3 of 5');
  const second = await asked(SECOND);
  expect(await drawn()).toContain('3 of 5');
  await kill();
  await expect.poll(() => drawn()).toContain('4 of 5');
  expect(await drawn()).not.toContain(CHECK);
  await approve(second);
}

it('the last step of the guide shows the whole command, to copy while the demo runs (DEMO-5)', async () => {
  await walkToTheLastStep();

  const last = await drawn();
  expect(last).toContain('5 of 5');
  expect(last).toContain(`<code tabindex="0">${CHECK}</code>`);
  expect(last).toContain(`data-copy="${CHECK}"`);
  expect(last).toContain('in another terminal while the demo runs');
});

it('Copy puts the command into the clipboard, and says so where the browser does not let it (DEMO-5)', async () => {
  await walkToTheLastStep();
  const { page } = await openPage(browser(), sandbox.page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const press = () => page.getByRole('button', { name: 'Copy', exact: true }).click();

  await press();
  await page.getByRole('alert').getByText('Copied.').waitFor();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(CHECK);

  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'))");
  await press();
  await page.getByText('The browser did not let the page copy. Select the words and copy them.').waitFor();
  await page.close();
});

it('the guide waits for its own card beside other plays (DEMO-5)', async () => {
  const other = await asked('refund order A-1001');
  expect(await drawn()).toContain('1 of 5');
  const first = await asked(FIRST);
  expect(await drawn()).toContain('2 of 5');
  await approve(other);
  expect(await drawn()).toContain('2 of 5');
  await sandbox.world.press(ANN, first, 'approve');
  expect(await drawn()).toContain('2 of 5');
  await end(first);
  expect(await drawn()).toContain('3 of 5');
});

it('the guide asks for another card where one ended without a press (DEMO-5)', async () => {
  const first = await asked(FIRST);
  expect(await drawn()).toContain('2 of 5');
  await end(first);
  expect(await drawn()).toContain('1 of 5');
});

it('the guide counts no kill before its card waits (DEMO-5)', async () => {
  const first = await asked(FIRST);
  await drawn();
  await approve(first);
  expect(await drawn()).toContain('3 of 5');
  await kill();
  await expect.poll(() => drawn()).toContain('Back.');
  await asked(SECOND);
  expect(await drawn()).toContain('3 of 5');
  await kill();
  await expect.poll(() => drawn()).toContain('4 of 5');
});

it('the button of a step is green until its words were said (DEMO-5)', async () => {
  const green = 'class="button primary" data-say="@countersign restart the payments service"';
  expect(await drawn()).toContain(green);
  await sandbox.world.say(ANN, OPS, '@countersign restart the payments service');
  expect(await drawn()).toContain('data-say');
  expect(await drawn()).not.toContain(green);
});

it('a thread says what to try next when the guide is over, and only while it can be done (DEMO-5)', async () => {
  const next = 'Be Ben and approve it, then be Zoe and approve it.';
  const { ts } = await sandbox.world.say(ANN, OPS, '@countersign refund order A-1001');
  const thread = `?channel=${OPS}&thread=${ts}`;
  const waiting = await card(ts);
  expect(await drawn(thread)).not.toContain(next);
  await fetch(new URL('/page/guide', sandbox.page), { method: 'POST' });
  expect(await drawn(thread)).toContain(next);

  await end(waiting);
  expect(await drawn(thread)).not.toContain(next);
});

it.each([
  ['restart_service', true],
  ['my_own_tool', false],
])('after a call of %s a thread suggests to write a tool: %s (DEMO-5)', async (tool, isSuggested) => {
  await fetch(new URL('/page/guide', sandbox.page), { method: 'POST' });
  const { ts } = await sandbox.world.say(ANN, OPS, `@countersign call ${tool} {}`);

  expect((await drawn(`?channel=${OPS}&thread=${ts}`)).includes('Write a tool of your own')).toBe(isSuggested);
});

it('a channel with messages offers the plays folded, and an empty one open (DEMO-5)', async () => {
  expect(await drawn()).toContain('Requests to try');
  expect(await drawn()).not.toContain('class="plays"');
  await sandbox.world.say(ANN, OPS, 'good morning');

  expect(await drawn()).toMatch(/<details[^>]* class="plays"[^>]*>.*Requests to try.*<\/details>/s);
});

it('a direct conversation without messages offers no requests, and says how to write in it (DEMO-5)', async () => {
  const page = await drawn(`?channel=${directChannel(ANN)}`);

  expect(page).toContain('Write to Countersign: in a direct message it needs no mention.');
  expect(page).not.toContain('Press one of these');
  expect(page).not.toContain('Requests to try');
});
