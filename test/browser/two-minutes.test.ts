import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { type DemoPage, onOwnDemos } from '../support/demo-page.ts';

let demo: DemoPage;
onOwnDemos(
  (opened) => {
    demo = opened;
  },
  { asForVisitors: true },
);

/** A visitor has two minutes. The test waits five times as long, and prints what it took. */
const VISIT = { timeout: 5 * 120_000 };

it(
  'a visitor who does only what the page suggests sees a kill and the recovery, checks the journals, and is through in five steps (DEMO-4, DEMO-5)',
  async () => {
    const { page, thread } = demo;
    page.setDefaultTimeout(VISIT.timeout);
    const guide = page.getByRole('region', { name: 'A minute in five steps' });
    const approve = () => demo.button('Approve').click();

    await guide.getByText('1 of 5').waitFor();
    await guide.getByRole('button', { name: 'Say' }).click();
    await guide.getByText('2 of 5').waitFor();
    await approve();
    await guide.getByText('3 of 5').waitFor();
    await thread.getByText('Done. The payments service was restarted.').waitFor();
    await guide.getByRole('button', { name: 'Say' }).click();
    await thread.getByText('Approval needed').waitFor();
    await page.getByRole('button', { name: 'Kill the bot' }).click();
    await guide.getByText('4 of 5').waitFor();
    await approve();
    await thread.getByText('Done. The search service was restarted.').waitFor();
    process.stdout.write(
      `From the start to a watched recovery: ${((performance.now() - demo.started.beganMs) / 1000).toFixed(1)} s\n`,
    );

    await guide.getByText('5 of 5').waitFor();
    const command = await guide.getByText('npm run audit -- verify').innerText();
    // The visitor pastes it into another terminal, beside the running demo.
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} 2>&1`]);
    process.stdout.write(stdout);
    expect(stdout).toMatch(/^Walked 2 runs, .*: every one is as it was written\.$/m);
    await guide.getByRole('button', { name: 'Done' }).click();
    await guide.waitFor({ state: 'detached' });
    await thread.waitFor({ state: 'detached' });

    const plays = page.getByRole('list', { name: 'Requests to try' });
    await plays.getByRole('button', { name: 'refund order' }).click();
    await demo.sees('Approval needed');
    await plays.waitFor({ state: 'detached' });
  },
  VISIT.timeout * 2,
);
