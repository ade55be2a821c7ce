import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import type { StructuredPrompt } from '../../../../app/agent/alone/input/question.ts';
import { STRUCTURED_OUTPUT } from '../../../../app/agent/alone/structured.ts';
import {
  AfterModelCallEvent,
  BeforeToolCallEvent,
  type ConfirmingHandler,
  confirm,
  deny,
  type Handler,
  type HookProvider,
  HumanInTheLoop,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, resultsOf, says, scriptedModel, witness } from '../../../support/scripted-model.ts';

const Person = z.object({ name: z.string(), age: z.number() });
const ada = { name: 'Ada', age: 36 };
const answer = (input: { readonly [key: string]: string | number }, id = 'answer-1') =>
  call(STRUCTURED_OUTPUT, input, id);

describe('structured output', () => {
  it('is the validated object, whether asked for by the agent or by the call, and the call wins (G-09)', async () => {
    const byAgent = agent({ model: scriptedModel([answer(ada)]), structuredOutputSchema: Person });
    const byCall = agent({ model: scriptedModel([answer({ city: 'Paris' })]), structuredOutputSchema: Person });
    const first = await byAgent.invoke('who?');
    const second = await byCall.invoke('where?', { structuredOutputSchema: z.object({ city: z.string() }) });

    expect(first).toMatchObject({ structuredOutput: ada, stopReason: 'endTurn' });
    expect(`${first}`).toBe(JSON.stringify(ada));
    expect(first.endedBy).toBeUndefined();
    expect(second.structuredOutput).toEqual({ city: 'Paris' });
    expectTypeOf(second.structuredOutput).toEqualTypeOf<{ city: string } | undefined>();
  });

  it('forces a second try on a model that answers in words, and drops the words (G-09)', async () => {
    const model = scriptedModel('Ada, I think.', [answer(ada)]);
    const items: string[] = [];
    const made = agent({ model, structuredOutputSchema: Person, callbackHandler: ({ type }) => void items.push(type) });
    const result = await made.invoke('who?');

    expect(result.structuredOutput).toEqual(ada);
    expect(model.requests.map(({ forceTool }) => forceTool)).toEqual([undefined, STRUCTURED_OUTPUT]);
    expect(linesOf(made.messages)).toEqual([
      'user: who?',
      'assistant: [structured_output answer-1]',
      'user: [answer-1 success]',
    ]);
    expect(items).toContain('responseDiscarded');
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

  it('fails when the model answers in words although it was forced (G-09)', async () => {
    const made = agent({ model: scriptedModel('Ada.', 'Ada!'), structuredOutputSchema: Person });

    await expect(made.invoke('who?')).rejects.toThrow('also when it was told not to');
    expect(linesOf(made.messages)).toEqual(['user: who?']);
  });

  it('sends back an answer that does not fit, a limited number of times (G-09)', async () => {
    const bad = (id: string) => [answer({ name: 'Ada' }, id)];
    const twice = agent({ model: scriptedModel(bad('1'), [answer(ada, '2')]), structuredOutputSchema: Person });
    const thrice = agent({ model: scriptedModel(bad('1'), bad('2'), bad('3')), structuredOutputSchema: Person });

    expect((await twice.invoke('who?')).structuredOutput).toEqual(ada);
    expect(resultsOf(twice.messages)[0]).toContain('The input does not fit structured_output');
    await expect(thrice.invoke('who?')).rejects.toThrow('3 times in a shape that does not fit');
  });

  it('is seen by every intervention, and no person is asked about it (G-09, AG-25)', async () => {
    const seen: string[] = [];
    const watching: Handler = {
      name: 'watching',
      beforeToolCall: ({ toolUse }) => {
        seen.push(toolUse.name);
        return { type: 'proceed' };
      },
    };
    const model = () => scriptedModel([answer(ada)], 'Oh.', 'Oh.');
    const gated = agent({
      model: model(),
      structuredOutputSchema: Person,
      interventions: [watching, new HumanInTheLoop()],
    });
    const never: Handler = { name: 'never', beforeToolCall: () => deny('no answers') };
    const denied = agent({ model: model(), structuredOutputSchema: Person, interventions: [never] });

    expect((await gated.invoke('who?')).structuredOutput).toEqual(ada);
    expect(seen).toEqual([STRUCTURED_OUTPUT]);
    await expect(denied.invoke('who?')).rejects.toThrow('also when it was told not to');
    expect(resultsOf(denied.messages)).toEqual(['answer-1: error DENIED: no answers']);
  });

  it('refuses a tool of the same name (G-09)', async () => {
    const cuckoo = { ...witness(STRUCTURED_OUTPUT) };
    const made = agent({ model: scriptedModel([answer(ada)]), tools: [cuckoo], interventions: [new HumanInTheLoop()] });

    expect((await made.invoke('who?')).stopReason).toBe('interrupt');
    expect(cuckoo.runs).toEqual([]);
    await expect(
      agent({ model: scriptedModel(), tools: [cuckoo], structuredOutputSchema: Person }).invoke('who?'),
    ).rejects.toThrow('Two tools are called structured_output');
  });

  it('survives a pause of the call beside it (G-09)', async () => {
    const deploy = witness('deploy');
    const options = { tools: [deploy], interventions: [new HumanInTheLoop()], structuredOutputSchema: Person };
    const before = agent({ ...options, model: scriptedModel([call('deploy'), answer(ada)]) });
    const { interrupts } = await before.invoke('go');
    const after = agent({
      ...options,
      model: scriptedModel(),
      snapshot: JSON.parse(JSON.stringify(before.snapshot())),
    });
    const answers = interrupts.map(({ id }) => ({ interruptResponse: { interruptId: id, response: 'yes' } }));

    expect((await after.invoke(answers)).structuredOutput).toEqual(ada);
    expect(deploy.runs).toHaveLength(1);
  });
});

describe('a separate structured-output call', () => {
  it('asks one forced question, stores nothing and tells no callback (G-09, AG-24)', async () => {
    const model = scriptedModel([answer(ada)]);
    let told = 0;
    const count = () => {
      told += 1;
    };
    const counting: HookProvider = {
      registerHooks: ({ addCallback }) => {
        addCallback(AfterModelCallEvent, count);
        addCallback(BeforeToolCallEvent, count);
      },
    };
    const made = agent({ model, hooks: [counting], tools: [witness('other')] });

    expect(await made.structuredOutput(Person, 'who?')).toEqual(ada);
    expect(model.requests[0]).toMatchObject({ forceTool: STRUCTURED_OUTPUT, tools: [{ name: STRUCTURED_OUTPUT }] });
    expect([made.messages, told]).toEqual([[], 0]);
  });

  it('is about the conversation when nothing is asked, and needs one of the two (G-09, AG-24)', async () => {
    const model = scriptedModel('Ada is 36.', [answer(ada)]);
    const made = agent({ model });
    await expect(made.structuredOutput(Person)).rejects.toThrow('neither a prompt nor a conversation');
    await made.invoke('who?');

    expect(await made.structuredOutput(Person)).toEqual(ada);
    expect(linesOf(model.requests[1]?.messages ?? [])).toEqual(['user: who?', 'assistant: Ada is 36.']);
    expect(made.messages).toHaveLength(2);
  });

  it.each<[string, StructuredPrompt, readonly string[]]>([
    ['a text', 'who?', ['user: who?']],
    [
      'content blocks, as one message',
      [
        { type: 'text', text: 'who' },
        { type: 'text', text: 'else?' },
      ],
      ['user: who else?'],
    ],
    [
      'messages',
      [says('who?'), { role: 'assistant', content: [{ type: 'text', text: 'Guess.' }] }, says('Ada?')],
      ['user: who?', 'assistant: Guess.', 'user: Ada?'],
    ],
    ['nothing', undefined, []],
    ['null', null, []],
  ])(
    'a separate structured-output call asks with %s after the conversation and stores none of it (REF-5, AG-24)',
    async (_form, prompt, lines) => {
      const model = scriptedModel([answer(ada)]);
      const before = [says('hi'), { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] }] as const;
      const made = agent({ model, messages: before });

      expect(await made.structuredOutput(Person, prompt)).toEqual(ada);
      expect(linesOf(model.requests[0]?.messages ?? [])).toEqual(['user: hi', 'assistant: Hello.', ...lines]);
      expect(made.messages).toEqual(before);
    },
  );

  it.each<[string, unknown, string]>([
    ['a number', 7, 'no known form'],
    ['an empty list', [], 'empty list'],
    ['an empty text', ' ', 'empty text'],
    ['answers to questions', [{ interruptResponse: { interruptId: 'i', response: true } }], 'answers to questions'],
  ])(
    'a separate structured-output call refuses %s as a prompt and asks nothing (REF-5, AG-24)',
    async (_what, prompt, problem) => {
      const model = scriptedModel();
      const made = agent({ model, messages: [says('hi')] });

      // It is not of the type, which is what is shown.
      await expect(made.structuredOutput(Person, prompt as StructuredPrompt)).rejects.toThrow(problem);
      expect(model.requests).toEqual([]);
    },
  );

  it('gets one chance to correct a wrong answer (G-09)', async () => {
    const model = scriptedModel([answer({ name: 'Ada' })], [answer(ada)], 'words', [answer({})]);
    const made = agent({ model });

    expect(await made.structuredOutput(Person, 'who?')).toEqual(ada);
    expect(linesOf(model.requests[1]?.messages ?? [])[0]).toContain('expected number');
    await expect(made.structuredOutput(Person, 'who?')).rejects.toThrow('gave no answer that fits');
  });

  it('is refused while the agent is interrupted (G-09)', async () => {
    const made = agent({
      model: scriptedModel([call('t')]),
      tools: [witness('t')],
      interventions: [new HumanInTheLoop()],
    });
    await made.invoke('go');

    await expect(made.structuredOutput(Person, 'who?')).rejects.toThrow('waits for answers');
  });

  it.each(['beforeInvocation', 'beforeModelCall'] as const)(
    'is refused between a question at %s and its answer (G-09, BEY-33)',
    async (moment) => {
      const asks: ConfirmingHandler = { name: 'guard', confirmEverywhere: true, [moment]: () => confirm('Go on?') };
      const model = scriptedModel([answer(ada)]);
      const made = agent({ model, interventions: [asks] });
      await made.invoke('go');

      await expect(made.structuredOutput(Person, 'who?')).rejects.toThrow('waits for answers');
      expect(model.requests).toEqual([]);
    },
  );
});
