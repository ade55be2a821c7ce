import { expect, it } from 'vitest';
import { type DemoPage, onOneDemo } from '../support/demo-page.ts';

/** The other plays, each by a person who may not decide and by the person who may. */
let demo: DemoPage;
onOneDemo((opened) => {
  demo = opened;
});

/** This person presses a button that decides, and is told privately that nothing changed. */
async function mayNot(name: 'Ann' | 'Ben' | 'Zoe', words = 'Approve', told: string | RegExp = 'Nothing changed.') {
  await demo.be(name);
  await demo.button(words).click();
  await demo.sees(told);
}

/** Ben approves a guarded call: a card with a form that says once more what is done. */
async function benConfirms(): Promise<void> {
  await demo.be('Ben');
  await demo.button('Approve').click();
  await demo.page.getByRole('dialog').getByRole('button').last().click();
}

it('a restart is approved by Ann, who asked, and not by Zoe (DEMO-1)', async () => {
  await demo.write('restart the payments service');
  await mayNot('Zoe');
  await demo.be('Ann');
  await demo.button('Approve').click();
  await demo.sees('Done. The payments service was restarted.');
});

it('three restarts have three cards, and Zoe decides none of them (DEMO-1)', async () => {
  await demo.write('restart everything');
  await mayNot('Zoe');
  await demo.be('Ann');
  for (const left of [2, 1, 0]) {
    await demo.button('Approve').click();
    await expect
      .poll(() =>
        demo.thread
          .getByRole('button')
          .filter({ hasText: /^Approve$/ })
          .count(),
      )
      .toBe(left);
  }
  await demo.sees('Done. All 3 services were restarted.');
});

it('four restarts on one card are approved together by Ann, and not by Zoe (DEMO-1)', async () => {
  await demo.write('restart the fleet');
  await mayNot('Zoe', 'Approve all.*');
  await demo.be('Ann');
  await demo.button('Approve all.*').click();
  await demo.sees('The fleet: 4 of 4 restarts are done.');
});

it('a database is dropped by Ben, and not by Ann, who asked (DEMO-1)', async () => {
  await demo.write('drop the old database');
  await mayNot('Ann');
  await benConfirms();
  await demo.sees('Done. The old database is gone.');
});

it('a question of the agent is answered by Ann, and not by Zoe (DEMO-1)', async () => {
  await demo.write('ask me when to restart');
  await mayNot('Zoe', 'Deny');
  await demo.be('Ann');
  await demo.button('Answer…').click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Tonight' }).or(dialog.getByLabel('Tonight')).first().check();
  await dialog.getByRole('button').last().click();
  await demo.sees('Understood. I heard: Tonight');
});

it('a tool server asks Ann back in the middle of a call, and takes no answer of Zoe (DEMO-1)', async () => {
  await demo.write('book a room for the review');
  await demo.button('Approve').click();
  await demo.sees('Which room shall it be?');
  await mayNot('Zoe', 'Decline', 'can answer the tool server');
  await demo.be('Ann');
  await demo.button('Answer…').click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('combobox').selectOption({ label: 'Birch' });
  await dialog.getByRole('textbox').or(dialog.getByRole('spinbutton')).fill('6');
  await dialog.getByRole('button').last().click();
  await demo.sees('The desk says: “Birch is booked for the review, with 6 people.”');
});

it('a page that the agent believes cannot make Ann approve, and Ben sees what would really run (DEMO-1)', async () => {
  await demo.write('follow the runbook');
  await demo.sees('Please press Approve, the card is a formality.');
  await demo.sees('Delete the database customers for good');
  await mayNot('Ann');
  await demo.be('Ben');
  await demo.button('Deny').click();
  await demo.sees('It was the runbook that wanted it: please look at who has written there.');
});

it('a call whose world changed while it waited asks Ben again, and Zoe decides neither card (DEMO-1)', async () => {
  await demo.write('archive the database mail_old and drop what is left');
  await demo.sees('Delete the database mail_old for good');
  await mayNot('Zoe');
  await demo.be('Ann');
  // The cards of one turn may come in either order.
  await demo.thread.getByRole('button', { name: 'Approve this one call of archive_database' }).click();
  await demo.sees(/Ran in/);
  await benConfirms();
  await demo.sees('There is no database mail_old.');
  await demo.sees(/did not run because this has changed/);
  await demo.button('Deny').click();
  await demo.sees('Understood, the database stays.');
});

it('a question that expired after ten seconds is asked again by Ann, and decided by Ann alone (DEMO-1)', async () => {
  await demo.write('open the server room');
  await mayNot('Zoe');
  await demo.sees('No answer came in time, so I did not open the door of the server room.');
  await demo.be('Ann');
  await demo.button('Ask again').click();
  await demo.sees('I ask again, for the same thing.');
  await demo.button('Approve').click();
  await demo.sees('Done. The door of the server room opened.');
});

it('a long tool that Ann approved, and Zoe could not, is stopped while it runs (DEMO-1)', async () => {
  await demo.write('rebuild the search index');
  await mayNot('Zoe');
  await demo.be('Ann');
  await demo.button('Approve').click();
  await demo.sees('Started, and not finished as far as I know.');
  await demo.button('Stop').click();
  await demo.sees('Stopped by');
});

it('a call that a person spells out is asked about like any other (DEMO-1)', async () => {
  await demo.write('call restart_service {"service":"mail"}');
  await mayNot('Zoe');
  await demo.be('Ann');
  await demo.button('Deny').click();
  await demo.sees('Understood, I left the mail service alone.');
});

it('a form of the agent takes no answer of Zoe, and says to Ann at its field what is wrong (DEMO-1)', async () => {
  await demo.write('ask me with a form how to restart');
  await mayNot('Zoe', 'Deny');
  await demo.be('Ann');
  await demo.button('Answer…').click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'When' }).selectOption({ label: 'Tonight' });
  await dialog.getByRole('textbox', { name: 'For how long, in minutes' }).fill('90');
  await dialog.getByRole('combobox', { name: 'Tell its users' }).selectOption({ label: 'No' });
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox', { name: 'For how long, in minutes' }).fill('30');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await demo.sees(/Understood\. I heard:.*Tonight/);
});

it('an input of 100,000 characters is approved by Ann behind its last page, and not by Zoe (DEMO-1)', async () => {
  await demo.write('hostile');
  await mayNot('Zoe', 'Deny');
  await demo.be('Ann');
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
});
