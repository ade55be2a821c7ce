import { describe, expect, it } from 'vitest';
import {
  AfterToolCallEvent,
  type BeforeModelCallEvent,
  type BeforeToolCallEvent,
  confirm,
  createHookRegistry,
  deny,
  type Handler,
  proceed,
  transform,
} from '../../interventions/index.ts';
import { call, loop, scriptedModel, witness } from '../support/scripted-model.ts';

/** How often a handler was asked at one moment of a run with one tool call, while these others stood around it. */
async function timesAsked(
  moment: 'beforeToolCall' | 'afterToolCall' | 'beforeModelCall',
  options: {
    readonly handler?: Partial<Handler>;
    readonly later?: Handler;
    readonly hooks?: ReturnType<typeof createHookRegistry>;
  },
) {
  let times = 0;
  const counted = {
    name: 'counted',
    [moment]: () => (++times > 0 ? proceed() : proceed()),
    ...options.handler,
  } as Handler;
  const { later, hooks } = options;
  await loop({
    model: scriptedModel([call('t', { a: 1 })], 'Done.'),
    tools: [witness('t')],
    interventions: later === undefined ? [counted] : [counted, later],
    ...(hooks === undefined ? {} : { hooks }),
  });
  return times;
}

const changesInput: Handler = {
  name: 'changes',
  beforeToolCall: () =>
    transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } })),
};

describe('a handler is asked again', () => {
  it('when it may ask people and what would run has changed since, and only then (BEY-22)', async () => {
    expect(await timesAsked('beforeToolCall', { handler: { gate: true }, later: changesInput })).toBe(2);
    expect(await timesAsked('beforeToolCall', { handler: { gate: true } })).toBe(1);
    expect(await timesAsked('beforeToolCall', { later: changesInput })).toBe(2);
    expect(await timesAsked('beforeToolCall', {})).toBe(1);
    expect(await timesAsked('beforeToolCall', { handler: { gate: false }, later: changesInput })).toBe(1);
  });

  it('but not about its own change of the call, unless it is a gate (BEY-22)', async () => {
    let times = 0;
    const adds: Handler = {
      name: 'adds',
      beforeToolCall: () => {
        times += 1;
        return transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: times } }));
      },
    };
    const tool = witness('t');
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [adds, changesInput] });

    expect([times, tool.runs]).toEqual([1, [{ a: 2 }]]);
  });

  it.each([
    ['asks', confirm('Delete it?'), 'interrupted'],
    ['denies', deny('Delete nothing.'), 'finished'],
  ] as const)(
    'when it is a plain handler that %s, and a later one renames a call past it (BEY-22)',
    async (_what, says, end) => {
      const careful: Handler = {
        name: 'careful',
        beforeToolCall: ({ toolUse }) => (toolUse.name === 'delete' ? says : proceed()),
      };
      const renames: Handler = {
        name: 'renames',
        beforeToolCall: () =>
          transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { name: 'delete' })),
      };
      const tool = witness('delete');
      const outcome = await loop({
        model: scriptedModel([call('list')], 'Done.'),
        tools: [witness('list'), tool],
        interventions: [careful, renames],
      });

      expect([outcome.type, tool.runs]).toEqual([end, []]);
    },
  );

  it('when it is a plain handler that stamps each call that it lets pass, and the renamed call still runs (BEY-22)', async () => {
    let stamp = 0;
    const stamps: Handler = {
      name: 'stamps',
      beforeToolCall: (event) => {
        stamp += 1;
        event.toolUse = { ...event.toolUse, input: { stamp } };
        return proceed();
      },
    };
    const renames: Handler = {
      name: 'renames',
      beforeToolCall: () => transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { name: 'u' })),
    };
    const tool = witness('u');
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t'), tool],
      interventions: [stamps, renames],
    });

    expect([stamp, tool.runs]).toEqual([2, [{ stamp: 2 }]]);
  });

  it('when it is a gate and another tool of the same name would run (BEY-22)', async () => {
    const other = witness('t');
    const replaces: Handler = {
      name: 'replaces',
      beforeToolCall: () =>
        transform<BeforeToolCallEvent>((event) => void Object.assign(event, { selectedTool: other })),
    };

    expect(await timesAsked('beforeToolCall', { handler: { gate: true }, later: replaces })).toBe(2);
    expect(other.runs).toHaveLength(1);
  });

  it('but not about its own change from before its question (BEY-22)', async () => {
    let times = 0;
    const asks: Handler = {
      name: 'asks',
      beforeToolCall: ({ toolUse }) => {
        times += 1;
        Object.assign(toolUse, { input: { a: times } });
        return confirm('Run it?', { response: true });
      },
    };
    const tool = witness('t');
    await loop({ model: scriptedModel([call('t', { a: 0 })], 'Done.'), tools: [tool], interventions: [asks] });

    expect([times, tool.runs]).toEqual([1, [{ a: 1 }]]);
  });

  it('but not at other moments, unless it has opted in to confirm there (BEY-33)', async () => {
    const shortens: Handler = {
      name: 'shortens',
      afterToolCall: () =>
        transform<AfterToolCallEvent>((event) => {
          event.result = { ...event.result, content: [] };
        }),
      beforeModelCall: () =>
        transform<BeforeModelCallEvent>((event) => {
          event.messages = event.messages.slice(-1);
        }),
    };
    const chosen = { confirmEverywhere: true } as unknown as Partial<Handler>;

    expect(await timesAsked('afterToolCall', { handler: { gate: true }, later: shortens })).toBe(1);
    expect(await timesAsked('beforeModelCall', { handler: { gate: true }, later: shortens })).toBe(2);
    expect(await timesAsked('afterToolCall', { handler: chosen, later: shortens })).toBe(2);
  });

  it('but not because a later callback changed a result without a question (BEY-33)', async () => {
    const hooks = createHookRegistry();
    hooks.addCallback(AfterToolCallEvent, (event) => {
      event.result = { ...event.result, content: [] };
    });

    expect(await timesAsked('afterToolCall', { hooks })).toBe(1);
  });
});
