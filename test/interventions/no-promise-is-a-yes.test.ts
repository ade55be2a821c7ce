import { describe, expect, it } from 'vitest';
import {
  type BeforeToolCallEvent,
  ConfigurationError,
  type Confirm,
  confirm,
  type Handler,
  HumanInTheLoop,
  transform,
} from '../../interventions/index.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

const fails = async () => {
  throw new Error('too late');
};

const made = (what: unknown) => (typeof what === 'function' ? what() : what);

describe('no call runs', () => {
  it.each<[string, unknown]>([
    ['a promise', Promise.resolve({ type: 'approved' })],
    ['a promise that fails later', () => fails()],
    ['a settlement of an unknown type', { type: 'ok' }],
    ['the name of a member that every object has', { type: 'toString' }],
    ['nothing', undefined],
    ['null', null],
    ['an edit that JSON cannot hold', { type: 'approved', editedInput: { to: new Map([[1, 2]]) } }],
  ])('when the function that settles an answer returns %s (BEY-40)', async (_what, settled) => {
    const tool = witness('t');
    const settle = (() => made(settled)) as unknown as NonNullable<Confirm['settle']>;
    const asks = [
      { name: 'asks', onError: 'deny' as const, beforeToolCall: () => confirm('?', { response: 'yes', settle }) },
      { name: 'asks', onError: 'deny' as const, beforeToolCall: () => confirm('?', { ask: () => 'yes', settle }) },
    ];

    for (const handler of asks) {
      const { state } = await loop({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [tool],
        interventions: [handler],
      });
      expect(resultsOf(state.messages)[0]).toContain('DENIED: Handler threw: settle() returned ');
    }

    expect(tool.runs).toEqual([]);
  });

  it.each([async () => true, fails])('when the function that judges an answer is async (BEY-14)', async (judges) => {
    const tool = witness('t');
    const evaluate = judges as unknown as Confirm['evaluate'];
    const asks: Handler = {
      name: 'asks',
      onError: 'deny',
      beforeToolCall: () => confirm('?', { response: 1, evaluate }),
    };

    const { state } = await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [asks] });

    expect(resultsOf(state.messages)[0]).toContain('evaluate() returned a promise, which says neither yes nor no.');
    expect(tool.runs).toEqual([]);
  });

  it.each(['comes', 'fails'])('when the function that changes it is async and %s later (BEY-14)', async (later) => {
    const tool = witness('t');
    const change = async (event: BeforeToolCallEvent) => {
      await Promise.resolve();
      if (later === 'fails') throw new Error('too late');
      Object.assign(event.toolUse, { input: { safe: true } });
    };
    const changes: Handler = { name: 'changes', onError: 'deny', beforeToolCall: () => transform(change) };

    const { state } = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [changes],
    });

    expect(resultsOf(state.messages)[0]).toContain('transformed with an async function');
    expect(tool.runs).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a promise', Promise.resolve({ effect: 'guarded', approvers: ['BEN'] })],
    ['a promise that fails later', () => fails()],
    ['null', null],
    ['a list of approvers alone', { approvers: ['BEN'] }],
    ['a misspelt effect', { effect: 'gaurded' }],
    ['the name of a member that every object has', { effect: 'toString' }],
  ])('when the function that finds its rule returns %s (BEY-20)', async (_what, rule) => {
    const tool = witness('t');
    const gate = new HumanInTheLoop({ allowedTools: ['t'], ruleFor: () => made(rule), ask: () => true });

    const running = loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [gate] });

    await expect(running).rejects.toMatchObject({ cause: expect.any(ConfigurationError) });
    expect(tool.runs).toEqual([]);
  });
});
