import { describe, expect, it } from 'vitest';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import type { ToolRunContext } from '../../../../app/agent/index.ts';
import {
  type AuditDraft,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  confirm,
  deny,
  type Handler,
  HumanInTheLoop,
  type Interrupt,
  InterruptEvent,
  proceed,
  type RaiseInterrupt,
} from '../../../../interventions/index.ts';
import { callbacks, agent as makeAgent, reply } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

const interruptsOf = (outcome: { readonly interrupts: readonly Interrupt[] }) => outcome.interrupts;

describe('an interrupt', () => {
  it('can be raised before all tools, before one, and inside one (I-01)', async () => {
    const hooks = callbacks();
    hooks.addCallback(BeforeToolsEvent, (event) => void event.interrupt({ name: 'all' }));
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'one' }));
    const inside = {
      ...witness('t'),
      run: async (_input: unknown, context: { interrupt: (request: { name: string }) => unknown }) =>
        `was told ${context.interrupt({ name: 'inside' })}`,
    };
    const agent = makeAgent({ model: scriptedModel([call('t')], 'Done.'), tools: [inside], hooks: [hooks] });
    const names: string[] = [];
    let outcome = await agent.invoke('go');
    for (const answer of ['a', 'b', 'c']) {
      const [interrupt] = await agent.interrupts();
      names.push(`${interrupt?.source} ${interrupt?.name}`);
      outcome = await agent.invoke([reply(interrupt, answer)]);
    }

    expect(names).toEqual(['hook all', 'hook one', 'tool inside']);
    expect(outcome).toMatchObject({ stopReason: 'endTurn' });
    expect(resultsOf(agent.messages)).toEqual(['t-1: success was told c']);
  });

  it('keeps its id over save and load, and lets one of two workers resume (I-02, I-20)', async () => {
    const sessionManager = createMemorySession();
    const tool = witness('t');
    const worker = () =>
      makeAgent({
        sessionManager,
        model: scriptedModel([call('t')], 'Done.'),
        tools: [tool],
        interventions: [new HumanInTheLoop()],
      });
    const later = () =>
      makeAgent({
        sessionManager,
        model: scriptedModel('Done.'),
        tools: [tool],
        interventions: [new HumanInTheLoop()],
      });
    const [asked] = interruptsOf(await worker().invoke('go'));
    const found = (await later().interrupts())[0];

    expect(found?.id).toBe(asked?.id);
    const both = await Promise.allSettled([later().invoke([reply(found, true)]), later().invoke([reply(found, true)])]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(tool.runs).toHaveLength(1);
  });

  it('gives the answer to the second call, a falsy answer included (I-03, I-14, BEY-8)', async () => {
    for (const answer of [false, 0, '', null, { a: 1 }]) {
      const got: unknown[] = [];
      const hooks = callbacks();
      hooks.addCallback(BeforeToolCallEvent, (event) => void got.push(event.interrupt({ name: 'q' })));
      const agent = makeAgent({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], hooks: [hooks] });
      const [interrupt] = interruptsOf(await agent.invoke('go'));
      await agent.invoke([reply(interrupt, answer)]);

      expect(got).toEqual([answer]);
    }
  });

  it.each([true, false, 0, '', null])(
    'does not pause when the answer %j is known beforehand (I-04)',
    async (response) => {
      const got: unknown[] = [];
      const hooks = callbacks();
      hooks.addCallback(BeforeToolCallEvent, (event) => void got.push(event.interrupt({ name: 'q', response })));
      const outcome = await makeAgent({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        hooks: [hooks],
      }).invoke('go');

      expect(outcome.stopReason).toBe('endTurn');
      expect(got).toEqual([response]);
    },
  );

  it('may be one of several at one event, and all are collected (I-05)', async () => {
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'one' }));
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'two' }));
    const gate = new HumanInTheLoop();
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      hooks: [hooks],
      interventions: [gate],
    });
    const interrupts = interruptsOf(await agent.invoke('go'));

    expect(interrupts.map(({ name }) => name)).toEqual(['one', 'two', gate.name]);
    expect((await agent.invoke(interrupts.map((interrupt) => reply(interrupt, 'yes')))).stopReason).toBe('endTurn');
  });

  it('shares its name with no other interrupt at one event (I-06)', async () => {
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'same' }));
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'same' }));
    const agent = makeAgent({ model: scriptedModel([call('t')]), tools: [witness('t')], hooks: [hooks] });

    await expect(agent.invoke('go')).rejects.toThrow('must be unique for one event, and these are not: same');
  });

  it('takes two rounds when one callback raises two (I-07)', async () => {
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => {
      event.interrupt({ name: 'one' });
      event.interrupt({ name: 'two' });
    });
    const agent = makeAgent({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], hooks: [hooks] });
    const first = interruptsOf(await agent.invoke('go'));
    const second = interruptsOf(await agent.invoke([reply(first[0], 1)]));

    expect([first, second].map((round) => round.map(({ name }) => name))).toEqual([['one'], ['two']]);
    expect((await agent.invoke([reply(second[0], 2)])).stopReason).toBe('endTurn');
  });

  it('goes on with partial answers, and leaves finished siblings alone (I-08, I-11)', async () => {
    const [a, b, free] = [witness('a'), witness('b'), witness('free')];
    const seen: string[] = [];
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => void seen.push(event.toolUse.name));
    const model = scriptedModel([call('a'), call('free'), call('b')], 'Done.');
    const gate = new HumanInTheLoop({ allowedTools: ['free'] });
    const agent = makeAgent({ model, tools: [a, b, free], hooks: [hooks], interventions: [gate] });
    const both = interruptsOf(await agent.invoke('go'));
    seen.length = 0;
    const left = interruptsOf(await agent.invoke([reply(both[0], true)]));

    expect(seen).toEqual(['a', 'b']);
    expect(left.map(({ id }) => id)).toEqual([both[1]?.id]);
    expect([a.runs.length, b.runs.length, free.runs.length, model.requests.length]).toEqual([1, 0, 1, 1]);
    seen.length = 0;
    expect((await agent.invoke([reply(left[0], true)])).stopReason).toBe('endTurn');
    expect(seen).toEqual(['b']);
    expect([a.runs.length, b.runs.length, free.runs.length]).toEqual([1, 1, 1]);
  });

  it(
    'refuses answers that cannot be used, and changes nothing (I-09)',
    strictly('BEY-38', async () => {
      const model = scriptedModel([call('t')], 'Done.');
      const agent = makeAgent({ model, tools: [witness('t')], interventions: [new HumanInTheLoop()] });
      const [interrupt] = interruptsOf(await agent.invoke('go'));
      const before = agent.snapshot();
      const wrong: (readonly [Parameters<typeof agent.invoke>[0], string])[] = [
        [[reply(interrupt, true), { interruptResponse: { interruptId: 'nobody', response: true } }], 'nobody'],
        [[reply(interrupt, true), reply(interrupt, false)], 'twice in one list'],
        [[reply(interrupt, 'perhaps')], 'cannot be answered with "perhaps"'],
        // @ts-expect-error no value is no answer
        [[reply(interrupt, undefined)], 'was given no value'],
        // @ts-expect-error answers travel alone
        [[reply(interrupt, true), { role: 'user', content: [] }], 'mixes answers with other things'],
        ['something else', 'waits for answers'],
      ];

      for (const [input, problem] of wrong) {
        await expect(agent.invoke(input)).rejects.toThrow(problem);
        expect(agent.snapshot()).toEqual(before);
      }
      expect(model.requests).toHaveLength(1);
    }),
  );

  it('is answered once, however often the same answer is given (I-10)', async () => {
    const tool = witness('t');
    const model = scriptedModel([call('t')], 'Done.');
    const agent = makeAgent({ model, tools: [tool], interventions: [new HumanInTheLoop()] });
    const [interrupt] = interruptsOf(await agent.invoke('go'));
    await agent.invoke([reply(interrupt, true)]);
    const before = agent.snapshot();

    expect(await agent.invoke([reply(interrupt, true)])).toMatchObject({ unchanged: true });
    await expect(agent.invoke([reply(interrupt, false)])).rejects.toThrow('was decided already, and otherwise');
    expect(agent.snapshot()).toEqual(before);
    expect([tool.runs.length, model.requests.length]).toEqual([1, 2]);
  });

  it('leaves no request in the history without an answer, before, during and after (I-12)', async () => {
    const roles = async () => agent.messages.map(({ role }) => role);
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop()],
    });
    expect(await roles()).toEqual([]);
    const [interrupt] = interruptsOf(await agent.invoke('go'));
    expect(await roles()).toEqual(['user']);
    await agent.invoke([reply(interrupt, true)]);
    expect(await roles()).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(agent.snapshot().state.interrupts).toBeUndefined();
  });

  it('asks anew in the next turn, also for the same tool call id (I-13, I-16)', async () => {
    const tool = witness('t');
    const model = scriptedModel([call('t')], [call('t')], 'Done.');
    const agent = makeAgent({ model, tools: [tool], interventions: [new HumanInTheLoop()] });
    const [first] = interruptsOf(await agent.invoke('go'));
    const [second] = interruptsOf(await agent.invoke([reply(first, true)]));

    expect(second?.name).toBe(first?.name);
    expect(second?.id).not.toBe(first?.id);
    await agent.invoke([reply(second, false)]);
    expect(tool.runs).toHaveLength(1);
  });

  it('asks anew when a call is done again (I-15)', async () => {
    const tool = witness('t');
    const again = { name: 'again', afterToolCall: (event: { attempt: number }) => retryUntil(event, 2) };
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop(), again],
    });
    const [first] = interruptsOf(await agent.invoke('go'));
    const [second] = interruptsOf(await agent.invoke([reply(first, true)]));

    expect(tool.runs).toHaveLength(1);
    expect(second?.id).not.toBe(first?.id);
    await agent.invoke([reply(second, true)]);
    expect(tool.runs).toHaveLength(2);
  });

  it('survives a resume that is cancelled before the tools run (I-17)', async () => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop()],
    });
    const [interrupt] = interruptsOf(await agent.invoke('go'));
    const outcome = await agent.invoke([reply(interrupt, true)], { cancelSignal: AbortSignal.abort('cancelled') });

    expect(outcome).toMatchObject({ stopReason: 'cancelled' });
    expect(tool.runs).toEqual([]);
    expect((await agent.invoke()).stopReason).toBe('endTurn');
    expect(tool.runs).toHaveLength(1);
  });

  it('survives a resume that a handler denies (I-18)', async () => {
    let closed = false;
    const doorman = {
      name: 'doorman',
      beforeInvocation: () => (closed ? { type: 'deny' as const, reason: 'not now' } : { type: 'proceed' as const }),
    };
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [doorman, new HumanInTheLoop()],
    });
    const [interrupt] = interruptsOf(await agent.invoke('go'));
    closed = true;
    expect(await agent.invoke([reply(interrupt, true)])).toMatchObject({ endedBy: { handler: 'doorman' } });
    closed = false;

    expect(tool.runs).toEqual([]);
    expect((await agent.invoke()).stopReason).toBe('endTurn');
    expect(tool.runs).toHaveLength(1);
  });

  it('can be dismissed, which is not a refusal by a person (I-19)', async () => {
    const tool = witness('t');
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [new HumanInTheLoop()],
    });
    await agent.invoke('go');
    await agent.dismiss('the task is over');
    await agent.invoke();

    expect(tool.runs).toEqual([]);
    expect(resultsOf(agent.messages)[0]).toContain('CANCELLED: The question was withdrawn');
  });

  it.each<[string, Handler[]]>([
    [
      'a handler denies',
      [{ name: 'no', beforeToolCall: ({ toolUse }) => (toolUse.name === 'a' ? deny('no') : proceed()) }],
    ],
    [
      'another person refuses',
      [
        {
          name: 'inline',
          beforeToolCall: ({ toolUse }) => (toolUse.name === 'a' ? confirm('a?', { ask: () => false }) : proceed()),
        },
      ],
    ],
    ['does not fit its tool', []],
  ])('about a call that %s is no longer listed while another call waits (BEY-15, BEY-17)', async (what, handlers) => {
    const hooks = callbacks();
    if (what !== 'another person refuses') {
      hooks.addCallback(BeforeToolCallEvent, (event) => {
        if (event.toolUse.name === 'a') event.interrupt({ name: 'q' });
      });
    }
    const a = { ...witness('a'), parse: () => ({ ok: false as const, problem: 'odd' }) };
    const asks: Handler = {
      name: 'asks',
      beforeToolCall: ({ toolUse }) =>
        toolUse.name === 'a' && what !== 'another person refuses' ? proceed() : confirm(`${toolUse.name}?`),
    };
    const agent = makeAgent({
      model: scriptedModel([call('a'), call('b')], 'Done.'),
      tools: [what === 'does not fit its tool' ? a : witness('a'), witness('b')],
      interventions: [...handlers, asks],
      hooks: [hooks],
    });
    const { interrupts } = await agent.invoke('go');

    expect(interrupts.map(({ toolUseId }) => toolUseId)).toEqual(['b-1']);
    expect(await agent.interrupts()).toEqual(interrupts);
  });

  it.each(['BeforeToolsEvent', 'BeforeToolCallEvent', 'tool'] as const)(
    'of a program expires as well: it gets that as its answer, and the agent goes on (%s) (I-19, BEY-7)',
    async (where) => {
      let nowMs = 0;
      const heard: unknown[] = [];
      const ask = (source: { readonly interrupt: RaiseInterrupt }) =>
        void heard.push(source.interrupt({ name: 'q', expiresAtMs: 1_000 }));
      const hooks = callbacks();
      if (where === 'BeforeToolsEvent') hooks.addCallback(BeforeToolsEvent, ask);
      if (where === 'BeforeToolCallEvent') hooks.addCallback(BeforeToolCallEvent, ask);
      const run = async (_input: unknown, context: ToolRunContext) => {
        if (where === 'tool') ask(context);
        return 'done';
      };
      const tool = { ...witness('t'), run };
      const model = scriptedModel([call('t')], 'Done.');
      const agent = makeAgent({ model, tools: [tool], hooks: [hooks], clock: { now: () => nowMs } });
      const [question] = interruptsOf(await agent.invoke('go'));
      nowMs = 999;
      await expect(agent.invoke()).rejects.toThrow('waits for answers');
      nowMs = 1_000;

      expect((await agent.invoke()).stopReason).toBe('endTurn');
      expect(heard).toEqual([{ decision: 'expired' }]);
      await expect(agent.invoke([reply(question, 'yes')])).rejects.toThrow('is not a question');
    },
  );

  it('expires: a late answer is refused, and the model hears that nobody answered (I-19)', async () => {
    let nowMs = 0;
    const tool = witness('t');
    const gate = new HumanInTheLoop({ expiresAfterMs: 1_000 });
    const agent = makeAgent({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      interventions: [gate],
      clock: { now: () => nowMs },
    });
    const [interrupt] = interruptsOf(await agent.invoke('go'));
    nowMs = 1_000;

    await expect(agent.invoke([reply(interrupt, true)])).rejects.toMatchObject({ problem: 'expired' });
    expect((await agent.invoke()).stopReason).toBe('endTurn');
    expect(resultsOf(agent.messages)[0]).toContain('EXPIRED: Nobody answered in time');
    expect(tool.runs).toEqual([]);
  });

  it.each([
    ['retry', 'success t is done', 1],
    ['skip', 'error It is not known whether', 0],
    ['happened', 'error This tool call happened', 0],
  ])(
    'asks a person about a call whose end no process saw, and the person says %s (I-21)',
    async (answer, result, runs) => {
      const tool = witness('t');
      const message = { role: 'assistant', content: [call('t')] } as const;
      const state = { messages: [], turn: 1, pending: { message, results: [], started: ['t-1'] } };
      const snapshot = { version: 1, state, appState: {}, spent: [] } as const;
      const agent = makeAgent({ model: scriptedModel('Done.'), tools: [tool], snapshot });
      const [interrupt] = interruptsOf(await agent.invoke());

      expect(interrupt?.answers).toEqual(['retry', 'skip', 'happened']);
      expect(tool.runs).toEqual([]);
      await agent.invoke([reply(interrupt, answer)]);
      expect(tool.runs).toHaveLength(runs);
      expect(resultsOf(agent.messages)[0]).toContain(`t-1: ${result}`);
    },
  );

  it.each(['retry', 'skip', 'happened'])(
    'stands in the audit with the answer %s, where it asks about a call whose end no process saw (I-21, BEY-19)',
    async (answer) => {
      const records: AuditDraft[] = [];
      const message = { role: 'assistant', content: [call('t')] } as const;
      const state = { messages: [], turn: 1, pending: { message, results: [], started: ['t-1'] } };
      const snapshot = { version: 1, state, appState: {}, spent: [] } as const;
      const audit = (record: AuditDraft) => void records.push(record);
      const agent = makeAgent({ model: scriptedModel('Done.'), tools: [witness('t')], snapshot, audit });
      const [interrupt] = interruptsOf(await agent.invoke());
      await agent.invoke([reply(interrupt, answer)]);

      const about = { action: 'countersign:outcome-unknown', tool: 't', toolUseId: 't-1' };
      expect(records.filter(({ action }) => action === about.action)).toMatchObject([
        { kind: 'question', answer: 'waiting', ...about },
        { kind: 'answer', answer, ...about },
      ]);
    },
  );

  it('writes that a call was started before it runs, and its end after (I-21)', async () => {
    const states: unknown[] = [];
    const tool = witness('t', async () => {
      states.push(agent.snapshot().state.pending);
      return 'ran';
    });
    const agent = makeAgent({ model: scriptedModel([call('t')], 'Done.'), tools: [tool] });
    await agent.invoke('go');

    expect(states).toMatchObject([{ started: ['t-1'], results: [] }]);
  });

  it('is part of the outcome as JSON, one event for each (I-22)', async () => {
    const announced: string[] = [];
    const hooks = callbacks();
    hooks.addCallback(InterruptEvent, (event) => void announced.push(event.interrupt.id));
    const agent = makeAgent({
      model: scriptedModel([call('a'), call('b')]),
      tools: [witness('a'), witness('b')],
      hooks: [hooks],
      interventions: [new HumanInTheLoop()],
    });
    const outcome = await agent.invoke('go');

    expect(JSON.parse(JSON.stringify(outcome)).interrupts).toHaveLength(2);
    expect(announced).toEqual(interruptsOf(outcome).map(({ id }) => id));
    expect(agent.snapshot().state.interrupts).toHaveLength(2);
  });
});

function retryUntil(event: { attempt: number }, attempts: number) {
  return {
    type: 'transform' as const,
    apply: (after: { retry: boolean }) => {
      after.retry = event.attempt < attempts;
    },
  };
}
