import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { nextTurn } from '../../../../app/time/index.ts';
import { defineTool } from '../../../../app/tools/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess } from '../../../support/in-process/index.ts';

/** Counts the turns of the event loop, each of which a press or a message could have. */
function turnsFromNow(): () => number {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turns += 1) await nextTurn();
  };
  void count();
  onTestFinished(() => {
    isOver = true;
  });
  return () => turns;
}

/** The turns between the first reading of an input and its last one before its card stands. */
async function turnsBefore(text: string): Promise<number> {
  const read: number[] = [];
  const turn = turnsFromNow();
  const input = z.object({ text: z.string().refine(() => read.push(turn())) });
  const note = defineTool({ name: 'note', description: 'Notes.', input, summarise: () => 'Note.', run: () => '' });
  const bot = await inProcess({ tools: [note] });
  bot.model.says(call('note', { text }));
  await bot.mention(ANN, 'note this');
  while (bot.thread.cards().length === 0) await nextTurn();
  return (read.at(-1) ?? 0) - (read[0] ?? 0);
}

it('a large input gives other work a turn six times before its card, and a small one does not wait (EDGE-7)', async () => {
  expect(await turnsBefore('x'.repeat(30_000))).toBe(6);
  expect(await turnsBefore('x')).toBe(0);
});

it('an input with thousands of secrets gives other work more turns before its card than another of its length (EDGE-7)', async () => {
  const times = 20_000;
  const plain = await turnsBefore('x'.repeat('eyJaaaaaaaa.'.length * times));

  expect(await turnsBefore('eyJaaaaaaaa.'.repeat(times))).toBeGreaterThan(plain + 1);
});
