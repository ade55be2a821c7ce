import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  BeforeToolCallEvent,
  ConcurrencyError,
  confirm,
  createAuditLog,
  deny,
  type Handler,
  HumanInTheLoop,
  InterruptedStateError,
} from '../../../../interventions/index.ts';
import { agent, linesOf } from '../../../support/agent.ts';
import { call, deferred, resultsOf, scriptedModel, sha256, witness } from '../../../support/scripted-model.ts';

describe('a direct tool call', () => {
  it('runs a tool without the model, and is written down as an exchange (G-08)', async () => {
    const look = witness('look');
    const added: string[] = [];
    const made = agent({
      model: scriptedModel(),
      tools: [look],
      callbackHandler: (item) => void (item.type === 'messageAdded' && added.push(item.type)),
    });
    const result = await made.tool.look?.({ at: 'it' });

    expect(look.runs).toEqual([{ at: 'it' }]);
    expect(result).toMatchObject({ status: 'success', content: [{ type: 'text', text: 'look is done' }] });
    expect(linesOf(made.messages).map((line) => line.replaceAll(/direct-[\w-]+/g, 'ID'))).toEqual([
      'user: The tool look is called directly, with this input: {"at":"it"}',
      'assistant: [look ID]',
      'user: [ID success]',
      'assistant: The tool look was called.',
    ]);
  });

  it('leaves no trace when the agent or the call asks for none (G-08)', async () => {
    const quiet = agent({ model: scriptedModel(), tools: [witness('look')], recordDirectToolCall: false });
    const loud = agent({ model: scriptedModel(), tools: [witness('look')] });
    await quiet.tool.look?.();
    await loud.tool.look?.({}, { record: false });

    expect([quiet.messages, loud.messages]).toEqual([[], []]);
    await quiet.tool.look?.({}, { record: true });
    expect(quiet.messages).toHaveLength(4);
  });

  it('keeps nothing of itself on the signal of its caller, recorded or not (G-08)', async () => {
    const made = agent({ model: scriptedModel(), tools: [witness('look')] });
    const { signal } = new AbortController();
    await made.tool.look?.({}, { record: false, signal });
    await made.tool.look?.({}, { record: true, signal });

    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('finds a name with hyphens, and refuses an unknown or ambiguous one (G-08)', async () => {
    const made = agent({ model: scriptedModel(), tools: [witness('look-up'), witness('a-b_c'), witness('a_b-c')] });

    expect(await made.tool.look_up?.()).toMatchObject({ status: 'success' });
    await expect(made.tool.nothing?.()).rejects.toThrow('There is no tool called "nothing". There are: look-up');
    await expect(made.tool.a_b_c?.()).rejects.toThrow('could be a-b_c or a_b-c');
  });

  it('passes callbacks and handlers, which see that it is direct (G-08, BEY-25)', async () => {
    const modes: string[] = [];
    const lock: Handler = {
      name: 'lock',
      beforeToolCall: (event) => {
        modes.push(event.mode);
        return deny('locked');
      },
    };
    const look = witness('look');
    const warnings: string[] = [];
    const log = createAuditLog({ hash: sha256 });
    const made = agent({
      model: scriptedModel(),
      tools: [look],
      interventions: [lock],
      audit: log.sink,
      warn: ({ message }) => void warnings.push(message),
      hooks: [
        {
          registerHooks: ({ addCallback }) =>
            void addCallback(BeforeToolCallEvent, ({ mode }) => void modes.push(mode)),
        },
      ],
    });
    const result = await made.tool.look?.();

    expect(result).toMatchObject({ status: 'error', content: [{ text: 'DENIED: locked' }] });
    expect(modes).toEqual(['direct', 'direct']);
    expect(look.runs).toEqual([]);
    await made.tool.look?.({}, { unguarded: true });
    expect(look.runs).toHaveLength(1);
    expect(warnings).toEqual(['look was called past all interventions, as its caller asked for.']);
    expect(log.records().find(({ kind }) => kind === 'warning')).toMatchObject({ reason: warnings[0] });
  });

  it('waits for a person who is asked inline, and cannot pause (G-08)', async () => {
    const deploy = witness('deploy');
    const asked: string[] = [];
    const inline = new HumanInTheLoop({
      ask: (_prompt, { toolUse }) => {
        asked.push(toolUse.name);
        return asked.length > 1;
      },
    });
    const made = agent({ model: scriptedModel(), tools: [deploy], interventions: [inline] });
    const pausing = agent({ model: scriptedModel(), tools: [deploy], interventions: [new HumanInTheLoop()] });

    expect(await made.tool.deploy?.({ to: 1 })).toMatchObject({ status: 'error' });
    expect(await made.tool.deploy?.({ to: 1 })).toMatchObject({ status: 'success' });
    await expect(pausing.tool.deploy?.()).rejects.toThrow('a direct call cannot wait for one');
    expect(asked).toEqual(['deploy', 'deploy']);
    expect(deploy.runs).toHaveLength(1);
    expect(pausing.messages).toEqual([]);
  });

  it('keeps nothing of a settled question on the signal of its run (G-08)', async () => {
    const signals: AbortSignal[] = [];
    const inline = new HumanInTheLoop({ ask: () => true });
    const made = agent({ model: scriptedModel(), tools: [witness('deploy')], interventions: [inline] });
    made.hooks.addCallback(BeforeToolCallEvent, ({ signal }) => void signals.push(signal));
    await made.tool.deploy?.();

    expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[]]);
  });

  it('is refused while the agent is interrupted (G-08)', async () => {
    const gate: Handler = {
      name: 'gate',
      beforeToolCall: ({ toolUse }) => (toolUse.name === 'deploy' ? confirm('Deploy?') : { type: 'proceed' }),
    };
    const look = witness('look');
    const made = agent({
      model: scriptedModel([call('deploy')]),
      tools: [witness('deploy'), look],
      interventions: [gate],
    });
    await made.invoke('go');

    await expect(made.tool.look?.()).rejects.toThrow(InterruptedStateError);
    await expect(made.tool.look?.({}, { record: false })).rejects.toThrow(InterruptedStateError);
    expect(look.runs).toEqual([]);
  });

  it('is refused while the agent is busy, unless it leaves no trace (G-08)', async () => {
    const answer = deferred<string>();
    const look = witness('look');
    const made = agent({
      model: async () => {
        await answer.promise;
        return scriptedModel('Done.')(
          { system: undefined, messages: [], tools: [] },
          { signal: new AbortController().signal, onText: () => {} },
        );
      },
      tools: [look],
    });
    const running = made.invoke('go');
    await new Promise(setImmediate);

    await expect(made.tool.look?.()).rejects.toThrow(ConcurrencyError);
    expect(await made.tool.look?.({}, { record: false })).toMatchObject({ status: 'success' });
    answer.resolve('');
    await running;
    expect(linesOf(made.messages)).toEqual(['user: go', 'assistant: Done.']);
  });

  it('reports what a tool throws in the result, and can be cancelled', async () => {
    const broken = witness('broken', () => {
      throw new Error('no disk');
    });
    const made = agent({ model: scriptedModel(), tools: [broken] });

    expect(await made.tool.broken?.()).toMatchObject({ status: 'error', content: [{ text: 'no disk' }] });
    await expect(made.tool.broken?.({}, { signal: AbortSignal.abort() })).rejects.toThrow('given up');
    expect(broken.runs).toHaveLength(1);
    expect(resultsOf(made.messages)).toHaveLength(1);
  });
});
