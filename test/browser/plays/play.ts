import { expect } from 'vitest';
import type { DemoPage } from '../../support/demo-page.ts';

/** A play is played once by the people who should decide, and once by a person who may not. */
export interface PlayedTwice {
  /** What a visitor writes. */
  readonly example: string;
  readonly decided: PlayTest;
  readonly refused: PlayTest;
}

/** A title, and what a test does on the page. */
export type PlayTest = readonly [title: string, play: (demo: DemoPage) => Promise<void>];

/** This person presses a button that decides, and is told privately that nothing changed. */
export async function mayNot(
  demo: DemoPage,
  name: string,
  words = 'Approve',
  told: string | RegExp = 'Nothing changed.',
): Promise<void> {
  await demo.be(name);
  await demo.button(words).click();
  await demo.sees(told);
  expect(await demo.button(words).isEnabled()).toBe(true);
}

/** The play is begun, one person after the other presses in vain, and no tool starts. */
export function refusedFor(example: string, people: readonly string[], words?: string) {
  return async (demo: DemoPage): Promise<void> => {
    await demo.write(example);
    await demo.button(words ?? 'Approve').waitFor();
    const before = await startedOf(demo);
    for (const person of people) await mayNot(demo, person, words);
    expect(await startedOf(demo)).toBe(before);
  };
}

/** How many tools, or calls of this one, have started since the demo began, by what they write down themselves. */
export async function startedOf(demo: DemoPage, tool = ''): Promise<number> {
  const lines = await demo.strip.getByRole('listitem').allInnerTexts();
  return lines
    .filter((line) => line.startsWith(tool))
    .reduce((sum, line) => sum + Number(/started (\d+)/.exec(line)?.[1] ?? 0), 0);
}

/** Ben approves a call that cannot be undone: a form says once more what is done. */
export async function benConfirms(demo: DemoPage): Promise<void> {
  await demo.be('Ben');
  await demo.button('Approve').click();
  await demo.page.getByRole('dialog').getByRole('button').last().click();
}

/** A guest wrote this. The agent answers Ann, who writes after that, and never the guest. */
export async function guestGetsNoAnswer(demo: DemoPage, words: string): Promise<void> {
  await demo.write('status');
  await demo.sees('This is what I see:');
  const messages = demo.page.getByRole('article').filter({ hasText: 'Gil Moreau' }).filter({ hasText: words });
  expect(await messages.last().locator('a.replies').count()).toBe(0);
}
