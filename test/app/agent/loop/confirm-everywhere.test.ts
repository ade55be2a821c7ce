import { describe, expect, it } from 'vitest';
import { Agent } from '../../../../app/agent/alone/agent.ts';
import { createMemorySession } from '../../../../app/agent/alone/memory/session.ts';
import type { AgentOptions } from '../../../../app/agent/alone/options.ts';
import {
  AfterModelCallEvent,
  AfterToolCallEvent,
  type AskExtras,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  type Confirm,
  type ConfirmingHandler,
  confirm,
  createHookRegistry,
  guide,
  type Handler,
  HumanInTheLoop,
  InterruptError,
  type Json,
  type MomentExtras,
  proceed,
  transform,
  type Warning,
} from '../../../../interventions/index.ts';
import { agent, linesOf, reply } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, lastText, loop, resultsOf, says, scriptedModel, witness } from '../../../support/scripted-model.ts';

const MOMENTS = ['beforeInvocation', 'beforeModelCall', 'afterToolCall'] as const;
type Moment = (typeof MOMENTS)[number];
type Options = Partial<Omit<Confirm<MomentExtras>, 'type' | 'prompt'>>;

/** Asks at one moment, every time. */
function asks(moment: Moment, options: Options = {}): ConfirmingHandler {
  const ask = () => confirm<MomentExtras>(`May ${moment}?`, options);
  const askAboutResult = () => confirm<AskExtras>(`May ${moment}?`, options as Partial<Confirm>);
  const moments = { beforeInvocation: ask, beforeModelCall: ask, afterToolCall: askAboutResult };
  return { name: 'guard', confirmEverywhere: true, [moment]: moments[moment] };
}

/** A model that wants `t` once, whoever asks it: it looks at what it is shown. */
function wantsTool() {
  const seen: string[][] = [];
  const model: AgentOptions['model'] = async ({ messages }) => {
    seen.push(linesOf(messages) as string[]);
    const done = messages.some(({ content }) => content.some(({ type }) => type === 'toolResult'));
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    return done
      ? { message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }, stopReason: 'endTurn', usage }
      : { message: { role: 'assistant', content: [call('t')] }, stopReason: 'toolUse', usage };
  };
  return { model, seen };
}

const WHOLE = ['user: go', 'assistant: [t t-1]', 'user: [t-1 success]', 'assistant: Done.'];
/** How many questions there are at each moment on the way through. */
const QUESTIONS = { beforeInvocation: 1, beforeModelCall: 2, afterToolCall: 1 };

describe('a confirm outside tool calls', () => {
  it.each(MOMENTS)('on %s has no effect and warns when its handler did not opt in (BEY-33)', async (moment) => {
    const warnings: Warning[] = [];
    // It does not compile; what slips through at run time is what is tested here.
    const handler = { name: 'guard', [moment]: () => confirm('?') } as unknown as Handler;
    const { model } = wantsTool();
    const one = agent({ model, tools: [witness('t')], interventions: [handler], warn: (w) => void warnings.push(w) });

    expect((await one.invoke('go')).stopReason).toBe('endTurn');
    expect(warnings).toHaveLength(QUESTIONS[moment]);
    expect(warnings[0]).toMatchObject({ handler: 'guard', event: moment, action: 'confirm' });
  });

  it.each(MOMENTS)('on %s pauses, is answered in another process, and goes on (BEY-33)', async (moment) => {
    const tool = witness('t');
    const { model, seen } = wantsTool();
    const options = { model, tools: [tool], interventions: [asks(moment)] };
    let one = agent(options);
    let result = await one.invoke('go');
    const ids: string[] = [];
    for (; result.stopReason === 'interrupt'; result = await one.invoke([reply(result.interrupts[0], 'yes')])) {
      ids.push(...result.interrupts.map(({ id }) => id));
      expect(result.interrupts).toMatchObject([{ name: 'guard', reason: `May ${moment}?`, source: 'hook' }]);
      one = agent({ ...options, snapshot: JSON.parse(JSON.stringify(one.snapshot())) });
    }

    expect(new Set(ids).size).toBe(QUESTIONS[moment]);
    expect(linesOf(one.messages)).toEqual(WHOLE);
    expect([tool.runs.length, seen.length]).toEqual([1, 2]);
    expect(one.snapshot().state).not.toHaveProperty('interrupts');
    expect(one.snapshot().state).not.toHaveProperty('held');
  });

  it.each(MOMENTS)(
    'on %s goes on from a session that is only added to, result stored once (BEY-33)',
    async (moment) => {
      const tool = witness('t', () => 'x'.repeat(5_000));
      const { model } = wantsTool();
      const session = createMemorySession();
      const make = () => agent({ model, tools: [tool], interventions: [asks(moment)], sessionManager: session });
      let result = await make().invoke('go');
      for (; result.stopReason === 'interrupt'; result = await make().invoke([reply(result.interrupts[0], true)]));

      const { entries } = await session.load('default', 0);
      expect(JSON.stringify(entries).split('x'.repeat(5_000))).toHaveLength(2);
      const again = make();
      await again.initialize();
      expect(linesOf(again.messages)).toEqual(WHOLE);
      expect(tool.runs).toHaveLength(1);
    },
  );

  it.each(MOMENTS)('on %s asks a callback while the run waits (BEY-33)', async (moment) => {
    const extras: MomentExtras[] = [];
    const ask = (_prompt: string, given: MomentExtras) => extras.push(given) > 0;
    const one = agent({ model: wantsTool().model, tools: [witness('t')], interventions: [asks(moment, { ask })] });
    await one.invoke('go');

    expect(linesOf(one.messages)).toEqual(WHOLE);
    expect(extras).toHaveLength(QUESTIONS[moment]);
    expect(new Set(extras.map(({ interruptId }) => interruptId)).size).toBe(QUESTIONS[moment]);
    expect(extras[0]?.toolUse?.name).toBe(moment === 'afterToolCall' ? 't' : undefined);
  });

  it.each<[Moment, Json, string, number]>([
    ['beforeInvocation', 'no', 'CONFIRMATION_FAILED: A person refused this message, so nothing was begun.', 0],
    ['beforeModelCall', 'no', 'CONFIRMATION_FAILED: A person refused this model call, so the model was not asked.', 0],
    ['beforeInvocation', { decision: 'answered', comment: 'Ask Ben.' }, 'Ask Ben.', 0],
    ['beforeModelCall', { decision: 'answered', comment: 'Ask Ben.' }, 'Ask Ben.', 0],
    [
      'beforeModelCall',
      { decision: 'deny', comment: 'too dear' },
      'CONFIRMATION_FAILED: A person refused this model call, so the model was not asked. Their words, quoted: "too dear"',
      0,
    ],
  ])(
    'a no on %s (%j) ends it and says truly what happened (BEY-33)',
    strictly('BEY-23', async (moment, answer, text, calls) => {
      const { model, seen } = wantsTool();
      const one = agent({ model, tools: [witness('t')], interventions: [asks(moment)] });
      const [question] = (await one.invoke('go')).interrupts;
      const result = await one.invoke([reply(question, answer)]);

      expect(result).toMatchObject({ stopReason: 'endTurn', endedBy: { handler: 'guard', text } });
      expect(seen).toHaveLength(calls);
      expect(linesOf(one.messages)).toEqual(['user: go', `assistant: ${text}`]);
    }),
  );

  it.each<[Json, string]>([
    ['no', 'error CONFIRMATION_FAILED: This tool call ran, and a person withheld its result.'],
    [{ decision: 'answered', comment: 'Say 4.' }, 'success Say 4.'],
    [{ decision: 'expired' }, 'error EXPIRED: Nobody answered in time, so the result of this tool call is withheld'],
    [{ decision: 'cancelled' }, 'error CANCELLED: The question was withdrawn, so the result of this tool call is'],
  ])(
    '%j on afterToolCall withholds the result and says that the tool ran (BEY-33)',
    strictly('BEY-23', async (answer, text) => {
      const tool = witness('t', () => 'the secret');
      const { model, seen } = wantsTool();
      const one = agent({ model, tools: [tool], interventions: [asks('afterToolCall')] });
      const [question] = (await one.invoke('go')).interrupts;
      await one.invoke([reply(question, answer)]);

      expect(resultsOf(one.messages)[0]).toContain(`t-1: ${text}`);
      expect(JSON.stringify(one.messages)).not.toContain('the secret');
      expect([tool.runs.length, seen.length]).toEqual([1, 2]);
    }),
  );

  it.each(MOMENTS)('on %s cannot be answered with an edit (BEY-33)', async (moment) => {
    const answers: Json[] = [{ decision: 'approve', editedInput: {} }, 'no'];
    const problems: (string | undefined)[] = [];
    const ask = (_prompt: string, { problem }: MomentExtras) => {
      problems.push(problem);
      return answers.shift() ?? 'no';
    };
    await agent({ model: wantsTool().model, tools: [witness('t')], interventions: [asks(moment, { ask })] }).invoke(
      'go',
    );

    expect(problems.slice(0, 2)).toEqual([undefined, 'Only the input of a tool call can be edited.']);
  });

  it.each(MOMENTS)('on %s ends the run when ask throws, and nothing goes on (BEY-33, A-01)', async (moment) => {
    const { model, seen } = wantsTool();
    const tool = witness('t', () => 'the secret');
    const ask = () => {
      throw new Error('offline');
    };
    const one = agent({ model, tools: [tool], interventions: [asks(moment, { ask })] });

    await expect(one.invoke('go')).rejects.toThrow('offline');
    expect(seen.length).toBe(moment === 'afterToolCall' ? 1 : 0);
    expect(JSON.stringify(one.messages)).not.toContain('the secret');
    expect(resultsOf(one.messages).join()).toBe(
      moment === 'afterToolCall'
        ? 't-1: error This tool call ran, and its result is withheld: no person has said that it may be used. Do not simply call it again.'
        : '',
    );
  });

  it.each(MOMENTS)(
    'on %s says whether its question is open again when the answer cannot be judged (BEY-40)',
    async (moment) => {
      const evaluate = () => {
        throw new Error('odd');
      };
      const made = agent({
        model: scriptedModel([call('t')], 'Done.'),
        tools: [witness('t')],
        interventions: [asks(moment, { evaluate })],
      });
      const { interrupts } = await made.invoke('go');
      const failed = String(await made.invoke([reply(interrupts[0], true)]).catch((error: unknown) => error));

      expect(failed).toContain('guard failed on');
      const isOpen = (await made.interrupts()).length === 1;
      expect(failed.includes('Its question is open again')).toBe(isOpen);
    },
  );

  it('cannot be open on failure (BEY-33, BEY-14)', async () => {
    const open: ConfirmingHandler = { ...asks('afterToolCall'), onError: 'proceed' };
    expect(() => agent({ model: wantsTool().model, interventions: [open] })).toThrow('guard is a gate');

    const broken: ConfirmingHandler = {
      name: 'guard',
      confirmEverywhere: true,
      onError: 'deny',
      afterToolCall: () => {
        throw new Error('no idea');
      },
    };
    const one = agent({ model: wantsTool().model, tools: [witness('t', () => 'the secret')], interventions: [broken] });
    await one.invoke('go');
    expect(resultsOf(one.messages)).toEqual(['t-1: error DENIED: Handler threw: no idea']);
  });

  it('has no meaning after a model call, where nothing can be held back (BEY-33)', async () => {
    const warnings: Warning[] = [];
    const handler = { name: 'guard', confirmEverywhere: true, afterModelCall: () => confirm('?') };
    const one = agent({
      model: wantsTool().model,
      tools: [witness('t')],
      interventions: [handler as unknown as ConfirmingHandler],
      warn: (w) => void warnings.push(w),
    });
    await one.invoke('go');

    expect(warnings).toHaveLength(2);
    expect(linesOf(one.messages)).toEqual(WHOLE);
  });

  it('covers one model call, so a retry is asked about again (BEY-33, BEY-3)', async () => {
    const asked: string[] = [];
    const ask = (_prompt: string, { interruptId }: MomentExtras) => asked.push(interruptId) > 0;
    const hooks = createHookRegistry();
    hooks.addCallback(AfterModelCallEvent, (event) => {
      event.retry = event.attempt === 1;
    });
    const model = scriptedModel('One.', 'Two.');
    const outcome = await loop({ model, hooks, interventions: [asks('beforeModelCall', { ask })] });

    expect(lastText(outcome)).toBe('Two.');
    expect(new Set(asked).size).toBe(2);
  });

  it('asks again about the same words when they are said again (BEY-33, BEY-3)', async () => {
    const one = agent({ model: scriptedModel('Hello.', 'Hello.'), interventions: [asks('beforeInvocation')] });
    const [first] = (await one.invoke('go')).interrupts;
    await one.invoke([reply(first, 'no')]);
    const [second] = (await one.invoke('go')).interrupts;

    expect(second?.id).not.toBe(first?.id);
    await expect(one.invoke([reply(first, 'yes')])).rejects.toThrow('was decided already');
  });

  it('is kept beside advice before a model call, and shows that advice (BEY-33)', async () => {
    const adviser: Handler = { name: 'adviser', beforeModelCall: () => guide('be short') };
    const model = scriptedModel('Yes.');
    const one = agent({ model, interventions: [adviser, asks('beforeModelCall')] });
    const paused = await one.invoke('go');

    expect(paused.interrupts).toHaveLength(1);
    expect(model.requests).toEqual([]);
    await one.invoke([reply(paused.interrupts[0], 'yes')]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('[adviser] be short');
    expect(linesOf(one.messages)).toEqual(['user: go', 'user: [adviser] be short', 'assistant: Yes.']);
  });

  it.each(['a later handler', 'a later callback'])('asks about what %s left (BEY-33, BEY-2)', async (who) => {
    const hooks = createHookRegistry();
    const change = (event: AfterToolCallEvent) => {
      event.result = { ...event.result, content: [{ type: 'text', text: 'short' }] };
    };
    if (who === 'a later callback') hooks.addCallback(AfterToolCallEvent, change);
    const shortens: Handler = { name: 'shortens', afterToolCall: () => transform<AfterToolCallEvent>(change) };
    const guard: ConfirmingHandler = {
      name: 'guard',
      confirmEverywhere: true,
      afterToolCall: ({ result }) => confirm(JSON.stringify(result.content)),
    };
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t', () => 'very long')],
      interventions: who === 'a later handler' ? [guard, shortens] : [guard],
      hooks,
    });

    expect(outcome).toMatchObject({
      type: 'interrupted',
      interrupts: [{ reason: '[{"type":"text","text":"short"}]' }],
    });
  });

  it('stops the run when the input changes while people think (BEY-33, BEY-2)', async () => {
    const hooks = createHookRegistry();
    let shown: AfterToolCallEvent | undefined;
    hooks.addCallback(AfterToolCallEvent, (event) => {
      shown = event;
    });
    const ask = () => {
      if (shown !== undefined) shown.result = { ...shown.result, content: [{ type: 'text', text: 'other' }] };
      return true;
    };
    const tools = [witness('t')];
    const running = loop({
      model: scriptedModel([call('t')]),
      tools,
      hooks,
      interventions: [asks('afterToolCall', { ask })],
    });

    await expect(running).rejects.toThrow('while people were asked about it');
  });

  it('asks no person about a step that does not go on anyway (BEY-33, BEY-15)', async () => {
    const denies: Handler = { name: 'denies', beforeInvocation: () => ({ type: 'deny', reason: 'closed' }) };
    const one = agent({ model: scriptedModel(), interventions: [asks('beforeInvocation'), denies] });
    expect((await one.invoke('go')).endedBy?.text).toBe('DENIED: closed');

    const never: Handler = { name: 'never', beforeToolCall: () => ({ type: 'deny', reason: 'never' }) };
    const { model } = wantsTool();
    const other = agent({ model, tools: [witness('t')], interventions: [asks('afterToolCall'), never] });
    expect((await other.invoke('go')).stopReason).toBe('endTurn');
    expect(resultsOf(other.messages)).toEqual(['t-1: error DENIED: never']);
  });

  it('asks no person about a result that is thrown away (BEY-33)', async () => {
    const asked: string[] = [];
    const tool = witness('t');
    const hooks = createHookRegistry();
    hooks.addCallback(AfterToolCallEvent, (event) => {
      event.retry = event.attempt === 1;
    });
    const ask = (_prompt: string, { interruptId }: MomentExtras) => asked.push(interruptId) > 0;
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [tool],
      hooks,
      interventions: [asks('afterToolCall', { ask })],
    });

    expect([tool.runs.length, asked.length]).toEqual([2, 1]);
  });

  it.each(['concurrent', 'sequential'] as const)(
    'asks about a result and about a call of one batch together (%s) (BEY-33, BEY-16)',
    async (toolExecutor) => {
      const [look, drop] = [witness('look'), witness('drop')];
      const gate = new HumanInTheLoop({ allowedTools: ['look'] });
      const one = agent({
        model: scriptedModel([call('look'), call('drop')], 'Done.'),
        tools: [look, drop],
        interventions: [gate, asks('afterToolCall')],
        toolExecutor,
      });
      const { interrupts } = await one.invoke('go');
      expect(interrupts.map(({ toolUseId }) => toolUseId)).toEqual(['look-1', 'drop-1']);

      const [aboutResult, aboutCall] = interrupts;
      const more = await one.invoke([reply(aboutCall, 'yes')]);
      expect(more.interrupts.map(({ toolUseId }) => toolUseId)).toContain('look-1');
      let result = await one.invoke([reply(aboutResult, 'yes')]);
      while (result.stopReason === 'interrupt') result = await one.invoke([reply(result.interrupts[0], 'yes')]);
      expect([look.runs.length, drop.runs.length]).toEqual([1, 1]);
      expect(resultsOf(one.messages)).toEqual(['look-1: success look is done', 'drop-1: success drop is done']);
    },
  );

  it('refuses what was held when its question is withdrawn, and takes new words (BEY-33)', async () => {
    let asked = 0;
    const guard: ConfirmingHandler = {
      name: 'guard',
      confirmEverywhere: true,
      beforeInvocation: () => (asked++ < 2 ? confirm('Begin?') : proceed()),
    };
    const one = agent({ model: scriptedModel('Hello.'), interventions: [guard] });
    await one.invoke('drop everything');
    await expect(one.invoke('hello')).rejects.toThrow('waits for answers');
    await one.dismiss('not now');
    await one.invoke('hello');

    expect(linesOf(one.messages)).toEqual([
      'user: drop everything',
      'assistant: CANCELLED: The question was withdrawn, so nothing was begun. Cause, quoted: "not now"',
      'user: hello',
      'assistant: Hello.',
    ]);
  });

  it.each(['beforeInvocation', 'beforeModelCall'] as const)(
    'lets no tool be called directly between a question at %s and its answer (BEY-33)',
    async (moment) => {
      const look = witness('look');
      const one = agent({ model: scriptedModel('Hello.'), tools: [look], interventions: [asks(moment)] });
      const { interrupts } = await one.invoke('hello');

      await expect(one.tool.look?.()).rejects.toThrow('waits for answers');
      expect(look.runs).toEqual([]);
      expect(`${await one.invoke([reply(interrupts[0], 'yes')])}`).toBe('Hello.');
    },
  );

  it('leaves nothing of a refused message behind when nothing is to be stored (BEY-33)', async () => {
    const one = agent({
      model: scriptedModel(),
      interventions: [asks('beforeInvocation')],
      deniedInvocation: 'storeNothing',
    });
    const [question] = (await one.invoke('go')).interrupts;
    const result = await one.invoke([reply(question, 'no')]);

    expect(result.endedBy?.handler).toBe('guard');
    expect(one.messages).toEqual([]);
    expect((await one.interrupts()).length).toBe(0);
  });

  it('does not ask again whether to begin when a run resumes after another pause (BEY-33)', async () => {
    let begins = 0;
    const guard: ConfirmingHandler = {
      name: 'guard',
      confirmEverywhere: true,
      beforeInvocation: () => confirm('Begin?', { ask: () => ++begins > 0 }),
    };
    const tool = witness('t');
    const one = agent({ model: wantsTool().model, tools: [tool], interventions: [guard, new HumanInTheLoop()] });
    const [question] = (await one.invoke('go')).interrupts;
    await one.invoke([reply(question, 'yes')]);

    expect([begins, tool.runs.length]).toEqual([1, 1]);
  });

  it.each(['cancelled', 'parked'] as const)(
    'keeps a waiting result from the model when the run is %s (BEY-33)',
    async (reason) => {
      const stop = new AbortController();
      const facts: string[] = [];
      const tool = witness('t', () => 'the secret');
      const outcome = await loop({
        model: scriptedModel([call('t')]),
        tools: [tool],
        signal: stop.signal,
        record: async ({ type }) => void facts.push(type),
        interventions: [
          asks('afterToolCall', {
            ask: () => {
              stop.abort(reason);
              return new Promise(() => {});
            },
          }),
        ],
      });

      expect(outcome).toMatchObject({ type: 'stopped', reason });
      expect(facts).toEqual(['turn', 'started', 'ran', ...(reason === 'cancelled' ? ['result', 'message'] : [])]);
      if (reason === 'cancelled') {
        expect(resultsOf(outcome.state.messages)[0]).toContain('This tool call ran, and its result is withheld');
        return;
      }
      // Parked: it goes on elsewhere, and the tool is not run again.
      const later = await loop({
        model: scriptedModel('Done.'),
        tools: [tool],
        state: JSON.parse(JSON.stringify(outcome.state)),
        interventions: [asks('afterToolCall', { ask: () => true })],
      });
      expect(resultsOf(later.state.messages)).toEqual(['t-1: success the secret']);
      expect(tool.runs).toHaveLength(1);
    },
  );

  it('withholds a result that waits in a direct call, because no person could answer (BEY-33)', async () => {
    const tool = witness('t', () => 'the secret');
    const one = agent({ model: scriptedModel(), tools: [tool], interventions: [asks('afterToolCall')] });
    const result = await one.tool.t?.({});

    expect(result).toMatchObject({
      status: 'error',
      content: [{ text: expect.stringContaining('This tool call ran') }],
    });
    expect(JSON.stringify(one.messages)).not.toContain('the secret');
  });
});

describe('an interrupt outside tool calls', () => {
  it.each([
    ['beforeInvocation', BeforeInvocationEvent],
    ['beforeModelCall', BeforeModelCallEvent],
    ['afterToolCall', AfterToolCallEvent],
  ] as const)('raised on %s by a callback pauses, and returns the answer (BEY-33, I-03)', async (_moment, kind) => {
    const answers: Json[] = [];
    const tool = witness('t');
    const { model, seen } = wantsTool();
    const ask = (event: BeforeInvocationEvent | BeforeModelCallEvent | AfterToolCallEvent) => {
      if (!event.resumed && event.turn > 0 && event.type === 'beforeModelCall') return;
      if (event.type === 'beforeModelCall' && event.turn > 0) return;
      answers.push(event.interrupt({ name: 'colour', reason: 'Which?' }));
    };
    const hooks = [
      {
        registerHooks: ({ addCallback }: ReturnType<typeof createHookRegistry>) =>
          void addCallback<BeforeInvocationEvent | BeforeModelCallEvent | AfterToolCallEvent>(kind, ask),
      },
    ];
    const options = { model, tools: [tool], hooks };
    const first = agent(options);
    const paused = await first.invoke('go');
    expect(paused.interrupts).toMatchObject([{ name: 'colour', reason: 'Which?', source: 'hook' }]);

    const second = new Agent({ ...options, snapshot: JSON.parse(JSON.stringify(first.snapshot())) });
    await second.invoke([reply(paused.interrupts[0], 'blue')]);
    expect(answers).toEqual(['blue']);
    expect(linesOf(second.messages)).toEqual(WHOLE);
    expect([tool.runs.length, seen.length]).toEqual([1, 2]);
  });

  it('is refused after a model call, and about a call that never ran (BEY-33)', async () => {
    const hooks = createHookRegistry();
    hooks.addCallback(AfterModelCallEvent, () => {
      throw new InterruptError([{ id: 'x', name: 'late', source: 'hook' }]);
    });
    await expect(loop({ model: scriptedModel('Hi.'), hooks })).rejects.toThrow('Ask before the model call instead.');

    const other = createHookRegistry();
    other.addCallback(AfterToolCallEvent, (event) => void event.interrupt({ name: 'q' }));
    const unknown = loop({ model: scriptedModel([call('nothing')]), hooks: other, state: { messages: [says('go')] } });
    await expect(unknown).rejects.toThrow('No person can be asked at this moment');
  });
});
