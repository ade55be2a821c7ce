import { expect } from 'vitest';
import type { DemoPage } from '../../support/demo-page.ts';
import { mayNot, type PlayedTwice, refusedFor, startedOf } from './play.ts';

export const ANSWERS: readonly PlayedTwice[] = [
  {
    example: 'ask me when to restart',
    decided: [
      'a question of the agent is answered by Ann',
      async (demo) => {
        await demo.write('ask me when to restart');
        await demo.button('Answer…').click();
        const dialog = demo.page.getByRole('dialog');
        await dialog.getByRole('radio', { name: 'Tonight' }).or(dialog.getByLabel('Tonight')).first().check();
        await dialog.getByRole('button').last().click();
        await demo.sees('Understood. I heard: “Tonight”.');
      },
    ],
    refused: ['a question of the agent takes no answer of Zoe', refusedFor('ask me when to restart', ['Zoe'], 'Deny')],
  },
  {
    example: 'ask me with a form how to restart',
    decided: [
      'a form of the agent says to Ann at its field what is wrong, and takes the rest',
      async (demo) => {
        await demo.write('ask me with a form how to restart');
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
      },
    ],
    refused: [
      'a form of the agent takes no answer of Zoe',
      refusedFor('ask me with a form how to restart', ['Zoe'], 'Deny'),
    ],
  },
  {
    example: 'book a room for the review',
    decided: [
      'a tool server that asks back in two threads is answered by Ann in both',
      async (demo) => {
        const before = await startedOf(demo, 'desk__book_room');
        const threads: string[] = [];
        for (let thread = 1; thread <= 2; thread += 1) {
          await deskAsks(demo);
          threads.push(demo.page.url());
        }
        await bookBirch(demo, ['6', '6 people']);
        await demo.page.goto(threads[0] ?? '');
        await bookBirch(demo, ['1', '1 person']);
        expect(await startedOf(demo, 'desk__book_room')).toBe(before + 2);
      },
    ],
    refused: [
      'a tool server that asks back takes no answer of Zoe',
      async (demo) => {
        await deskAsks(demo);
        await mayNot(demo, 'Zoe', 'Decline', 'can answer the tool server');
        expect(await demo.thread.getByText('The desk says').count()).toBe(0);
        await demo.be('Ann');
        await demo.button('Decline').click();
        await demo.sees('No room was booked, because the question was declined.');
      },
    ],
  },
];

async function deskAsks(demo: DemoPage): Promise<void> {
  await demo.write('book a room for the review');
  await demo.button('Approve').click();
  await demo.sees('Which room shall it be?');
}

async function bookBirch(demo: DemoPage, [people, said]: readonly [string, string]): Promise<void> {
  await demo.button('Answer…').click();
  const dialog = demo.page.getByRole('dialog');
  await dialog.getByRole('combobox').selectOption({ label: 'Birch' });
  await dialog.getByRole('textbox').or(dialog.getByRole('spinbutton')).fill(people);
  await dialog.getByRole('button').last().click();
  await demo.sees(`The desk says: “Birch is booked for the review, with ${said}.”`);
}
