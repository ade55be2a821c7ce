import { expect, it } from 'vitest';
import { type RunId, threadKey } from '../../../../app/records/index.ts';
import { deniedBefore } from '../../../../app/runs/gate/denied-before.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, THREAD, tool } from '../../../support/in-process/index.ts';
import { fold, runId, started } from '../../../support/journal.ts';

const LATELY = 'A person refused exactly this call a moment ago';

/** A person says no to one call, in a run that is over. */
async function afterNo(limits: object = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], ...limits });
  bot.model.says(call('restart', { service: 'a' }), 'As you like.');
  await bot.mention(ANN, 'restart a');
  await bot.press(ANN, bot.card(), 'deny');
  return bot;
}

it('does not ask again in the same run about a call that a person refused before a restart, and tells the model (P64)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], times: { afterDenialMs: 0 } });
  bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'a' }, 'b'));
  await bot.mention(ANN, 'restart a');
  bot.diesAt('turn-answered');
  await bot.press(ANN, bot.card(), 'deny');

  await bot.restarts();

  expect(bot.thread.cards()).toHaveLength(1);
  expect(bot.model.told().at(-1)).toContain('A person refused exactly this call in this run');
});

it('asks about another input of a tool that a person has just refused', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b'));
  await bot.mention(ANN, 'restart a');

  await bot.press(ANN, bot.card(), 'deny');

  expect(bot.cards()).toEqual(['restart denied', 'restart pending']);
});

it('asks again in the same run about a call that a person has approved before', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }, 'a'), call('restart', { service: 'a' }, 'b'));
  await bot.mention(ANN, 'restart a');

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.cards()).toEqual(['restart approved', 'restart pending']);
});

it('does not ask about a refused call in the next run either for a while, and says for how long (P64)', async () => {
  const bot = await afterNo();
  await bot.passes(60_000);
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.thread.cards()).toHaveLength(1);
  expect(bot.model.told().at(-1)).toContain(LATELY);
  expect(bot.model.told().at(-1)).toContain('in about 2 minutes');
});

it('names the last minute in the singular', async () => {
  const bot = await afterNo();
  await bot.passes(120_001);
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.model.told().at(-1)).toContain('in about 1 minute:');
});

it('does not ask about a refused call up to the last millisecond of the three minutes', async () => {
  const bot = await afterNo();
  await bot.passes(179_999);
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.cards()).toEqual(['restart denied']);
});

it('asks again once the no is three minutes old', async () => {
  const bot = await afterNo();
  await bot.passes(180_000);
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.cards()).toEqual(['restart denied', 'restart pending']);
});

it.each([
  [4, 1],
  [5, 2],
])('looks for a denial in the five runs before: with %i runs in between there are %i cards', async (between, cards) => {
  const bot = await afterNo();
  for (let run = 0; run < between; run += 1) await bot.mention(ANN, 'hello');
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.thread.cards()).toHaveLength(cards);
});

it('looks back as many runs as a deployment sets', async () => {
  const bot = await afterNo({ times: { afterDenialMs: 0 } });
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.thread.cards()).toHaveLength(2);
});

it('asks, and goes on, when an earlier run was removed', async () => {
  const bot = await afterNo();
  await bot.mention(ANN, 'hello');
  const [run] = await bot.store.journals('run');
  if (run === undefined) throw new Error('There is no run.');
  const { version } = await bot.store.read(run);
  await bot.store.removeRun({ run, version, thread: threadKey(THREAD), approvals: [], due: [], members: [] });
  await bot.restarts();
  bot.model.says(call('restart', { service: 'a' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.card().tool).toBe('restart');
  expect(bot.model.requests.at(-1)?.messages).toHaveLength(3);
});

it('reads no run before one that began three minutes ago, because a denial in it is older', async () => {
  const begun = (n: number, startedAtMs: number) => ({ ...fold(started), previous: runId(n - 1), startedAtMs });
  const runs = [begun(1, 1_000), begun(2, 2_000), begun(3, 200_000)];
  const read: RunId[] = [];
  const stateOf = async (run: RunId) => {
    read.push(run);
    return runs[[1, 2, 3].findIndex((n) => run === runId(n))];
  };
  const about = { key: '1/a', digest: 'digest' };

  await deniedBefore({ stateOf, afterDenialMs: 180_000, now: () => 310_000 }, begun(4, 300_000), about);
  expect(read).toEqual([runId(3), runId(2)]);
  await deniedBefore({ stateOf, afterDenialMs: 180_000, now: () => 480_000 }, begun(4, 300_000), about);
  expect(read).toHaveLength(2);
});
