import { expect } from 'vitest';
import type { DemoPage } from '../../support/demo-page.ts';
import { benConfirms, type PlayedTwice, refusedFor, startedOf } from './play.ts';

/** The buttons that still approve a call of their own. */
const approving = (demo: DemoPage) =>
  demo.thread
    .getByRole('button')
    .filter({ hasText: /^Approve$/ })
    .count();

export const APPROVALS: readonly PlayedTwice[] = [
  {
    example: 'restart the payments service',
    decided: [
      'a restart is approved by Ann, who asked',
      async (demo) => {
        await demo.write('restart the payments service');
        await demo.sees('restart_service with any input, in this thread, for 1 hour');
        await demo.button('Approve').click();
        await demo.sees('Done. The payments service was restarted.');
        await demo.sees('Approved by');
        expect(await approving(demo)).toBe(0);
      },
    ],
    refused: ['a restart is not approved by Zoe', refusedFor('restart the payments service', ['Zoe'])],
  },
  {
    example: 'refund order A-1001',
    decided: [
      'a refund takes a yes of Ben and of Zoe',
      async (demo) => {
        await demo.write('refund order A-1001');
        await demo.be('Ben');
        await demo.button('Approve').click();
        await demo.sees('1 of 2');
        expect(await demo.thread.getByText('Done.').count()).toBe(0);
        await demo.be('Zoe');
        await demo.button('Approve').click();
        await demo.sees('Done. 250 € were paid back for order A-1001.');
      },
    ],
    refused: ['a refund takes no yes of Ann, who asked', refusedFor('refund order A-1001', ['Ann'])],
  },
  {
    example: 'drop the old database',
    decided: [
      'a database is dropped by Ben',
      async (demo) => {
        await demo.write('drop the old database');
        await benConfirms(demo);
        await demo.sees('Done. The old database is gone.');
      },
    ],
    refused: ['a database is not dropped by Ann, who asked', refusedFor('drop the old database', ['Ann'])],
  },
  {
    example: 'rotate the webhook key',
    decided: [
      'a key is rotated by a decision of Ben on the web',
      async (demo) => {
        await demo.write('rotate the webhook key');
        await demo.be('Ben');
        const tab = await signOn(demo, 'ben@example.com');
        await tab.getByText('Replace the webhook key.').waitFor();
        expect(await demo.thread.getByText('Done.').count()).toBe(0);
        await tab.getByRole('button', { name: 'Approve this one call' }).click();
        await tab.getByText('You approved this call of rotate_key.').waitFor();
        await tab.close();
        await demo.sees('Done. The webhook key was rotated.');
      },
    ],
    refused: [
      'a key is rotated neither by Ann in Slack nor by Zoe with the link of Ben',
      async (demo) => {
        await refusedFor('rotate the webhook key', ['Ann'], 'Decide on the web')(demo);
        const before = await startedOf(demo);
        await demo.be('Ben');
        const tab = await signOn(demo, 'zoe@example.com');
        await tab.getByText('This link was made for another person. Nothing was decided.').waitFor();
        await tab.close();
        expect(await startedOf(demo)).toBe(before);
      },
    ],
  },
  {
    example: 'restart everything',
    decided: [
      'three restarts have three cards, which Ann approves one by one',
      async (demo) => {
        await demo.write('restart everything');
        await expect.poll(() => approving(demo)).toBe(3);
        for (const left of [2, 1, 0]) {
          await demo.button('Approve').click();
          await expect.poll(() => approving(demo)).toBe(left);
        }
        await demo.sees('Done. All 3 services were restarted.');
      },
    ],
    refused: ['of three restarts Zoe approves none', refusedFor('restart everything', ['Zoe'])],
  },
  {
    example: 'restart the fleet',
    decided: [
      'four restarts on one card are approved together by Ann',
      async (demo) => {
        await demo.write('restart the fleet');
        await demo.button('Approve all.*').click();
        await demo.sees('The fleet: 4 of 4 restarts are done.');
      },
    ],
    refused: [
      'four restarts on one card are not approved by Zoe',
      refusedFor('restart the fleet', ['Zoe'], 'Approve all.*'),
    ],
  },
];

/** Opens the link that only this person sees, and signs on there as `person`. */
async function signOn(demo: DemoPage, person: string) {
  await demo.button('Decide on the web').click();
  const link = demo.thread.locator('a[href*="/decide?link="]').last();
  const [tab] = await Promise.all([demo.page.context().waitForEvent('page'), link.click()]);
  await tab.getByRole('button', { name: person }).click();
  return tab;
}
