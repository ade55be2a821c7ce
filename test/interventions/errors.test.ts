import { describe, expect, it } from 'vitest';
import * as library from '../../interventions/index.ts';
import { call, loop, scriptedModel, witness } from '../support/scripted-model.ts';

const { InterventionError, InterruptedStateError, ConfigurationError, confirm, transform } = library;
type Handler = library.Handler;
const kinds = Object.entries(library).filter(([name]) => name.endsWith('Error') && name !== 'InterventionError');

describe('an error of this library', () => {
  it.each(kinds)('is caught by one base class: %s (BEY-40)', (_name, kind) => {
    const error: unknown = Object.create(Reflect.get(Object(kind), 'prototype'));

    expect(error).toBeInstanceOf(InterventionError);
    expect(error).toBeInstanceOf(Error);
  });

  it('is distinguished by its kind (BEY-40)', () => {
    const waits = new InterruptedStateError('Answer first.');

    expect(waits).toBeInstanceOf(TypeError);
    expect(waits).not.toBeInstanceOf(ConfigurationError);
    expect(new ConfigurationError('No.')).not.toBeInstanceOf(InterruptedStateError);
    for (const other of [new TypeError('No.'), new Error('No.'), null, 'InterventionError']) {
      expect(other).not.toBeInstanceOf(InterventionError);
    }
  });

  const boom = new TypeError('boom');
  const fails = () => {
    throw boom;
  };
  it.each<[string, Handler, string]>([
    ['a handler that throws', { name: 'h', beforeToolCall: fails }, 'beforeToolCall'],
    ['a handler that rejects', { name: 'h', beforeModelCall: () => Promise.reject(boom) }, 'beforeModelCall'],
    ['a handler after the model', { name: 'h', onError: 'throw', afterModelCall: fails }, 'afterModelCall'],
    ['a change that throws', { name: 'h', afterToolCall: () => transform(fails) }, 'afterToolCall'],
    [
      'an evaluator that throws',
      { name: 'h', beforeToolCall: () => confirm('Run it?', { response: true, evaluate: fails }) },
      'beforeToolCall',
    ],
    [
      'a question that throws',
      { name: 'h', beforeToolCall: () => confirm('Run it?', { ask: fails }) },
      'beforeToolCall',
    ],
  ])('names the handler and the event of %s, with the cause (REF-16, BEY-40)', async (_what, handler, event) => {
    const tool = witness('t');
    const running = loop({ model: scriptedModel([call('t')]), tools: [tool], interventions: [handler] });

    const error: unknown = await running.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(library.HandlerFailureError);
    expect(error).toMatchObject({ handler: 'h', event, cause: boom });
    expect(String(error)).toContain(
      `h failed on ${event}, which ends the invocation because its onError is throw. Mend the handler, or set its onError to deny. The cause: boom`,
    );
    expect(event === 'afterToolCall' ? 1 : 0).toBe(tool.runs.length);
  });

  it('names the handler once when the failure already names it (REF-16, BEY-40)', async () => {
    // @ts-expect-error nothing is not an action
    const empty: Handler = { name: 'empty', beforeToolCall: () => undefined };
    const running = loop({ model: scriptedModel([call('t')]), tools: [witness('t')], interventions: [empty] });

    await expect(running).rejects.toThrow(/^empty\.beforeToolCall returned no action/);
  });
});

describe('a mistake in the use of the library', () => {
  const tool = { ...witness('deploy'), uses: 1n };
  Object.assign(tool, { self: tool });
  const open = { id: 'one', name: 'one', source: 'hook' } as const;
  const answer = (blocks: unknown) =>
    library.applyAnswers(blocks as library.InterruptResponseBlock[], { interrupts: [open], spent: [], nowMs: 0 });
  const gate = (options: object) => new library.HumanInTheLoop(options);
  const pipeline = (handlers: unknown) =>
    library.createPipeline({ handlers: handlers as Handler[], timers: { after: () => () => {} } });

  it.each<[string, () => unknown, string]>([
    ['tools in place of their names', () => gate({ allowedTools: [tool] }), "Write ['name']."],
    ['a number in place of a name', () => gate({ allowedTools: [1n] }), "[#1n] is not. Write ['name']."],
    ['a tool in place of a reaction', () => gate({ reactions: { denied: tool } }), "Use { type: 'continue' }"],
    ['one handler in place of a list', () => pipeline(tool), 'Put the handlers into one: [handler].'],
    ['a list of nothing', () => pipeline(undefined), 'Put the handlers into one: [handler].'],
    ['an answer without its frame', () => answer([{ interruptId: 'one', response: true }]), 'Give a list of { int'],
    [
      'an answer that is nothing',
      () => answer([null]),
      'Give a list of { interruptResponse: { interruptId, response } }.',
    ],
    [
      'an answer without an id',
      () => answer([{ interruptResponse: { response: true } }]),
      'Give a list of { interruptR',
    ],
    [
      'one answer in place of a list',
      () => answer({ interruptResponse: { interruptId: 'one' } }),
      'Give a list of { int',
    ],
  ])('is refused with what to do: %s (BEY-40, BEY-41)', (_what, mistake, message) => {
    expect(mistake).toThrow(InterventionError);
    expect(mistake).toThrow(message);
  });
});
