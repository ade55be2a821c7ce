import type { Locator } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { axeFinds } from '../support/axe.ts';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** Every page and every form of the demo with a keyboard, with a finger, and with a screen reader. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});
beforeEach(async () => {
  while ((await dialog().count()) > 0) await leave();
  await demo.page.goto(new URL('/', demo.page.url()).href);
});

const dialog = () => demo.page.getByRole('dialog');
const more = () => demo.thread.getByRole('button', { name: 'More options' }).last();
const focused = () => demo.page.locator(':focus');

async function choose(item: string) {
  await more().click();
  await demo.page.getByRole('menuitem', { name: item }).click();
  await dialog().waitFor();
}

async function leave() {
  await demo.page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
}

it('axe finds nothing on the channel, a thread, the direct conversation and Home, on a desk and a phone (DEMO-5)', async () => {
  expect(await axeFinds(demo.page)).toEqual([]);
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  expect(await axeFinds(demo.page)).toEqual([]);
  await more().click();
  expect(await axeFinds(demo.page)).toEqual([]);
  await demo.page.keyboard.press('Escape');

  await demo.write('explain how you work');
  await demo.sees('What was shown is what runs.');
  expect(await axeFinds(demo.page)).toEqual([]);
  for (const place of ['general', 'Countersign', 'Countersign Home']) {
    await demo.page.getByRole('link', { name: place, exact: true }).click();
    if (place === 'Countersign Home') await demo.page.getByText('Waiting for you').waitFor();
    expect(await axeFinds(demo.page)).toEqual([]);
  }
  await demo.page.getByRole('button', { name: 'View and decide' }).first().click();
  await dialog().waitFor();
  expect(await axeFinds(demo.page)).toEqual([]);
  await leave();
  await demo.page.getByRole('link', { name: 'ops', exact: true }).click();
});

it('axe finds nothing in any form of a card, nor beside a field that is wrong (DEMO-5)', async () => {
  await demo.write('restart the search service');
  await demo.sees('Approval needed');
  for (const item of ['Deny with a reason…', 'Answer instead…', 'Edit input…', 'Trust on other terms…']) {
    await choose(item);
    expect(await axeFinds(demo.page)).toEqual([]);
    await leave();
  }
  await demo.write('ask me when to restart');
  await demo.button('Answer…').click();
  await dialog().waitFor();
  await dialog().getByRole('button', { name: 'Send answer' }).click();
  await dialog().getByRole('alert').first().waitFor();
  expect(await axeFinds(demo.page)).toEqual([]);
  await leave();
  await demo.write('drop the old database');
  await demo.be('Ben');
  await demo.button('Approve').click();
  await dialog().waitFor();
  expect(await axeFinds(demo.page)).toEqual([]);
  await leave();
  await demo.be('Ann');
});

it('axe finds nothing on the page of a second factor, nor on the sign-on before it (DEMO-5)', async () => {
  await demo.write('rotate the webhook key');
  await demo.be('Ben');
  await demo.button('Decide on the web').click();
  const link = demo.thread.locator('a[href*="/decide?link="]').last();
  const [tab] = await Promise.all([demo.page.context().waitForEvent('page'), link.click()]);
  await tab.getByRole('heading', { name: 'Who are you?' }).waitFor();
  expect(await axeFinds(tab)).toEqual([]);
  await tab.getByRole('button', { name: 'ben@example.com' }).click();
  await tab.getByRole('heading', { name: 'A decision is needed' }).waitFor();
  expect(await axeFinds(tab)).toEqual([]);
  await tab.close();
  await demo.be('Ann');
});

it('axe finds nothing on what Verify says of the journal and of a copy with one altered byte (DEMO-3, DEMO-5)', async () => {
  await demo.write('restart the payments service');
  await demo.button('Approve').click();
  await demo.sees('Done. The payments service was restarted.');
  const verdict = demo.journal.getByRole('status');
  await demo.journal.getByRole('button', { name: 'Verify', exact: true }).click();
  await verdict.locator('.whole').waitFor();
  expect(await axeFinds(demo.page)).toEqual([]);

  await demo.journal.getByRole('button', { name: 'Alter one byte, then verify' }).click();
  await verdict.locator('.broken').waitFor();
  await demo.journal.locator('.red').first().waitFor();
  expect(await axeFinds(demo.page)).toEqual([]);
});

it('a form holds the focus, and gives it back to the button that opened it (DEMO-5)', async () => {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  await more().focus();
  await demo.page.keyboard.press('Enter');
  await demo.page.keyboard.press('Enter');
  await dialog().waitFor();

  for (const key of ['Tab', 'Shift+Tab']) {
    for (let steps = 0; steps < 12; steps += 1) {
      await demo.page.keyboard.press(key);
      expect(await dialog().locator(':focus').count()).toBe(1);
    }
  }
  await leave();
  expect(await focused().getAttribute('aria-label')).toContain('More options');
});

it('after a press the focus is on the card, and a screen reader hears what came of it (DEMO-5)', async () => {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  await demo.button('Approve').focus();
  await demo.page.keyboard.press('Enter');

  await expect.poll(() => demo.page.locator('#said').textContent()).toContain('Approved');
  await demo.sees('Done. The payments service was restarted.');
  expect(await focused().getAttribute('aria-label')).toMatch(/^Countersign, /);
  expect(await focused().innerText()).toContain('Approved by');
});

/** The names of all that can be used, as a screen reader says them, and the words that stand there. */
const named = () =>
  demo.page.locator('#root :is(button, a, input, textarea, select, summary):visible').evaluateAll((all) =>
    (all as unknown as readonly Drawn[]).map(({ ariaLabel, textContent, innerText }) => ({
      name: ariaLabel ?? textContent,
      words: innerText.trim(),
    })),
  );

/** What a test reads of an element in the browser. */
interface Drawn {
  readonly getClientRects: () => { readonly length: number };
  readonly ariaLabel: string | null;
  readonly textContent: string;
  readonly innerText: string;
  readonly outerHTML: string;
  readonly getBoundingClientRect: () => { readonly width: number; readonly height: number };
}

it('of all that can be used, every name differs and contains what is written there (DEMO-5)', async () => {
  await demo.write('restart everything');
  await expect
    .poll(() =>
      demo.thread
        .getByRole('button')
        .filter({ hasText: /^Approve$/ })
        .count(),
    )
    .toBe(3);
  const all = await named();

  expect(all.length).toBeGreaterThan(30);
  expect(all.filter(({ name }, at) => all.findIndex((other) => other.name === name) !== at)).toEqual([]);
  const plain = (text: string) => text.toLowerCase().replace(/[…\s]/g, '');
  expect(all.filter(({ name, words }) => !plain(name).includes(plain(words)))).toEqual([]);
});

it('on a phone each target has 40 px, and every place and person is reached (DEMO-5)', async () => {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  const context = await demo.page
    .context()
    .browser()
    ?.newContext({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
  const phone = await context?.newPage();
  if (phone === undefined) throw new Error('The browser gave no page.');
  phone.setDefaultTimeout(PATIENCE_MS);
  await phone.goto(demo.page.url());
  const thread = phone.getByRole('region', { name: 'Thread' });
  await thread.getByRole('button', { name: 'Approve' }).first().waitFor();
  expect(await tooSmall(phone.locator('body'))).toEqual([]);

  await thread.getByRole('link', { name: 'Close thread' }).tap();
  await phone.getByRole('textbox', { name: 'Message #ops' }).waitFor();
  for (const place of ['general', 'Countersign', 'Countersign Home']) {
    await phone.getByRole('link', { name: 'Places' }).tap();
    await phone.getByRole('link', { name: 'Places', expanded: true }).waitFor();
    expect(await tooSmall(phone.locator('body'))).toEqual([]);
    for (const person of ['Ann', 'Dan, left']) {
      await phone.getByRole('link', { name: person, exact: true }).tap({ trial: true });
    }
    await phone.getByRole('link', { name: place, exact: true }).tap();
    await phone
      .getByRole('heading', { name: place === 'Countersign Home' ? 'Home' : place, level: 1 })
      .waitFor({ state: 'attached' });
  }
  await phone.getByRole('link', { name: 'Zoe', exact: true }).tap();
  await phone.getByText('Nothing that you asked for waits.').waitFor();
  expect(await tooSmall(phone.locator('body'))).toEqual([]);
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await context?.close();
});

/** What a finger would miss. A link in a sentence may be as high as its line. */
async function tooSmall(page: Locator): Promise<readonly string[]> {
  const targets = page.locator(
    'button:visible, a:not(.link):visible, select:visible, summary:visible, label.choice:visible',
  );
  const boxes = await targets.evaluateAll((all) =>
    // A redrawn pane may be gone since its buttons were found.
    (all as unknown as readonly Drawn[]).flatMap((element) => {
      if (element.getClientRects().length === 0) return [];
      const { width, height } = element.getBoundingClientRect();
      return [{ html: element.outerHTML.slice(0, 120), width, height }];
    }),
  );
  expect(boxes.length).toBeGreaterThan(5);
  return boxes.flatMap(({ html, width, height }) => (width < 40 || height < 40 ? [`${width}×${height} ${html}`] : []));
}
