import { describe, expect, it } from 'vitest';
import type { LoopFact } from '../../../../app/agent/ports.ts';
import { GateChangedError, HumanInTheLoop } from '../../../../interventions/index.ts';
import { strictly } from '../../../support/profile.ts';
import { call, deferred, lastText, loop, resultsOf, scriptedModel, witness } from '../../../support/scripted-model.ts';

describe('the loop', () => {
  it('answers without tools', async () => {
    const outcome = await loop({ model: scriptedModel('Hello.') });

    expect(outcome).toMatchObject({ type: 'finished', stopReason: 'endTurn' });
    expect(lastText(outcome)).toBe('Hello.');
  });

  it('runs a free tool and goes on with its result', async () => {
    const look = witness('look');
    const model = scriptedModel([call('look', { at: 'it' })], 'Seen.');
    const outcome = await loop({ model, tools: [look] });

    expect(look.runs).toEqual([{ at: 'it' }]);
    expect(resultsOf(outcome.state.messages)).toEqual(['look-1: success look is done']);
    expect(lastText(outcome)).toBe('Seen.');
  });

  it.each<[unknown, string]>([
    [undefined, 'no result.'],
    [null, 'no result.'],
    [42, 'a result that is neither a text nor a list of blocks.'],
    [{ a: 1 }, 'a result that is neither a text nor a list of blocks.'],
    [['done'], 'a result that is neither a text nor a list of blocks.'],
    [[null], 'a result that is neither a text nor a list of blocks.'],
    [[{ type: 'text', text: 1 }], 'a result that is neither a text nor a list of blocks.'],
    [[{ type: 'image', mediaType: 'image/png' }], 'a result that is neither a text nor a list of blocks.'],
    [[{ type: 'thinking', base64: '' }], 'a result that is neither a text nor a list of blocks.'],
    [[{ type: 'text' }], 'a result that is neither a text nor a list of blocks.'],
  ])('tells the model when a tool returned something that cannot be shown (%j) (AG-12)', async (given, what) => {
    // The types forbid it; a tool in plain JavaScript can still do it.
    const tool = witness('t', () => given as string);
    const outcome = await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool] });

    expect(outcome.type).toBe('finished');
    expect(resultsOf(outcome.state.messages)).toEqual([`t-1: error The tool gave ${what}`]);
  });

  it('shows the model texts, pictures and documents as a tool gave them', async () => {
    const content = [
      { type: 'text', text: 'Here.' },
      { type: 'image', mediaType: 'image/png', base64: 'iVBO' },
      { type: 'document', mediaType: 'application/pdf', base64: 'JVBE' },
    ] as const;
    const tool = { ...witness('t'), run: async () => content };
    const outcome = await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool] });

    expect(outcome.state.messages.at(-2)?.content).toEqual([
      { type: 'toolResult', toolUseId: 't-1', status: 'success', content },
    ]);
  });

  it('runs a gated tool only after a person said yes', async () => {
    const deploy = witness('deploy');
    const answer = deferred<boolean>();
    const gate = new HumanInTheLoop({ ask: () => answer.promise });
    const running = loop({ model: scriptedModel([call('deploy')], 'Done.'), tools: [deploy], interventions: [gate] });
    await new Promise(setImmediate);

    expect(deploy.runs).toEqual([]);
    answer.resolve(true);
    expect(lastText(await running)).toBe('Done.');
    expect(deploy.runs).toHaveLength(1);
  });

  it.each([
    [
      { decision: 'deny', comment: 'not on Friday' },
      'CONFIRMATION_FAILED: A person refused this tool call. Their words, quoted: "not on Friday"',
    ],
    [
      { decision: 'expired' },
      'EXPIRED: Nobody answered in time, so this tool call did not run. This is not a refusal: no person has decided.',
    ],
    [
      { decision: 'cancelled', comment: 'stopped' },
      'CANCELLED: The question was withdrawn, so this tool call did not run. Cause, quoted: "stopped"',
    ],
    [undefined, 'DENIED: The approval callback gave no response for the tool "deploy", which counts as a no.'],
  ])('tells the model how the question ended: %j (P60, P62)', async (answer, text) => {
    const deploy = witness('deploy');
    const gate = new HumanInTheLoop({ ask: () => answer });
    const outcome = await loop({
      model: scriptedModel([call('deploy')], 'I see.'),
      tools: [deploy],
      interventions: [gate],
    });

    expect(resultsOf(outcome.state.messages)).toEqual([`deploy-1: error ${text}`]);
    expect(deploy.runs).toEqual([]);
  });

  it('takes an answer in words as the result of the tool', async () => {
    const gate = new HumanInTheLoop({ ask: () => ({ decision: 'answered', comment: 'It is 42.' }) });
    const tool = witness('ask_person');
    const outcome = await loop({
      model: scriptedModel([call('ask_person')], 'Thanks.'),
      tools: [tool],
      interventions: [gate],
    });

    expect(resultsOf(outcome.state.messages)).toEqual(['ask_person-1: success It is 42.']);
    expect(tool.runs).toEqual([]);
  });

  it('asks about all calls of an answer at once, and free ones do not wait', async () => {
    const answers = { a: deferred<boolean>(), b: deferred<boolean>() };
    const asked: string[] = [];
    const free = witness('free');
    const gate = new HumanInTheLoop({
      allowedTools: ['free'],
      ask: (_prompt, { toolUse }) => {
        asked.push(toolUse.name);
        return toolUse.name === 'a' ? answers.a.promise : answers.b.promise;
      },
    });
    const model = scriptedModel([call('a'), call('b'), call('free')], 'Done.');
    const running = loop({ model, tools: [witness('a'), witness('b'), free], interventions: [gate] });
    await new Promise(setImmediate);

    expect(asked).toEqual(['a', 'b']);
    expect(free.runs).toHaveLength(1);
    answers.b.resolve(true);
    answers.a.resolve(false);
    expect(resultsOf((await running).state.messages).map((line) => line.slice(0, 12))).toEqual([
      'a-1: error C',
      'b-1: success',
      'free-1: succ',
    ]);
  });

  it('ends a parked wait silently', async () => {
    const facts: LoopFact['type'][] = [];
    const controller = new AbortController();
    const gate = new HumanInTheLoop({ ask: () => new Promise(() => {}), askTimeoutMs: null });
    const running = loop({
      model: scriptedModel([call('deploy')]),
      tools: [witness('deploy')],
      interventions: [gate],
      signal: controller.signal,
      record: async ({ type }) => void facts.push(type),
    });
    await new Promise(setImmediate);
    controller.abort('parked');

    expect(await running).toMatchObject({ type: 'stopped', reason: 'parked', state: { pending: { results: [] } } });
    expect(facts).toEqual(['turn']);
  });

  it('goes on with a pending turn without asking the model for it again (P7b)', async () => {
    const [one, two] = [witness('one'), witness('two')];
    const model = scriptedModel('Done.');
    const outcome = await loop({
      model,
      tools: [one, two],
      state: {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
        pending: {
          message: { role: 'assistant', content: [call('one'), call('two')] },
          results: [
            { type: 'toolResult', toolUseId: 'one-1', status: 'success', content: [{ type: 'text', text: 'kept' }] },
          ],
        },
      },
    });

    expect([one.runs.length, two.runs.length, model.requests.length]).toEqual([0, 1, 1]);
    expect(resultsOf(outcome.state.messages)).toEqual(['one-1: success kept', 'two-1: success two is done']);
  });

  it('judges a call again, without its trust, when that trust is gone', async () => {
    let starts = 0;
    const asked: string[] = [];
    const deploy = witness('deploy', () => {
      starts += 1;
      if (starts === 1) throw new GateChangedError('Trust was revoked.');
      return 'deployed';
    });
    const gate = new HumanInTheLoop({
      isTrusted: () => true,
      ask: (_prompt, { toolUse }) => {
        asked.push(toolUse.name);
        return true;
      },
    });
    const outcome = await loop({
      model: scriptedModel([call('deploy')], 'Done.'),
      tools: [deploy],
      interventions: [gate],
    });

    expect(asked).toEqual(['deploy']);
    expect(resultsOf(outcome.state.messages)).toEqual(['deploy-1: success deployed']);
  });

  it.each([
    ['an unknown tool', [call('nothing')], 'nothing-1: error There is no tool called "nothing".'],
    ['an input that does not fit', [call('picky', { bad: true })], 'picky-1: error The input does not fit picky: bad'],
  ])(
    'asks no person about %s (FM4)',
    strictly('BEY-15', async (_what, calls, result) => {
      const picky = { ...witness('picky'), parse: () => ({ ok: false as const, problem: 'bad' }) };
      let asked = 0;
      const gate = new HumanInTheLoop({ ask: () => ++asked > 0 });
      const outcome = await loop({ model: scriptedModel(calls, 'I see.'), tools: [picky], interventions: [gate] });

      expect(asked).toBe(0);
      expect(resultsOf(outcome.state.messages)).toEqual([result]);
    }),
  );

  it('refuses two calls with one id, and more calls than fit (FM4, T20)', async () => {
    const tool = witness('t');
    const many = Array.from({ length: 61 }, (_, index) => call('t', {}, `id-${index}`));
    const twice = await loop({ model: scriptedModel([call('t'), call('t')], 'Oh.'), tools: [tool] });
    const crowd = await loop({ model: scriptedModel(many, 'Oh.'), tools: [tool] });

    expect(resultsOf(twice.state.messages)[0]).toBe(
      't-1: error Two calls of this answer have the same id, so neither ran.',
    );
    expect(resultsOf(crowd.state.messages).at(-1)).toContain('error Only 60 tool calls fit in one answer');
    expect(tool.runs).toHaveLength(60);
  });
});
