import { describe, expect, it } from 'vitest';
import { type DemoPage, onOwnDemos } from '../support/demo-page.ts';

/** `npm run demo` and a real browser: the whole walk as a visitor does it who tries the product for the first time. */
let demo: DemoPage;
onOwnDemos((opened) => {
  demo = opened;
});

async function ask() {
  await demo.write('restart the payments service');
  await demo.sees('Approval needed');
}

describe('the demo', () => {
  it('asks, is approved by Ann, runs, and replies', async () => {
    await ask();
    expect(await demo.thread.getByText('Trust approves this call and later ones:').innerText()).toContain(
      'restart_service with any input, in this thread, for 1 hour',
    );

    await demo.button('Approve').click();

    await demo.sees('Done. The payments service was restarted.');
    await demo.sees('Approved by');
    expect(await demo.button('Approve').count()).toBe(0);
  });

  it('asks, is denied, and leaves the service alone', async () => {
    await ask();

    await demo.button('Deny').click();

    await demo.sees('Understood, I left the payments service alone.');
    await demo.sees('Denied by');
  });

  it('asks, is trusted, and does not ask the second time', async () => {
    await ask();
    await demo.button('Trust').click();
    await demo.sees('Done. The payments service was restarted.');

    await demo.thread.getByRole('textbox').fill('restart the search service');
    await demo.page.keyboard.press('Enter');

    await demo.sees('Done. The search service was restarted.');
    await demo.sees('without asking');
  });

  it('shows the journal grow beside the thread, and finds it whole (DEMO-3)', async () => {
    const { journal } = demo;
    await ask();
    await journal.getByText('People are asked about restart_service.').waitFor();

    await demo.button('Approve').click();

    await journal.getByText('restart_service starts, with a stored yes.').waitFor();
    await journal.getByRole('button', { name: 'Verify', exact: true }).click();
    await journal.getByText('every one is as it was written').waitFor();
  });

  it('is killed while it waits, comes back by itself, and goes on with the card it had (DEMO-2)', async () => {
    await ask();
    await demo.trick('Kill the bot');
    await demo.happened('and back after');

    await demo.button('Approve').click();

    await demo.sees('Done. The payments service was restarted.');
    await demo.strip.getByText('restart_service: asked 1 · allowed 1 · started 1').waitFor();
  });
});
