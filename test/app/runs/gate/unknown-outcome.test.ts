import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

/** A process dies between the start of a call and its end. */
async function lostCall(more: Parameters<typeof tool>[1] = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();
  return bot;
}

it('asks people about the outcome of a lost call, and does not run it again', async () => {
  const bot = await lostCall();

  expect(bot.ran()).toHaveLength(1);
  expect(bot.thread.doubts()).toMatchObject([{ tool: 'restart', standing: { status: 'pending' } }]);
  expect(bot.posts()).toEqual([]);
});

it('tells the model of a lost call that a person reports it as done', async () => {
  const bot = await lostCall();

  expect(await bot.tells(ANN, 'happened')).toBe('answered');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.told()).toEqual([`restart-1: success ${WORDS.happenedResult(undefined)}`]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('tells the model of a lost call that a person chose not to repeat it', async () => {
  const bot = await lostCall();

  await bot.tells(ANN, 'skip');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.told()).toEqual([`restart-1: error ${WORDS.skippedResult()}`]);
});

it('takes the outcome of a call only from people who may decide about it', async () => {
  const bot = await lostCall();

  expect(await bot.tells(BEN, 'skip')).toBe('not-yours');

  expect(bot.thread.doubts()).toMatchObject([{ standing: { status: 'pending' } }]);
});

it('asks for a new approval before a lost call is tried again, and tells the model that this was the second attempt', async () => {
  const bot = await lostCall();

  await bot.tells(ANN, 'retry');
  expect(bot.ran()).toHaveLength(1);
  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.ran()).toHaveLength(2);
  expect(bot.model.told()).toEqual([expect.stringContaining(WORDS.earlierAttempt)]);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: success .*restart is done$/s)]);
});

it('tells the model of a refused retry that an earlier attempt may have had its effect', async () => {
  const bot = await lostCall();
  await bot.tells(ANN, 'retry');

  await bot.press(ANN, bot.card(), 'deny');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: error .*A person refused/)]);
  expect(bot.model.told()).toEqual([expect.stringContaining(WORDS.earlierAttempt)]);
});

it('says nothing of an earlier attempt of a call that ran once', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');

  await bot.press(ANN, bot.card(), 'deny');

  expect(bot.model.told().join()).not.toContain(WORDS.earlierAttempt);
});

it('begins a lost call again without a question when its tool says that this is safe', async () => {
  const bot = await lostCall({ idempotent: true });

  expect(bot.ran()).toHaveLength(2);
  expect(bot.thread.doubts()).toEqual([]);
  expect(bot.thread.cards()).toHaveLength(1);
  expect(bot.posts()).toEqual(['Done.']);
});

it('begins a lost call again on its approval, although no person could approve it now', async () => {
  let account: 'person' | 'guest' = 'person';
  const bot = await inProcess({
    tools: [tool('restart', { idempotent: true })],
    people: { account: async () => account },
  });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  account = 'guest';

  await bot.restarts();

  expect(bot.ran()).toHaveLength(2);
  expect(bot.posts()).toEqual(['Done.']);
});

it('asks about the outcome of a lost call, in place of a repeat, when its precondition can no longer be checked', async () => {
  let sees = true;
  const precondition = async () => {
    if (!sees) throw new Error('no connection');
    return 'version 1';
  };
  const bot = await inProcess({ tools: [tool('restart', { idempotent: true, precondition })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  sees = false;

  await bot.restarts();

  expect(bot.ran()).toHaveLength(1);
  expect(bot.thread.doubts()).toMatchObject([{ tool: 'restart', standing: { status: 'pending' } }]);
});

it('asks about the outcome of a lost call, in place of a repeat, when its rules have changed since the approval', async () => {
  const bot = await inProcess({ tools: [tool('restart', { idempotent: true })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');

  await bot.restarts({ tools: [tool('restart', { idempotent: true, approvers: [BEN] })] });

  expect(bot.ran()).toHaveLength(1);
  expect(bot.thread.doubts()).toMatchObject([{ tool: 'restart', standing: { status: 'pending' } }]);
});

it('asks about a lost call that ran without a question, and names its input without an approver', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look', { service: 'search' }));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');

  await bot.restarts();

  expect(bot.thread.doubts()).toMatchObject([{ tool: 'look', input: '{"service":"search"}', summary: 'Run look.' }]);
  expect(await bot.tells(ANN, 'skip')).toBe('answered');
  expect(bot.posts()).toEqual(['Done.']);
});

it('shows the whole input of a lost call that ran without a question, however long it is', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  const service = 'x'.repeat(LIMITS.inlineInputChars);
  bot.model.says(call('look', { service }));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');

  await bot.restarts();

  expect(bot.thread.doubts()).toMatchObject([{ input: JSON.stringify({ service }) }]);
});

it('names the defaults that the tool added to the input of a lost call that ran without a question', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');

  await bot.restarts();

  expect(bot.thread.doubts()).toMatchObject([{ input: '{"service":"payments"}' }]);
});

it('takes the outcome of a call that ran without a question from the people who decide about its tool now', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');

  await bot.restarts({ tools: [tool('look', { effect: 'guarded', approvers: [BEN] })] });

  expect(await bot.tells(ANN, 'skip')).toBe('not-yours');
  expect(await bot.tells(BEN, 'skip')).toBe('answered');
});

it('withdraws the question about an outcome when no person can see it, and tells the model what is known', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');
  bot.thread.breaks('post doubt', new Error('refused'));

  await bot.restarts();

  expect(bot.model.told()).toEqual([`look-1: error ${WORDS.unknownResult()}`]);
  expect(bot.logged.join()).toContain('A card could not be posted.');
});

it('leaves a call of another process alone for as long as that process may only be slow', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.passes(LIMITS.leaseMs);
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  bot.dies();

  await bot.starts();
  await bot.passes(LIMITS.leaseMs - 1);
  expect(await bot.journal()).not.toContain('call-unknown');
  await bot.passes(LIMITS.leaseMs);

  expect(bot.thread.doubts()).toHaveLength(1);
});

it('leaves a call alone that began a moment before another process took over its thread', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)], shared: true });
  bot.model.says(call('look'));
  bot.at('turn-answered', () => void vi.advanceTimersByTime(LIMITS.leaseMs - 1_000));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');
  await bot.starts();

  await bot.passes(1_000);
  expect(await bot.journal()).not.toContain('call-unknown');
  await bot.passes(2 * LIMITS.leaseMs);

  expect(bot.thread.doubts()).toHaveLength(1);
});

it('tells the thread about a lost call of a stopped run, and asks no person', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');
  await bot.starts();
  await bot.stop(ANN);

  await bot.passes(LIMITS.leaseMs);

  expect(bot.thread.doubts()).toEqual([]);
  expect(bot.posts()).toEqual([expect.stringContaining(WORDS.unknownOutcome('look')), WORDS.stopped]);
});

it('gives up a call that exceeds its time limit, and asks people about its outcome', async () => {
  const bot = await inProcess({
    tools: [tool('restart', { run: () => new Promise(() => {}) })],
    times: { toolTimeoutMs: 30_000 },
  });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { id } = bot.card();
  await bot.press(ANN, bot.card(), 'approve');

  await bot.passes(29_999);
  expect(bot.thread.doubts()).toEqual([]);
  await bot.passes(1);
  await bot.passes(LIMITS.leaseMs);

  expect(bot.thread.doubts()).toMatchObject([{ tool: 'restart', approval: id, limitMs: 30_000 }]);
});

it('leaves a retry to the model when a call that exceeds its time limit can safely run twice', async () => {
  const slow = tool('restart', { idempotent: true, run: () => new Promise(() => {}) });
  const bot = await inProcess({ tools: [slow], times: { toolTimeoutMs: 30_000 } });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.press(ANN, bot.card(), 'approve');

  await bot.passes(60_000);

  expect(bot.thread.doubts()).toEqual([]);
  expect(bot.ran()).toHaveLength(1);
  expect(bot.model.told()).toEqual([expect.stringMatching(/^restart-1: error /)]);
  expect(bot.posts()).toEqual(['Done.']);
});

it('asks about a lost call with the input that a person typed in place of the original', async () => {
  const bot = await inProcess({ tools: [tool('restart', { summarise: ({ service }) => `Restart ${service}` })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":"mail"}' });

  await bot.restarts();

  expect(bot.thread.doubts()).toMatchObject([{ input: '{"service":"mail"}', summary: 'Restart mail' }]);
});

it('asks about a lost call whose tool can no longer summarise it, and logs why', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');
  const summarise = () => {
    throw new Error('no words');
  };

  await bot.restarts({ tools: [tool('look', { ...OPEN, summarise })] });

  expect(bot.thread.doubts()).toHaveLength(1);
  expect(bot.logged.filter((line) => line.includes('A tool failed.'))).toHaveLength(1);
});

it('shows the outcome of a lost call on its card before the model goes on, even when the process of the press died', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart'), new Promise(() => {}));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.starts();
  await bot.passes(LIMITS.leaseMs);
  await bot.passes(LIMITS.leaseMs);
  await bot.starts();
  bot.diesAt('question-settled');

  const told = bot.tells(ANN, 'skip');
  await bot.settles();
  await bot.waits(500);

  expect(bot.model.requests).toHaveLength(2);
  expect(bot.thread.doubts()).toMatchObject([{ standing: { status: 'skip' } }]);
  void told;
});

it('asks no person about a lost call of a run that is stopped while the card is on its way', async () => {
  const bot = await inProcess({ tools: [tool('look', OPEN)] });
  bot.model.says(call('look'));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'look');
  let goOn = (): void => {};
  bot.at('question-begun', () => new Promise<void>((resolve) => (goOn = resolve)));
  await bot.restarts();

  await bot.stop(ANN);
  goOn();
  await bot.settles();

  expect(bot.posts()).toEqual([WORDS.stopped]);
  expect(bot.thread.doubts().filter(({ standing }) => standing.status === 'pending')).toEqual([]);
});
