import { expect, it } from 'vitest';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';

/** What an empty channel offers, and three plays, each by a person who may not decide and by those who may. `more-plays.test.ts` has the others. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});

it('an empty channel offers six plays, and one press begins a play and says what to try next (DEMO-5)', async () => {
  const offers = demo.page.getByRole('list', { name: 'Plays to begin with' });
  expect(await offers.getByRole('button').count()).toBe(6);

  await offers.getByRole('button', { name: 'drop the old database' }).click();

  await demo.sees('Try next: Press Approve as Ann and see that nothing runs. Then be Ben and approve it.');
  await demo.sees('Delete the database payments_old for good');
  await offers.waitFor({ state: 'detached' });
});

it('a refund takes a yes of Ben and of Zoe, and none of Ann, who asked (DEMO-1)', async () => {
  await demo.write('refund order A-1001');
  await demo.button('Approve').click();
  await demo.sees('can decide this. Nothing changed.');

  await demo.be('Ben');
  await demo.button('Approve').click();
  await demo.sees('1 of 2');
  expect(await demo.thread.getByText('Done.').count()).toBe(0);
  await demo.be('Zoe');
  await demo.button('Approve').click();

  await demo.sees('Done. 250 € were paid back for order A-1001.');
});

it('a key is rotated by a decision on the web of Ben alone, whom the sign-on knows (DEMO-1)', async () => {
  await demo.write('rotate the webhook key');
  await demo.button('Decide on the web').click();
  await demo.sees('can decide this');

  await demo.be('Ben');
  await demo.button('Decide on the web').click();
  const link = demo.thread.locator('a[href*="/decide?link="]');
  const open = async (person: string) => {
    const [tab] = await Promise.all([demo.page.context().waitForEvent('page'), link.click()]);
    await tab.getByRole('button', { name: person }).click();
    return tab;
  };
  const zoes = await open('zoe@example.com');
  await zoes.getByText('This link was made for another person. Nothing was decided.').waitFor();
  const bens = await open('ben@example.com');
  await bens.getByText('Replace the webhook key.').waitFor();
  expect(await demo.thread.getByText('Done.').count()).toBe(0);
  await bens.getByRole('button', { name: 'Approve this one call' }).click();
  await bens.getByText('You approved this call of rotate_key.').waitFor();
  await Promise.all([zoes.close(), bens.close()]);

  await demo.sees('Done. The webhook key was rotated.');
});

it('a task that Ben denied with a reason goes on with a call that Ann may approve, and Zoe may not (DEMO-1)', async () => {
  await demo.write('make room on the disk');
  await demo.be('Ben');
  await demo.thread.getByRole('button', { name: 'More options' }).last().click();
  await demo.page.getByRole('menuitem', { name: 'Deny with a reason…' }).click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('We need it until June.');
  await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
  await demo.sees('The reason I was given: “We need it until June.”');

  await demo.be('Zoe');
  await demo.button('Approve').click();
  await demo.sees('can decide this. Nothing changed.');
  await demo.be('Ann');
  await demo.button('Approve').click();

  await demo.sees('Done. The database search_old is in the archive.');
});
