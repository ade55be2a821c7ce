import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { STRUCTURED_OUTPUT } from '../../../../../app/agent/alone/structured.ts';
import { AfterToolsEvent } from '../../../../../interventions/index.ts';
import { agent, callbacks } from '../../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../../support/scripted-model.ts';

describe('agent.systemPrompt', () => {
  it('a system prompt goes to the next model call once it is assigned, as text or as blocks (REF-4)', async () => {
    const model = scriptedModel('One.', 'Two.', 'Three.', 'Four.');
    const made = agent({ model, systemPrompt: 'Be brief.' });
    await made.invoke('a');
    made.systemPrompt = 'Be kind.';
    await made.invoke('b');
    made.systemPrompt = [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ];
    expect(made.systemPrompt).toBe('Be brief.\nBe kind.');
    await made.invoke('c');
    made.systemPrompt = undefined;
    await made.invoke('d');

    expect(made.systemPrompt).toBeUndefined();
    expect(model.requests.map(({ system }) => system)).toEqual([
      'Be brief.',
      'Be kind.',
      'Be brief.\nBe kind.',
      undefined,
    ]);
  });

  it('a system prompt goes to the next model call also when a callback assigns it within the invocation (REF-4)', async () => {
    const hooks = callbacks();
    hooks.addCallback(AfterToolsEvent, () => {
      made.systemPrompt = 'Sum up.';
    });
    const model = scriptedModel([call('look')], 'Done.');
    const made = agent({ model, systemPrompt: 'Look first.', tools: [witness('look')], hooks: [hooks] });
    await made.invoke('go');

    expect(model.requests.map(({ system }) => system)).toEqual(['Look first.', 'Sum up.']);
  });

  it('a system prompt goes to a separate structured-output call once it is assigned (REF-4)', async () => {
    const model = scriptedModel([call(STRUCTURED_OUTPUT, { name: 'Ada' })]);
    const made = agent({ model, systemPrompt: 'Be brief.' });
    made.systemPrompt = 'Be exact.';
    await made.structuredOutput(z.object({ name: z.string() }), 'who?');

    expect(model.requests[0]?.system).toBe('Be exact.');
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { text: 'Be brief.' }],
    ['a list of texts', ['Be brief.']],
  ])('a system prompt stays as it was when %s is assigned (REF-4)', (_what, prompt) => {
    const made = agent({ model: scriptedModel(), systemPrompt: 'Be brief.' });

    expect(() => Object.assign(made, { systemPrompt: prompt })).toThrow('Give a text, a list of text blocks');
    expect(made.systemPrompt).toBe('Be brief.');
  });
});
