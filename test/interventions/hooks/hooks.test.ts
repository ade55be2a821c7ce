import { describe, expect, it } from 'vitest';
import {
  AfterInvocationEvent,
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  createHookRegistry,
  type Handler,
  HOOK_ORDER,
  InterruptError,
  LoopEvent,
} from '../../../interventions/index.ts';
import { eventContext } from '../../support/event.ts';
import { call, lastText, loop, resultsOf, says, scriptedModel, witness } from '../../support/scripted-model.ts';

const context = eventContext();
const beginning = () => new BeforeInvocationEvent(context, { messages: [] });
const ending = () => new AfterInvocationEvent(context);

describe('callbacks', () => {
  it('are called in order, after-events in reverse, and by their order value first (K-01)', async () => {
    const hooks = createHookRegistry();
    const order: string[] = [];
    for (const type of [BeforeInvocationEvent, AfterInvocationEvent]) {
      hooks.addCallback<BeforeInvocationEvent | AfterInvocationEvent>(type, () => void order.push('last'), {
        order: HOOK_ORDER.last,
      });
      hooks.addCallback<BeforeInvocationEvent | AfterInvocationEvent>(type, () => void order.push('one'));
      hooks.addCallback<BeforeInvocationEvent | AfterInvocationEvent>(type, () => void order.push('two'));
      hooks.addCallback<BeforeInvocationEvent | AfterInvocationEvent>(type, () => void order.push('first'), {
        order: HOOK_ORDER.first,
      });
    }
    await hooks.invokeCallbacks(beginning());
    await hooks.invokeCallbacks(ending());

    expect(order).toEqual(['first', 'one', 'two', 'last', 'first', 'two', 'one', 'last']);
    expect(hooks.getCallbacksFor(beginning())).toHaveLength(4);
    expect(hooks.hasCallbacks()).toBe(true);
  });

  it('are called around handlers: before-events first, after-events last (K-01)', async () => {
    const order: string[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeToolCallEvent, () => void order.push('callback before'));
    hooks.addCallback(BeforeToolCallEvent, () => void order.push('last before'), { order: HOOK_ORDER.last });
    hooks.addCallback(BeforeToolCallEvent, () => void order.push('input'), { order: HOOK_ORDER.interventionInput });
    hooks.addCallback(AfterToolCallEvent, () => void order.push('callback after'));
    hooks.addCallback(AfterToolCallEvent, () => void order.push('first after'), { order: HOOK_ORDER.first });
    hooks.addCallback(AfterToolCallEvent, () => void order.push('output'), { order: HOOK_ORDER.interventionOutput });
    const handler: Handler = {
      name: 'h',
      beforeToolCall: () => ({ type: 'proceed', reason: `${order.push('handler before')}` }),
      afterToolCall: () => ({ type: 'proceed', reason: `${order.push('handler after')}` }),
    };
    await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], hooks, interventions: [handler] });

    expect(order).toEqual([
      'callback before',
      'handler before',
      'input',
      'last before',
      'first after',
      'output',
      'handler after',
      'callback after',
    ]);
  });

  it('that are asynchronous are refused by a synchronous call, before anything ran (K-02)', () => {
    const hooks = createHookRegistry();
    const called: string[] = [];
    hooks.addCallback(BeforeInvocationEvent, () => void called.push('sync'));
    const remove = hooks.addCallback(BeforeInvocationEvent, async () => void called.push('async'));

    expect(() => hooks.invokeCallbacksSync(beginning())).toThrow('is asynchronous and the call is not');
    expect(called).toEqual([]);
    remove();
    expect(hooks.invokeCallbacksSync(beginning()).interrupts).toEqual([]);
    expect(called).toEqual(['sync']);
  });

  it('are not called after one has thrown, and the collected results are dropped (K-03)', async () => {
    const hooks = createHookRegistry();
    const called: string[] = [];
    hooks.addCallback(BeforeInvocationEvent, () => {
      throw new InterruptError([{ id: '1', name: 'q', source: 'hook' }]);
    });
    hooks.addCallback(BeforeInvocationEvent, () => {
      throw new Error('broken');
    });
    hooks.addCallback(BeforeInvocationEvent, () => void called.push('later'));

    await expect(hooks.invokeCallbacks(beginning())).rejects.toThrow('broken');
    expect(() => hooks.invokeCallbacksSync(beginning())).toThrow('broken');
    expect(called).toEqual([]);
  });

  it('run in the order of a dispatch when they are taken from the registry and called one by one (REF-2, HK-3)', () => {
    const hooks = createHookRegistry();
    const called: string[] = [];
    for (const type of [BeforeInvocationEvent, AfterInvocationEvent]) {
      const add = (name: string, order?: number) =>
        hooks.addCallback<BeforeInvocationEvent | AfterInvocationEvent>(
          type,
          (event) => void called.push(`${event.type} ${name}`),
          order === undefined ? {} : { order },
        );
      add('last', HOOK_ORDER.last);
      add('one');
      add('two');
    }
    const event = beginning();
    for (const callback of hooks.getCallbacksFor(event)) callback(event);
    const end = ending();
    for (const callback of hooks.getCallbacksFor(end)) callback(end);

    expect(called).toEqual([
      'beforeInvocation one',
      'beforeInvocation two',
      'beforeInvocation last',
      'afterInvocation two',
      'afterInvocation one',
      'afterInvocation last',
    ]);
  });

  it('come from the registry as the very functions that were registered, and as none when none was (REF-2, HK-3)', () => {
    const hooks = createHookRegistry();
    const callback = () => {};
    hooks.addCallback(BeforeInvocationEvent, callback);

    expect([...hooks.getCallbacksFor(beginning())]).toEqual([callback]);
    expect([...hooks.getCallbacksFor(ending())]).toEqual([]);
  });

  it('of an own event run in reverse when the event says so, whatever its type is called (REF-3, HK-2)', async () => {
    class Closed extends LoopEvent {
      get type() {
        return 'closed';
      }
      override get reversed() {
        return true;
      }
    }
    class AfterLunch extends LoopEvent {
      get type() {
        return 'afterLunch';
      }
    }
    const heard = async (type: typeof Closed | typeof AfterLunch, options = {}) => {
      const hooks = createHookRegistry(options);
      const order: string[] = [];
      hooks.addCallback(type, () => void order.push('one'));
      hooks.addCallback(type, () => void order.push('two'));
      await hooks.invokeCallbacks(new type(context));
      return order;
    };

    expect(await heard(Closed)).toEqual(['two', 'one']);
    expect(await heard(AfterLunch)).toEqual(['one', 'two']);
    expect(await heard(Closed, { reverseAfter: false })).toEqual(['one', 'two']);
    expect(JSON.parse(JSON.stringify(new Closed(context)))).not.toHaveProperty('reversed');
  });

  it.each([
    ['afterInvocation', new AfterInvocationEvent(context), true],
    ['afterModelCall', new AfterModelCallEvent(context, { attempt: 1, guidanceCount: 0 }), true],
    ['afterTools', new AfterToolsEvent(context, { results: [] }), true],
    ['beforeInvocation', beginning(), false],
    ['beforeModelCall', new BeforeModelCallEvent(context, { messages: [], attempt: 1, guidanceCount: 0 }), false],
  ] as const)(
    'says of itself whether its callbacks are heard in reverse: %s (REF-3, HK-2)',
    (type, event, reversed) => {
      expect([event.type, event.reversed]).toEqual([type, reversed]);
      expect(Reflect.get(AfterToolCallEvent.prototype, 'reversed')).toBe(true);
      expect(() => Object.assign(event, { reversed: !reversed })).toThrow(TypeError);
    },
  );

  it('that return a promise are refused by a synchronous call, and their rejection ends no process (REF-6, HK-5)', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      for (const returned of [() => Promise.reject(new Error('late')), () => Promise.resolve('yes')]) {
        const hooks = createHookRegistry();
        const called: string[] = [];
        hooks.addCallback(BeforeInvocationEvent, returned);
        hooks.addCallback(BeforeInvocationEvent, () => void called.push('later'));

        expect(() => hooks.invokeCallbacksSync(beginning())).toThrow(
          'A callback for beforeInvocation returned a promise and the call is not asynchronous.',
        );
        expect(called).toEqual([]);
      }
      await new Promise((done) => setTimeout(done, 20));

      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('are removed one registration at a time (K-04)', async () => {
    const hooks = createHookRegistry();
    const called: string[] = [];
    const callback = () => void called.push('callback');
    const remove = hooks.addCallback(BeforeInvocationEvent, callback);
    const removeOther = hooks.addCallback(BeforeInvocationEvent, callback);
    remove();
    remove();
    await hooks.invokeCallbacks(beginning());

    expect(called).toHaveLength(1);
    expect(hooks.hasCallbacks()).toBe(true);
    removeOther();
    expect(hooks.hasCallbacks()).toBe(false);
  });

  it('come from providers as well (K-04)', async () => {
    const called: string[] = [];
    const provider = {
      registerHooks: (registry: ReturnType<typeof createHookRegistry>) =>
        void registry.addCallback(BeforeInvocationEvent, () => void called.push('callback')),
    };
    await loop({ model: scriptedModel('Hello.'), hooks: [provider] });

    expect(called).toHaveLength(1);
  });

  it('can write only the fields that they may set (K-05)', () => {
    for (const [event, name] of [
      [beginning(), 'agent'],
      [beginning(), 'type'],
      [ending(), 'error'],
      [new BeforeModelCallEvent(context, { messages: [], attempt: 1, guidanceCount: 0 }), 'attempt'],
      [new AfterModelCallEvent(context, { attempt: 1, guidanceCount: 0 }), 'stopData'],
      [new AfterToolsEvent(context, { results: [] }), 'results'],
    ] as const) {
      expect(() => Object.assign(event, { [name]: 'changed' })).toThrow(TypeError);
    }
  });

  it('behind the gate may cancel a call, and not change it (K-05, BEY-37)', async () => {
    const tool = witness('t');
    const late = async (change: (event: BeforeToolCallEvent) => void) => {
      const hooks = createHookRegistry();
      hooks.addCallback(BeforeToolCallEvent, change, { order: HOOK_ORDER.last });
      return await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], hooks });
    };
    const changes: ((event: BeforeToolCallEvent) => void)[] = [
      (event) => void Object.assign(event.toolUse, { name: 'other' }),
      (event) => void Object.assign(event.toolUse, { input: { a: 2 } }),
      (event) => void Object.assign(event, { toolUse: { ...event.toolUse, name: 'other' } }),
      (event) => void Object.assign(event, { selectedTool: { name: 'other' } }),
    ];

    for (const change of changes) await expect(late(change)).rejects.toThrow();
    const cancelled = await late((event) => void Object.assign(event, { cancel: 'not today' }));
    expect(resultsOf(cancelled.state.messages)).toEqual(['t-1: error not today']);
    expect(tool.runs).toEqual([]);
  });

  it('behind the gate cannot undo a cancel (K-05)', async () => {
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeToolCallEvent, (event) => void Object.assign(event, { cancel: false }), {
      order: HOOK_ORDER.last,
    });
    const no: Handler = { name: 'no', beforeToolCall: () => ({ type: 'deny', reason: 'no' }) };
    const running = loop({ model: scriptedModel([call('t')]), tools: [witness('t')], hooks, interventions: [no] });

    await expect(running).rejects.toThrow('cancel of a sealed tool call was changed');
  });

  it.each<[string, Partial<Handler>]>([
    ['invocation', { beforeInvocation: () => ({ type: 'deny', reason: 'no' }) }],
    ['invocation with advice', { beforeInvocation: () => ({ type: 'guide', feedback: 'no' }) }],
    ['model call', { beforeModelCall: () => ({ type: 'deny', reason: 'no' }) }],
  ])('behind the handlers do not let a stopped %s go on (K-05, BEY-37)', async (_what, stops) => {
    const hooks = createHookRegistry();
    const goesOn = (event: BeforeInvocationEvent | BeforeModelCallEvent) =>
      void Object.assign(event, { cancel: false });
    hooks.addCallback(BeforeInvocationEvent, goesOn, { order: HOOK_ORDER.last });
    hooks.addCallback(BeforeModelCallEvent, goesOn, { order: HOOK_ORDER.last });
    const model = scriptedModel('Hi.');
    const outcome = await loop({ model, input: [says('hello')], hooks, interventions: [{ name: 'no', ...stops }] });

    expect(model.requests).toEqual([]);
    expect(lastText(outcome)).toContain('no');
  });

  it('behind the handlers may say in their own words why a denied invocation stops (K-05)', async () => {
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeInvocationEvent, (event) => void Object.assign(event, { cancel: 'Closed on Sundays.' }), {
      order: HOOK_ORDER.last,
    });
    const handler: Handler = { name: 'no', beforeInvocation: () => ({ type: 'deny', reason: 'no' }) };
    const outcome = await loop({ model: scriptedModel(), input: [says('hello')], hooks, interventions: [handler] });

    expect(lastText(outcome)).toBe('Closed on Sundays.');
  });

  it.each(['rename', 'replace', 'both'])('choose the tool that runs: %s (K-06)', async (how) => {
    const [t, renamed, replaced] = [witness('t'), witness('renamed'), witness('replaced')];
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeToolCallEvent, (event) => {
      if (how !== 'replace') event.toolUse.name = 'renamed';
      if (how !== 'rename') event.selectedTool = replaced;
    });
    const outcome = await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [t, renamed], hooks });

    expect([t.runs.length, renamed.runs.length, replaced.runs.length]).toEqual(
      how === 'rename' ? [0, 1, 0] : [0, 0, 1],
    );
    expect(resultsOf(outcome.state.messages)[0]).toContain('t-1: success');
  });

  it('cancel with a text of their own, or with the default one (K-06)', async () => {
    for (const [cancel, text] of [
      [true, 'tool call denied by hook'],
      ['closed', 'closed'],
    ] as const) {
      const hooks = createHookRegistry();
      hooks.addCallback(BeforeToolCallEvent, (event) => void Object.assign(event, { cancel }));
      const outcome = await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], hooks });

      expect(resultsOf(outcome.state.messages)).toEqual([`t-1: error ${text}`]);
    }
  });

  it('can repeat a tool call, and only the last result counts (K-07)', async () => {
    let runs = 0;
    const attempts: number[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(AfterToolCallEvent, (event) => {
      attempts.push(event.attempt);
      event.retry = event.attempt < 3;
    });
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t', () => `run ${++runs}`)],
      hooks,
    });

    expect(attempts).toEqual([1, 2, 3]);
    expect(resultsOf(outcome.state.messages)).toEqual(['t-1: success run 3']);
  });

  it('can repeat a model call, even a failed one, a limited number of times (K-07)', async () => {
    const hooks = createHookRegistry();
    const model = scriptedModel(new Error('overloaded'), 'Hello.');
    hooks.addCallback(AfterModelCallEvent, (event) => void Object.assign(event, { retry: event.error !== undefined }));

    expect(lastText(await loop({ model, hooks }))).toBe('Hello.');
    const always = createHookRegistry();
    always.addCallback(AfterModelCallEvent, (event) => void Object.assign(event, { retry: true }));
    const endless = scriptedModel(...Array.from({ length: 50 }, () => 'Again.'));
    expect(lastText(await loop({ model: endless, hooks: always }))).toBe('Again.');
    expect(endless.requests.length).toBeLessThan(20);
  });

  it('can resume with new input after a clean end, each with its own pair of events (K-08)', async () => {
    const pairs: string[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeInvocationEvent, ({ type }) => void pairs.push(type));
    hooks.addCallback(AfterInvocationEvent, (event) => {
      pairs.push(event.type);
      if (pairs.length === 2) event.resume = [says('and then?')];
    });
    const outcome = await loop({ model: scriptedModel('First.', 'Second.'), hooks });

    expect(pairs).toEqual(['beforeInvocation', 'afterInvocation', 'beforeInvocation', 'afterInvocation']);
    expect(lastText(outcome)).toBe('Second.');
  });

  it.each([
    [true, 'tool'],
    ['That is enough.', 'That is enough.'],
    [[{ type: 'text', text: 'That is enough.' }], 'That is enough.'],
  ])('can end the turn after the tools (%j) (K-08, HK-14)', async (endTurn, last) => {
    const hooks = createHookRegistry();
    hooks.addCallback(AfterToolsEvent, (event) => void Object.assign(event, { endTurn }));
    const model = scriptedModel([call('t')]);
    const outcome = await loop({ model, tools: [witness('t')], hooks });

    expect(outcome).toMatchObject({ type: 'finished', stopReason: 'endTurn' });
    expect(lastText(outcome)).toBe(last === 'tool' ? '' : last);
  });

  it.each(['model', 'tool', 'beforeToolCall', 'afterToolCall'])(
    'see an after-event for each before-event, even when the %s fails (K-09)',
    async (what) => {
      const counts: Record<string, number> = {};
      const hooks = createHookRegistry();
      const kinds = [
        BeforeInvocationEvent,
        AfterInvocationEvent,
        BeforeModelCallEvent,
        AfterModelCallEvent,
        BeforeToolCallEvent,
        AfterToolCallEvent,
      ];
      for (const kind of kinds) {
        hooks.addCallback<InstanceType<(typeof kinds)[number]>>(
          kind,
          ({ type }) => {
            counts[type] = (counts[type] ?? 0) + 1;
          },
          { order: HOOK_ORDER.first },
        );
      }
      const failing = (moment: string) => () => {
        if (moment === what) throw new Error('broken');
        return { type: 'proceed' } as const;
      };
      const handler: Handler = {
        name: 'h',
        beforeToolCall: failing('beforeToolCall'),
        afterToolCall: failing('afterToolCall'),
      };
      const model = what === 'model' ? scriptedModel(new Error('broken')) : scriptedModel([call('t')], 'Done.');
      await loop({
        model,
        tools: [witness('t', () => `${failing('tool')().type}`)],
        hooks,
        interventions: [handler],
      }).catch(() => {});

      for (const moment of ['Invocation', 'ModelCall', 'ToolCall'])
        expect(counts[`after${moment}`]).toBe(counts[`before${moment}`]);
      expect(counts.afterInvocation).toBe(1);
    },
  );

  it('can be serialised without the agent, the tools and the invocation state (K-09)', async () => {
    const written: string[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(BeforeToolCallEvent, (event) => void written.push(JSON.stringify(event)));
    await loop({
      model: scriptedModel([call('t', { a: 1 })], 'Done.'),
      tools: [witness('t')],
      hooks,
      invocationState: { secret: 1 },
    });

    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      type: 'beforeToolCall',
      toolUse: { name: 't', input: { a: 1 } },
      attempt: 1,
    });
    expect(written[0]).not.toContain('secret');
  });
});

describe('a run that is given up', () => {
  it.each(['the model answers', 'a tool runs', 'it begins'])(
    'fires the after-event of each before-event when cancelled while %s (K-09)',
    async (when) => {
      const open: string[] = [];
      const hooks = createHookRegistry();
      const kinds = [
        BeforeInvocationEvent,
        AfterInvocationEvent,
        BeforeModelCallEvent,
        AfterModelCallEvent,
        BeforeToolsEvent,
        AfterToolsEvent,
        BeforeToolCallEvent,
        AfterToolCallEvent,
      ];
      for (const kind of kinds) {
        hooks.addCallback<InstanceType<(typeof kinds)[number]>>(kind, ({ type }) => void open.push(type));
      }
      const controller = new AbortController();
      const stop = () => controller.abort('cancelled');
      if (when === 'it begins') stop();
      const model =
        when === 'the model answers'
          ? () => {
              stop();
              return new Promise<never>(() => {});
            }
          : scriptedModel([call('t')], 'Done.');
      const tool = witness('t', () => {
        stop();
        return 'ran';
      });
      const outcome = await loop({ model, tools: [tool], hooks, signal: controller.signal });

      expect(outcome).toMatchObject({ type: 'stopped', reason: 'cancelled' });
      const count = (begins: string) =>
        open
          .filter((type) => type.startsWith(begins))
          .map((type) => type.slice(begins.length))
          .sort();
      expect(count('after')).toEqual(count('before'));
      expect(open).toContain('afterInvocation');
    },
  );
});
