import { describe, expect, it } from 'vitest';
import type { LoopTool } from '../../../../app/agent/ports.ts';
import {
  BeforeToolCallEvent,
  canonical,
  type Handler,
  HumanInTheLoop,
  type Json,
  transform,
} from '../../../../interventions/index.ts';
import { agent, callbacks } from '../../../support/agent.ts';
import { strictly } from '../../../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, sha256, witness } from '../../../support/scripted-model.ts';

/** A tool whose schema fills in what the model left out. */
const deploy = () => {
  const tool = witness('deploy');
  const parse: LoopTool['parse'] = (input) => ({
    ok: true,
    input: { environment: 'staging', ...(typeof input === 'object' && !Array.isArray(input) ? input : {}) },
  });
  return { ...tool, parse };
};

describe('an input that the tool completes', () => {
  it('is shown, digested and run as completed, not as the model wrote it (P18)', async () => {
    const tool = deploy();
    const shown: { input: Json; digest: string }[] = [];
    const gate = new HumanInTheLoop({
      ask: (_prompt, { toolUse, digest }) => {
        shown.push({ input: toolUse.input, digest });
        return true;
      },
    });
    const ranWith: string[] = [];
    const run: LoopTool['run'] = (input, context) => {
      ranWith.push(context.digest);
      return tool.run(input, context);
    };

    await loop({
      model: scriptedModel([call('deploy', { version: 2 })], 'Done.'),
      tools: [{ ...tool, run }],
      interventions: [gate],
    });

    const completed = { environment: 'staging', version: 2 };
    expect(shown.map(({ input }) => input)).toEqual([completed]);
    expect(tool.runs).toEqual([completed]);
    expect(ranWith).toEqual(shown.map(({ digest }) => digest));
    expect(ranWith).toEqual([sha256('{"input":{"environment":"staging","version":2},"tool":"deploy"}')]);
  });

  it(
    'is judged again when an intervention makes it incomplete',
    strictly('BEY-15', async () => {
      const tool = deploy();
      const asked: Json[] = [];
      const forgetful: Handler = {
        name: 'forgetful',
        beforeToolCall: (event) =>
          transform(() => {
            if (event.toolUse.input !== null) event.toolUse = { ...event.toolUse, input: { version: 3 } };
          }),
      };
      const gate = new HumanInTheLoop({
        ask: (_prompt, { toolUse }) => {
          asked.push(toolUse.input);
          return true;
        },
      });

      const outcome = await loop({
        model: scriptedModel([call('deploy', {})], 'Done.'),
        tools: [tool],
        interventions: [forgetful, gate],
      });

      // It keeps undoing the completion, so no person is asked about an input that would not run.
      expect(asked).toEqual([]);
      expect(tool.runs).toEqual([]);
      expect(resultsOf(outcome.state.messages)[0]).toMatch(/kept changing/);
    }),
  );

  it('leaves no question about the input before, which a callback asked (BEY-17)', async () => {
    const forgetful: Handler = {
      name: 'forgetful',
      beforeToolCall: (event) =>
        transform(() => {
          if (canonical(event.toolUse.input).includes('version')) event.toolUse = { ...event.toolUse, input: {} };
        }),
    };
    const hooks = callbacks();
    hooks.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'q' }));
    const model = scriptedModel([call('deploy', { version: 2 })]);
    const one = agent({ model, tools: [deploy()], interventions: [forgetful], hooks: [hooks] });
    const { interrupts } = await one.invoke('go');

    expect(interrupts).toHaveLength(1);
    expect(await one.interrupts()).toEqual(interrupts);
  });
});
