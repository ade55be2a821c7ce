import { expect, it } from 'vitest';
import { type DemoPage, onOwnDemos } from '../support/demo-page.ts';

let demo: DemoPage;
onOwnDemos(
  (opened) => {
    demo = opened;
  },
  { bot: 'test/sandbox/fixtures/echo-bot.ts' },
);

const box = () => demo.page.getByRole('textbox', { name: 'Message #ops' });
const stopped = () => demo.page.getByText('The demo has stopped. Start it again');

it.each(['SIGKILL', 'SIGSTOP'] as const)(
  'the page says that the server is gone, keeps what is written, and goes on when it is back: %s (DEMO-4)',
  async (signal) => {
    await demo.write('restart the payments service');
    const approve = demo.button('Approve');
    await approve.waitFor();
    demo.started.child.kill(signal);
    const killedMs = performance.now();
    // The page promises two seconds.
    await stopped().waitFor({ timeout: 5 * 2_000 });
    process.stdout.write(`From ${signal} until the page says so: ${Math.round(performance.now() - killedMs)} ms\n`);

    expect(await approve.isDisabled()).toBe(true);
    await box().fill('written meanwhile');
    await demo.page.keyboard.press('Enter');
    await demo.page.getByText('this was not sent').waitFor();
    expect(await box().inputValue()).toBe('written meanwhile');
    expect(await demo.page.getByRole('article').filter({ hasText: 'written meanwhile' }).count()).toBe(0);

    if (signal === 'SIGKILL') await demo.started.startAgain();
    else demo.started.child.kill('SIGCONT');
    await stopped().waitFor({ state: 'hidden' });
    await expect.poll(() => demo.page.locator('#said').textContent()).toBe('The demo is back.');
    await expect.poll(() => approve.isDisabled()).toBe(false);
    await approve.click();
    await demo.sees('Approved by @Ann Archer');
    await box().press('Enter');
    await demo.page.getByRole('article').filter({ hasText: 'written meanwhile' }).waitFor();
  },
);

it('a press that the server did not take is not shown as taken (DEMO-4)', async () => {
  await demo.write('restart the payments service');
  const approve = demo.button('Approve');
  await approve.waitFor();
  await demo.page.route('**/page/act', (route) => route.abort('connectionreset'));

  await approve.click();

  await demo.page.getByText('look whether this was taken').waitFor();
  await expect.poll(() => approve.getAttribute('class')).not.toContain('busy');
  expect(await demo.thread.getByText('Approved by').count()).toBe(0);
});
