import { expect, it, vi } from 'vitest';
import type { ModelFunction } from '../../../app/agent/ports.ts';
import { LIMITS } from '../../../app/limits.ts';
import { threadKey } from '../../../app/records/index.ts';
import { WORDS } from '../../../app/runs/telling/words.ts';
import type { Step } from '../../../app/step.ts';
import type { ContentBlock } from '../../../interventions/index.ts';
import { ANN, BEN } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, THREAD, tool } from '../../support/in-process/index.ts';

const TOOLS = [tool('look', OPEN), tool('restart')];

/** A stop leaves the run of a process that stands still: other processes took it for dead, and one of them died of a stop. */
async function leaves(bot: Bot): Promise<void> {
  await bot.store.setAside(threadKey(THREAD), 'stopping');
  await bot.starts();
  expect(await bot.stop(BEN)).toBe('stopped');
  await bot.settles();
}

/** The process stands still when it comes to this step, until the test lets it go on. It does not come there again. */
function standsStillAt(bot: Bot, step: Step): () => Promise<void> {
  let goOn = () => {};
  bot.at(step, () => new Promise<void>((resolve) => (goOn = resolve)));
  return async () => {
    const again = vi.fn();
    bot.at(step, again);
    goOn();
    await bot.settles();
    expect(again).not.toHaveBeenCalled();
  };
}

async function saysNothingMore(bot: Bot): Promise<void> {
  expect([bot.ran(), bot.cards(), bot.posts().at(-1)]).toEqual([[], [], WORDS.abandoned]);
  await bot.mention(ANN, 'greet me again');
  expect(bot.posts().at(-1)).toBe('Done.');
}

it.each<[string, string | ContentBlock]>([
  ['has words', 'Hello.'],
  ['asks for a call', call('look')],
])('a run that a stop has left does nothing with a later answer of the model that %s (D8, EDGE-7)', async (_, says) => {
  const bot = await inProcess({ tools: TOOLS, shared: true });
  let answer = (_answer: string | ContentBlock) => {};
  bot.model.says(new Promise<string | ContentBlock>((resolve) => (answer = resolve)));
  await bot.mention(ANN, 'look');
  await leaves(bot);

  answer(says);
  await bot.settles();

  await saysNothingMore(bot);
});

it.each<[Step, string]>([
  ['turn-answered', 'restart'],
  ['turn-answered', 'look'],
  ['call-starting', 'look'],
])('a run that a stop has left at the step %s neither asks about %s nor begins it (D8, EDGE-7)', async (step, name) => {
  const bot = await inProcess({ tools: TOOLS, shared: true });
  const goOn = standsStillAt(bot, step);
  bot.model.says(call(name));
  await bot.mention(ANN, name);
  await leaves(bot);

  await goOn();

  await saysNothingMore(bot);
});

it('a run that a stop has left begins no call that a person approves later (D8, EDGE-7)', async () => {
  const bot = await inProcess({ tools: TOOLS, shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await leaves(bot);

  await bot.press(ANN, bot.card(), 'approve');

  expect([bot.ran(), bot.posts().at(-1)]).toEqual([[], WORDS.abandoned]);
});

it('a run that a stop has left begins no call that was counted on a trust before (D8, EDGE-7)', async () => {
  const bot = await inProcess({ tools: TOOLS, shared: true });
  bot.model.says(call('restart'), call('restart'));
  await bot.mention(ANN, 'restart payments twice');
  const goOn = standsStillAt(bot, 'trust-used');
  await bot.press(ANN, bot.card(), 'trust');
  expect(bot.ran()).toHaveLength(1);
  await leaves(bot);

  await goOn();

  expect([bot.ran().length, bot.cards(), bot.posts().at(-1)]).toEqual([1, ['restart trusted'], WORDS.abandoned]);
});

it('a run that a stop has left asks no person what became of a call (D8, EDGE-7)', async () => {
  const bot = await inProcess({ tools: TOOLS, shared: true });
  bot.diesAt('tool-returned');
  bot.model.says(call('look'));
  await bot.mention(ANN, 'look');
  const goOn = standsStillAt(bot, 'unknown-written');
  await bot.restarts();
  await leaves(bot);

  await goOn();

  expect([bot.thread.doubts(), bot.posts().at(-1)]).toEqual([[], WORDS.abandoned]);
});

it('a run that a stop has left shows no part of a later answer (D8, EDGE-7)', async () => {
  let write = (_piece: string) => {};
  const model: ModelFunction = async (_request, { onText }) => {
    write = onText;
    return new Promise(() => {});
  };
  const bot = await inProcess({ tools: TOOLS, shared: true, changes: { model } });
  await bot.mention(ANN, 'look');
  await leaves(bot);

  write('They are');
  await bot.passes(LIMITS.readAlongAfterMs);

  expect(bot.thread.growing()).toEqual([]);
});
