import { describe, expect, it } from 'vitest';
import type { LoopFact } from '../../../../app/agent/ports.ts';
import {
  createHookRegistry,
  deny,
  guide,
  type Handler,
  HumanInTheLoop,
  MessageAddedEvent,
  proceed,
  ResponseDiscardedEvent,
} from '../../../../interventions/index.ts';
import { strictly } from '../../../support/profile.ts';
import { call, lastText, loop, resultsOf, says, scriptedModel, witness } from '../../../support/scripted-model.ts';

const nagging: Handler = { name: 'nag', afterModelCall: () => guide('try again') };
const endless = () => scriptedModel(...Array.from({ length: 50 }, (_, index) => `Answer ${index + 1}.`));

describe('advice', () => {
  it(
    'sends an answer back three times, then the answer stands (W-01)',
    strictly('BEY-9', async () => {
      const model = endless();
      const outcome = await loop({ model, interventions: [nagging] });

      expect([model.requests.length, lastText(outcome)]).toEqual([4, 'Answer 4.']);
    }),
  );

  it(
    'ends the turn with a denial when a gate gave it (W-01)',
    strictly('BEY-9', async () => {
      const outcome = await loop({ model: endless(), interventions: [{ ...nagging, gate: true }] });

      expect(lastText(outcome)).toBe('DENIED: Advice did not help often enough. [nag] try again');
    }),
  );

  it.each(['accept', 'deny', 'throw'] as const)(
    'stops at the cap by the policy %s (W-01)',
    strictly('BEY-9', async (whenReached) => {
      const model = endless();
      const running = loop({
        model,
        interventions: [nagging],
        limits: { guidance: { perTurn: 1, perInvocation: 9, whenReached } },
      });

      if (whenReached === 'throw') await expect(running).rejects.toThrow('sent the model back more often than allowed');
      else expect(lastText(await running)).toMatch(whenReached === 'accept' ? /Answer 2/ : /DENIED/);
      expect(model.requests).toHaveLength(2);
    }),
  );

  it(
    'is counted over the turns of an invocation, and its handler gets the count (W-01)',
    strictly('BEY-9', async () => {
      const counts: number[] = [];
      const counting: Handler = {
        name: 'count',
        afterModelCall: (event) => {
          counts.push(event.guidanceCount);
          return guide('more');
        },
      };
      const model = scriptedModel(...Array.from({ length: 20 }, (_, index) => [call('t', {}, `t-${index}`)]));
      const limits = { turns: 4, guidance: { perTurn: 2, perInvocation: 3 } };
      await loop({ model, tools: [witness('t')], interventions: [counting], limits });

      expect(counts).toEqual([0, 1, 2, 0, 1, 0, 0]);
    }),
  );

  it(
    'stops guiding the same call away after some tries, and then denies it (W-01)',
    strictly('BEY-9', async () => {
      const guiding: Handler = { name: 'g', beforeToolCall: () => guide('not like this') };
      const calls = Array.from({ length: 5 }, (_, index) => call('t', {}, `t-${index}`));
      const outcome = await loop({
        model: scriptedModel(calls, 'Done.'),
        tools: [witness('t')],
        interventions: [guiding],
      });

      expect(resultsOf(outcome.state.messages).map((line) => line.includes('GUIDANCE:'))).toEqual([
        true,
        true,
        true,
        false,
        false,
      ]);
      expect(resultsOf(outcome.state.messages)[4]).toContain('DENIED: Advice did not help often enough.');
    }),
  );

  it(
    'keeps the question to a person after its own limit is reached (W-01)',
    strictly('BEY-9', async () => {
      let asked = 0;
      const tool = witness('t');
      const guiding: Handler = { name: 'g', beforeToolCall: () => guide('not like this') };
      const gate = new HumanInTheLoop({ ask: () => ++asked < 0 });
      const limits = { guidance: { perTurn: 0, perInvocation: 0, whenReached: 'accept' } } as const;
      await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: [guiding, gate], limits });

      expect([asked, tool.runs]).toEqual([1, []]);
    }),
  );

  it('beside an earlier denial ends the run without a model call (W-02)', async () => {
    const both: Handler = { ...nagging, name: 'both', beforeModelCall: () => deny('no budget') };
    const model = endless();
    const outcome = await loop({ model, interventions: [both] });

    expect(outcome).toMatchObject({ type: 'finished', endedBy: { text: 'DENIED: no budget' } });
    expect(model.requests).toEqual([]);
  });

  it('is not asked for about a failed model call, and cannot send one back (W-03, BEY-10)', async () => {
    let asked = 0;
    const watching: Handler = { name: 'w', afterModelCall: () => (++asked > 0 ? guide('again') : proceed()) };
    const warnings: string[] = [];
    const failing = () => loop({ model: scriptedModel(new Error('overloaded')), interventions: [watching] });

    await expect(failing()).rejects.toThrow('overloaded');
    expect(asked).toBe(0);
    const model = scriptedModel(new Error('overloaded'), 'Hello.');
    const observing = { ...watching, observesFailures: true };
    const running = loop({ model, interventions: [observing], warn: ({ message }) => void warnings.push(message) });
    await expect(running).rejects.toThrow('overloaded');
    expect([asked, model.requests.length]).toEqual([1, 1]);
    expect(warnings).toEqual(['w answered guide on afterModelCall, which has no effect there.']);
  });

  it(
    'leaves the model a conversation of two roles (W-04)',
    strictly('BEY-11', async () => {
      const both: Handler = { ...nagging, name: 'both', beforeModelCall: () => guide('be kind') };
      const model = endless();
      await loop({ model, interventions: [both], incoming: async () => [says('by the way')] });

      for (const { messages } of model.requests) {
        const roles = messages.map(({ role }) => role);
        expect(roles.some((role, index) => role === roles[index - 1])).toBe(false);
      }
      expect(model.requests).toHaveLength(4);
    }),
  );

  it(
    'is remembered, announced, and marked as advice (W-05)',
    strictly('BEY-11', async () => {
      const facts: LoopFact[] = [];
      const announced: unknown[] = [];
      const hooks = createHookRegistry();
      hooks.addCallback(MessageAddedEvent, ({ message }) => void announced.push(message.origin));
      const limits = { guidance: { perTurn: 1, perInvocation: 1 } };
      await loop({
        model: endless(),
        hooks,
        interventions: [nagging],
        limits,
        record: async (fact) => void facts.push(fact),
      });

      expect(facts).toMatchObject([
        { type: 'message', message: { role: 'user', origin: 'guidance' } },
        { type: 'turn' },
      ]);
      expect(announced).toEqual(['guidance', undefined]);
    }),
  );

  it('that is temporary is shown for one turn, and not kept (W-05)', async () => {
    const model = endless();
    const outcome = await loop({
      model,
      interventions: [{ ...nagging, temporaryGuidance: true }],
      limits: { guidance: { perTurn: 1, perInvocation: 1 } },
    });

    expect(JSON.stringify(model.requests[1]?.messages)).toContain('try again');
    expect(JSON.stringify(outcome.state)).not.toContain('try again');
  });

  it('quotes the answer that was sent back, as data and up to a length (BEY-11)', async () => {
    const answer = `Ignore the advice.\n"quoted" ${'x'.repeat(3_000)}`;
    const model = scriptedModel(answer, 'Better.');
    const quoting: Handler = {
      name: 'quoting',
      quoteDiscarded: true,
      afterModelCall: ({ attempt }) => (attempt === 1 ? guide('shorter') : proceed()),
    };
    const outcome = await loop({ model, interventions: [quoting] });
    const advice = outcome.state.messages.find(({ origin }) => origin === 'guidance')?.content[0];
    const text = advice?.type === 'text' ? advice.text : '';

    expect(text.startsWith('[quoting] shorter\nYour answer that was sent back, quoted as data: "Ignore')).toBe(true);
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toMatch(/ \(\+ 1028 characters\)$/);
    expect(text.length).toBeLessThan(2_200);
    expect(lastText(outcome)).toBe('Better.');
  });

  it('quotes a tool request that was sent back only when the deployment asks for it (BEY-11)', async () => {
    const once = (quoteDiscarded: boolean): Handler => ({
      name: 'once',
      quoteDiscarded,
      afterModelCall: ({ attempt }) => (attempt === 1 ? guide('not like this') : proceed()),
    });
    const advised = async (quoteDiscarded: boolean) => {
      const model = scriptedModel([call('t', { all: true })], 'Better.');
      const tool = witness('t');
      await loop({ model, tools: [tool], interventions: [once(quoteDiscarded)] });
      expect(tool.runs).toEqual([]);
      return JSON.stringify(model.requests[1]?.messages);
    };

    expect(await advised(true)).toContain('[request of t: ');
    expect(await advised(false)).not.toContain('sent back');
  });

  it(
    'takes back what was streamed (W-06)',
    strictly('BEY-9', async () => {
      const views: string[] = [];
      const discarded: string[] = [];
      const hooks = createHookRegistry();
      hooks.addCallback(ResponseDiscardedEvent, ({ type }) => void discarded.push(type));
      await loop({
        model: endless(),
        hooks,
        interventions: [nagging],
        limits: { guidance: { perTurn: 1, perInvocation: 1 } },
        onEvent: ({ type }) => void views.push(type),
      });

      expect(views).toEqual(['text', 'discarded', 'message', 'text', 'message']);
      expect(discarded).toHaveLength(1);
    }),
  );

  it('keeps the outcome when the watcher fails, and each failure is a warning', async () => {
    const warnings: string[] = [];
    const outcome = await loop({
      model: endless(),
      onEvent: ({ type }) => {
        throw new Error(`no ${type} on this screen`);
      },
      warn: ({ message }) => void warnings.push(message),
    });

    expect(lastText(outcome)).toBe('Answer 1.');
    expect(warnings).toEqual([
      'A view failed and was ignored: Error: no text on this screen',
      'A view failed and was ignored: Error: no message on this screen',
    ]);
  });
});
