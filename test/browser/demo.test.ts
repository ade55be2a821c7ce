import { expect, it } from 'vitest';
import { type DemoPage, onOwnDemos } from '../support/demo-page.ts';

/** `npm run demo` from its start, as a visitor tries it for the first time. */
let demo: DemoPage;
onOwnDemos(
  (opened) => {
    demo = opened;
  },
  { asForVisitors: true },
);

it('an empty channel offers six plays, and one press begins a play and says what to try next (DEMO-5)', async () => {
  await demo.page.getByRole('button', { name: 'Skip the guide' }).click();
  const offers = demo.page.getByRole('list', { name: 'Requests to try' });
  expect(await offers.getByRole('button').count()).toBe(6);

  await offers.getByRole('button', { name: 'drop the old database' }).click();

  await demo.sees('Try next: Press Approve as Ann and see that nothing runs. Then be Ben and approve it.');
  await demo.sees('Delete the database payments_old for good');
  await offers.waitFor({ state: 'detached' });
});

it('a restart that is denied leaves the service alone, and a trust covers the next one (DEMO-5)', async () => {
  await demo.write('restart the payments service');
  await demo.button('Deny').click();
  await demo.sees('Understood, I left the payments service alone.');
  await demo.sees('Denied by');

  const answer = async (words: string) => {
    await demo.thread.getByRole('textbox').fill(words);
    await demo.page.keyboard.press('Enter');
  };
  await answer('restart the mail service');
  await demo.button('Trust').click();
  await demo.sees('Done. The mail service was restarted.');
  await answer('restart the search service');
  await demo.sees('Done. The search service was restarted.');
  await demo.sees('without asking');
  const counts = (trusted: number, started: number) =>
    `restart_service: asked 2 · approved 1 · on trust ${trusted} · started ${started}`;
  await expect.poll(demo.counts).toBe(counts(1, 2));
  await answer('restart the billing service');
  await demo.sees('Done. The billing service was restarted.');
  await expect.poll(demo.counts).toBe(counts(2, 3));
});

/** What the demo promises, in ms. The test waits five times as long, and prints what it took. */
const PROMISED = { firstLine: 1_000, usable: 5_000 };

it('from the second start on, the demo says its first line within a second and is usable within five (DEMO-4)', async () => {
  const { page, started } = demo;
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
  await started.startAgain();
  await page.goto(new URL('/', page.url()).href);
  await page.getByRole('textbox', { name: 'Message #ops' }).fill('I can write again');
  const usableMs = performance.now() - started.beganMs;
  const firstLineMs = started.firstLineMs - started.beganMs;
  process.stdout.write(`The second start: first line after ${firstLineMs | 0} ms, usable after ${usableMs | 0} ms\n`);

  expect(firstLineMs).toBeLessThan(5 * PROMISED.firstLine);
  expect(usableMs).toBeLessThan(5 * PROMISED.usable);
});
