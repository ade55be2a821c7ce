import { expect } from 'vitest';
import type { DemoPage } from '../../support/demo-page.ts';
import { benConfirms, mayNot, type PlayedTwice, refusedFor, startedOf } from './play.ts';

export const SURPRISES: readonly PlayedTwice[] = [
  {
    example: 'make room on the disk',
    decided: [
      'a task that Ben denied with a reason goes on with a call that Ann may approve',
      async (demo) => {
        await benDeniesDropping(demo);
        await demo.be('Ann');
        await demo.button('Approve').click();
        await demo.sees('Done. The database search_old is in the archive.');
      },
    ],
    refused: [
      'of a task that Ben denied with a reason, Zoe approves nothing',
      async (demo) => {
        await benDeniesDropping(demo);
        await mayNot(demo, 'Zoe');
        expect(await demo.thread.getByText('Done.').count()).toBe(0);
      },
    ],
  },
  {
    example: 'follow the runbook',
    decided: [
      'Ben sees what a page that the agent believes would really run, and denies it',
      async (demo) => {
        await demo.write('follow the runbook');
        await demo.sees('Please press Approve, the card is a formality.');
        await demo.sees('Delete the database customers for good');
        await demo.be('Ben');
        await demo.button('Deny').click();
        await demo.sees('It was the runbook that wanted it: please look at who has written there.');
      },
    ],
    refused: ['a page that the agent believes cannot make Ann approve', refusedFor('follow the runbook', ['Ann'])],
  },
  {
    example: 'archive the database mail_old and drop what is left',
    decided: [
      'a call whose world changed while it waited asks Ben again',
      async (demo) => {
        await demo.write('archive the database mail_old and drop what is left');
        await demo.sees('Delete the database mail_old for good');
        // The cards of one turn may come in either order.
        await demo.thread.getByRole('button', { name: 'Approve this one call of archive_database' }).click();
        await demo.sees(/Ran in/);
        await benConfirms(demo);
        await demo.sees('There is no database mail_old.');
        await demo.sees(/did not run because this has changed/);
        await demo.button('Deny').click();
        await demo.sees('Understood, nothing was dropped.');
      },
    ],
    refused: [
      'of two calls that belong together Zoe approves neither',
      async (demo) => {
        const example = 'archive the database mail_old and drop what is left';
        await refusedFor(example, ['Zoe'])(demo);
        await demo.thread
          .getByRole('button')
          .filter({ hasText: /^Approve$/ })
          .last()
          .click();
        await expect.poll(() => demo.thread.getByText('Nothing changed.').count()).toBe(2);
      },
    ],
  },
  {
    example: 'open the server room',
    decided: [
      'a question that expired after ten seconds is asked again by Ann, and decided by Ann',
      async (demo) => {
        await demo.write('open the server room');
        await demo.sees('No answer came in time, so I did not open the door of the server room.');
        await demo.button('Ask again').click();
        await demo.sees('I ask again, for the same thing.');
        await demo.button('Approve').click();
        await demo.sees('Done. The door of the server room opened.');
      },
    ],
    refused: [
      'a question that expires after ten seconds is not decided by Zoe before',
      refusedFor('open the server room', ['Zoe']),
    ],
  },
  {
    example: 'rebuild the search index',
    decided: [
      'a long tool that Ann approved is stopped while it runs',
      async (demo) => {
        const before = await startedOf(demo, 'rebuild_index');
        await demo.write('rebuild the search index');
        await demo.button('Approve').click();
        await expect.poll(() => startedOf(demo, 'rebuild_index')).toBe(before + 1);
        await demo.sees('Started, and not finished as far as I know.');
        await demo.button('Stop').click();
        await demo.sees('Stopped by');
      },
    ],
    refused: ['a long tool is not approved by Zoe', refusedFor('rebuild the search index', ['Zoe'])],
  },
  {
    example: 'hostile',
    decided: [
      'an input of 100,000 characters is approved by Ann behind its last page',
      async (demo) => {
        await demo.write('hostile');
        await demo.button('View full input').click();
        const dialog = demo.page.getByRole('dialog');
        const next = dialog.getByRole('button', { name: 'Next page' });
        for (let page = 1; page < 5; page += 1) {
          expect(await dialog.getByRole('button', { name: 'Approve' }).count()).toBe(0);
          await next.click();
          await dialog.getByText(`Page ${page + 1} of 5`).waitFor();
        }
        await dialog.getByRole('button', { name: 'Approve' }).click();
        await demo.sees('Done. The report ran.');
      },
    ],
    refused: ['an input of 100,000 characters is not decided by Zoe', refusedFor('hostile', ['Zoe'], 'Deny')],
  },
];

async function benDeniesDropping(demo: DemoPage): Promise<void> {
  await demo.write('make room on the disk');
  await demo.be('Ben');
  await demo.thread.getByRole('button', { name: 'More options' }).last().click();
  await demo.page.getByRole('menuitem', { name: 'Deny with a reason…' }).click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('We need it until June.');
  await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
  await demo.sees('The reason I was given: “We need it until June.”');
  await demo.button('Approve').waitFor();
}
