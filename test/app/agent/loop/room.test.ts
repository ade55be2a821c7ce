import { describe, expect, it } from 'vitest';
import { type ConfirmingHandler, confirm } from '../../../../interventions/index.ts';
import { call, deferred, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const five = Array.from({ length: 5 }, (_, index) => call('t', { index }, `t-${index}`));

/** A tool that runs until it is told to end, and how many of its calls run. */
function slow() {
  const open: (() => void)[] = [];
  let most = 0;
  const tool = witness('t', () => {
    const end = deferred<string>();
    open.push(() => end.resolve('done'));
    most = Math.max(most, open.length);
    return end.promise;
  });
  const endOne = async () => {
    open.shift()?.();
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return { tool, endOne, most: () => most };
}

describe('the calls of one answer', () => {
  it('run together, as many as there is room for (AG-17)', async () => {
    const { tool, endOne, most } = slow();
    const running = loop({ model: scriptedModel(five, 'Done.'), tools: [tool], limits: { parallelTools: 2 } });
    await new Promise(setImmediate);
    const begun: number[] = [];
    for (let ended = 0; ended < 5; ended += 1) {
      begun.push(tool.runs.length);
      await endOne();
    }

    expect(begun).toEqual([2, 3, 4, 5, 5]);
    expect(most()).toBe(2);
    expect(resultsOf((await running).state.messages).map((line) => line.split(':')[0])).toEqual([
      't-0',
      't-1',
      't-2',
      't-3',
      't-4',
    ]);
  });

  it('that queue when the run is stopped are never started (A-05)', async () => {
    const { tool } = slow();
    const stop = new AbortController();
    const facts: string[] = [];
    const running = loop({
      model: scriptedModel(five),
      tools: [
        { ...tool, run: async (input, context) => Promise.race([tool.run(input, context), aborted(context.signal)]) },
      ],
      limits: { parallelTools: 2 },
      signal: stop.signal,
      record: async ({ type }) => void facts.push(type),
    });
    await new Promise(setImmediate);
    stop.abort('cancelled');

    expect(await running).toMatchObject({ type: 'stopped', reason: 'cancelled' });
    expect(tool.runs).toHaveLength(2);
    expect(facts.filter((type) => type === 'started')).toHaveLength(2);
  });

  it('give their place to others while people think about a result (BEY-33)', async () => {
    const tool = witness('t');
    const answers: ((yes: boolean) => void)[] = [];
    const guard: ConfirmingHandler = {
      name: 'guard',
      confirmEverywhere: true,
      afterToolCall: () => confirm('Use it?', { ask: () => new Promise((resolve) => answers.push(resolve)) }),
    };
    const running = loop({
      model: scriptedModel(five, 'Done.'),
      tools: [tool],
      interventions: [guard],
      limits: { parallelTools: 1 },
    });
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);

    expect([tool.runs.length, answers.length]).toEqual([5, 5]);
    for (const answer of answers) answer(true);
    expect((await running).type).toBe('finished');
  });
});

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
}
