import { beforeEach, expect, it } from 'vitest';
import { BEN, OPS } from '../../sandbox/people.ts';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';

/** The people of the page: whom a card needs, and those who may neither decide nor ask. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});
beforeEach(async () => {
  await demo.page.goto(new URL('/', demo.page.url()).href);
});

const link = (name: string) => demo.page.getByRole('link', { name, exact: true });
const needed = (name: string) => link(name).getAttribute('aria-description');

it('a badge stands on the people whose yes a card needs and on their Home, and on no other (DEMO-5)', async () => {
  await demo.write('refund order A-1001');
  await demo.sees('Approval needed');
  const ONE = '1 card waits for this person';
  const badges = () => Promise.all(['Ann', 'Ben', 'Zoe', 'Gil, guest'].map(needed));
  await expect.poll(badges).toEqual([null, ONE, ONE, null]);
  expect(await needed('Countersign Home')).toBeNull();

  await demo.be('Ben');
  await expect.poll(() => needed('Countersign Home')).toBe(ONE);
  await demo.button('Approve').click();
  await demo.sees('1 of 2');
  await expect.poll(() => needed('Ben')).toBeNull();
  expect(await needed('Zoe')).toBe(ONE);
  await demo.be('Zoe');
  await demo.button('Deny').click();
  await expect.poll(() => needed('Zoe')).toBeNull();
});

it('“Go to the card” on Home opens the thread of the card for the person who looks (DEMO-5)', async () => {
  await demo.write('refund order A-1001');
  await demo.sees('Approval needed');
  const { searchParams: written } = new URL(demo.page.url());
  await demo.begin('Ben');
  await demo.page.getByRole('link', { name: 'Countersign Home', exact: true }).click();
  const link = `a[href$="thread_ts=${written.get('thread')}"]`;
  await demo.page.locator(link).filter({ hasText: 'Go to the card' }).click();

  await demo.sees('Approval needed');
  const { searchParams: opened } = new URL(demo.page.url());
  expect([opened.get('as'), opened.get('channel')]).toEqual([BEN, OPS]);
  expect(opened.get('thread')).toBe(written.get('thread'));
  await demo.button('Deny').click();
  await demo.sees('Denied by');
});

it('Home and an empty channel open at their top, where cards wait and plays are offered, on a phone too (DEMO-5)', async () => {
  await demo.begin('Ben');
  await demo.page.setViewportSize({ width: 390, height: 844 });
  await demo.page.getByRole('link', { name: 'Places' }).click();
  await demo.page.getByRole('link', { name: 'Countersign Home', exact: true }).click();
  await demo.page.getByText('Waiting for you').waitFor();
  const scrolled = () => demo.page.evaluate<number>("document.querySelector('[data-scroll]').scrollTop");
  expect(await scrolled()).toBe(0);
  await demo.page.reload();
  await demo.page.getByText('Waiting for you').waitFor();
  expect(await scrolled()).toBe(0);
  await demo.page.getByRole('link', { name: 'Places' }).click();
  await demo.page.getByRole('link', { name: 'general', exact: true }).click();
  await demo.page.getByRole('list', { name: 'Requests to try' }).waitFor();
  expect(await scrolled()).toBe(0);
  await demo.page.reload();
  expect(await scrolled()).toBe(0);
  await demo.page.setViewportSize({ width: 1360, height: 860 });
});

it.each([
  ['Gil, guest', 'Guests cannot decide.'],
  ['Eve, partner', 'Nothing changed.'],
  ['Dan, left', 'Only a person with an active account can decide.'],
])('%s presses and is told that nothing changed (DEMO-5)', async (person, told) => {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  await demo.be(person);
  await demo.button('Approve').click();
  await demo.sees(told);
  await demo.be('Ann');
  await demo.button('Deny').click();
  await demo.sees('Understood, I left the payments service alone.');
});

it.each(['Gil, guest', 'Eve, partner'])('%s asks and is told that only members may (DEMO-5)', async (person) => {
  await demo.write('status', person);
  // Slack shows no private answer in a thread without a reply, so it stands in the channel.
  await demo.page
    .getByText(/full members of this workspace/)
    .first()
    .waitFor();
});

it('Dan, who has left, can write nothing, and the page says why (DEMO-5)', async () => {
  await demo.be('Dan, left');
  await demo.say('@countersign status');
  await demo.page.getByText('Slack lets Dan Novak write nothing more.').waitFor();
  await expect.poll(() => demo.page.locator('#toast').textContent()).toBe('');
});
