import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { oneBrowser } from '../support/browser.ts';
import { type EchoPage, KILL, openEchoPage } from './fixtures/echo-page.ts';

/** The page with a keyboard alone. */
const browser = oneBrowser();
let opened: EchoPage;
let page: Page;
beforeEach(async () => {
  opened = await openEchoPage(browser(), { tricks: [KILL], counts: () => ['restart_service: asked 1'] });
  ({ page } = opened);
});
afterEach(() => opened.close());

const thread = () => page.getByRole('region', { name: 'Thread' });

async function findCard() {
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('@countersign restart the payments service');
  await page.keyboard.press('Enter');
  await thread().getByRole('button', { name: 'Approve' }).waitFor();
}

/** How well the ring of what has the focus stands out from what lies behind it, and the name of it. */
const RING = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const lightOf = (...colors) => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const used = document.activeElement;
  if (used === document.body) return undefined;
  const field = used.matches('textarea') ? used.closest('.composer') : (used.closest('.attach') ?? used);
  const { outlineColor, outlineStyle, borderTopColor } = getComputedStyle(field);
  const behind = [];
  for (let part = field.parentElement; part; part = part.parentElement) behind.unshift(getComputedStyle(part).backgroundColor);
  const ring = outlineStyle === 'none' ? borderTopColor : outlineColor;
  const [dark, light] = [lightOf(...behind), lightOf(...behind, ring)].toSorted((one, other) => one - other);
  return { name: used.ariaLabel ?? used.textContent, contrast: (light + 0.05) / (dark + 0.05) };
})()`;

it.each(['light', 'dark'] as const)(
  'the ring around what has the focus stands out everywhere on the %s page (DEMO-5)',
  async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await findCard();
    await page.reload();
    const rings: { name: string; contrast: number }[] = [];
    for (;;) {
      await page.keyboard.press('Tab');
      const ring = await page.evaluate<{ name: string; contrast: number } | undefined>(RING);
      if (ring === undefined || rings.length > 80) break;
      rings.push(ring);
    }

    expect(rings.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ann', 'Kill the bot', 'Message #ops']));
    expect(rings.filter(({ contrast }) => contrast < 3)).toEqual([]);
  },
);

const focused = () => page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');

it('the keys of a menu go around in it, and Tab leaves it and goes on behind its button (DEMO-5)', async () => {
  await findCard();
  const more = thread().getByRole('button', { name: 'More options' });
  await more.press('Enter');
  const found: string[] = [];
  for (const key of ['ArrowUp', 'ArrowDown', 'End', 'Home']) {
    await page.keyboard.press(key);
    found.push(await focused());
  }
  expect(found).toEqual(['Edit input…', 'Deny with a reason…', 'Edit input…', 'Deny with a reason…']);

  await page.keyboard.press('Tab');
  expect(await page.getByRole('menu').count()).toBe(0);
  expect(await focused()).toContain('Message shortcuts');
  await more.press('Enter');
  await page.keyboard.press('Shift+Tab');
  expect(await page.getByRole('menu').count()).toBe(0);
  expect(await focused()).toContain('View full input');
});

/** A form of the app, which has nothing to fill in until the app has read what belongs there. */
async function openForm() {
  await findCard();
  await thread().getByRole('button', { name: 'View full input' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  const [view] = opened.sandbox.world.views(ANN);
  if (view === undefined) throw new Error('There is no form.');
  const element = { type: 'plain_text_input', action_id: 'name' } as const;
  const label = { type: 'plain_text', text: 'Which service?' } as const;
  const title = { type: 'plain_text', text: 'Edit input' } as const;
  const submit = { type: 'plain_text', text: 'Approve' } as const;
  await opened.bot.client.views.update({
    view_id: view.id,
    view: { type: 'modal', title, submit, blocks: [{ type: 'input', block_id: 'name', label, element }] },
  });
}

it('the focus goes to the first field of a form when the app has filled the form (DEMO-5)', async () => {
  await openForm();
  await expect.poll(focused).toBe('Which service?');
});

it('a person who reloads the page with an open form goes on in the form (DEMO-5)', async () => {
  await openForm();
  await page.getByRole('textbox', { name: 'Which service?' }).waitFor();
  await page.reload();
  await expect.poll(focused).toBe('Which service?');
});

it('who closes the thread goes on at its first message in the channel (DEMO-5)', async () => {
  await findCard();
  await thread().getByRole('link', { name: 'Close thread' }).press('Enter');
  await expect.poll(focused).toMatch(/^Ann Archer, .*, message 1$/);
  await page.keyboard.press('Tab');
  expect(await focused()).toMatch(/^2 replies.*, message 1$/);
});

it('who skips the guide goes on with the plays (DEMO-5)', async () => {
  await page.getByRole('button', { name: 'Skip the guide' }).press('Enter');
  await expect.poll(focused).toMatch(/^restart the payments service/);
});

it('the first stop of the keyboard leads past all threads to the field in which a person writes (DEMO-5)', async () => {
  await page.reload();
  for (const field of ['Message #ops', 'Reply in thread']) {
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Go to the message field');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe(field);
    if (field === 'Message #ops') await findCard();
    await page.reload();
  }
});
