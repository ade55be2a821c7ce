import { describe, expect, it } from 'vitest';
import {
  AbortedError,
  AfterInvocationEvent,
  BeforeToolCallEvent,
  confirm,
  createHookRegistry,
  HandlerFailureError,
  HumanInTheLoop,
} from '../../interventions/index.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

const noText: readonly [string, unknown][] = [
  ['null', null],
  ['nothing', undefined],
  ['a symbol', Symbol('s')],
  ['an object without a prototype', Object.create(null)],
  ['a function without a prototype', Object.setPrototypeOf(() => {}, null)],
  ['an object whose text cannot be made', { toString: () => expect.unreachable() }],
  ['an error whose message is no text', Object.assign(new Error(), { message: Object.create(null) })],
];

type Options = Partial<Parameters<typeof loop>[0]>;

function run(options: Options) {
  const audit = () => {};
  return loop({ model: scriptedModel([call('t')], 'Done.'), tools: [witness('t')], audit, ...options });
}

function hooksThat(thrown: unknown, type: Parameters<ReturnType<typeof createHookRegistry>['addCallback']>[0]) {
  const hooks = createHookRegistry();
  hooks.addCallback(type, () => {
    throw thrown;
  });
  return hooks;
}

describe.each(noText)('when code throws %s,', (_what, thrown) => {
  const fails = (): never => {
    throw thrown;
  };

  it.each<[string, Options]>([
    ['in a handler', { interventions: [{ name: 'h', beforeToolCall: fails }] }],
    ['in the callback that asks', { interventions: [new HumanInTheLoop({ ask: fails })] }],
    [
      'in a handler, and again in a callback at the end',
      { interventions: [{ name: 'h', beforeToolCall: fails }], hooks: hooksThat(thrown, AfterInvocationEvent) },
    ],
  ])('%s, the failure says which handler it was and has the cause (BEY-40)', async (_where, options) => {
    const failure: unknown = await run(options).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(HandlerFailureError);
    expect(Reflect.get(Object(failure), 'cause')).toBe(thrown);
  });

  it.each<[string, Options]>([
    ['a handler', { interventions: [{ name: 'h', onError: 'deny', beforeToolCall: fails }] }],
    [
      'an evaluator',
      {
        interventions: [
          {
            name: 'h',
            onError: 'deny',
            beforeToolCall: () => confirm('?', { response: 'yes', evaluate: fails }),
          },
        ],
      },
    ],
  ])('in %s that denies when it fails, the call is denied and the run goes on (BEY-40)', async (_where, options) => {
    const { type, state } = await run(options);

    expect(type).toBe('finished');
    expect(resultsOf(state.messages)[0]).toMatch(/^t-1: error DENIED: Handler threw: ./);
  });

  it('in a tool, the model is told and the run goes on (BEY-40)', async () => {
    const { type, state } = await run({ tools: [witness('t', fails)] });

    expect(type).toBe('finished');
    expect(resultsOf(state.messages)[0]).toMatch(/^t-1: error ./);
  });

  it.each<[string, Options]>([
    ['a classifier', { interventions: [new HumanInTheLoop({ classifier: fails, ask: () => true })] }],
    ['a view', { onEvent: fails }],
  ])('in %s, the run goes on (BEY-40)', async (_where, options) => {
    expect(await run(options)).toMatchObject({ type: 'finished' });
  });

  it.each<[string, Options]>([
    ['the model', { model: fails }],
    ['a callback', { hooks: hooksThat(thrown, BeforeToolCallEvent) }],
  ])('in %s, the caller gets what was thrown (BEY-40)', async (_where, options) => {
    const failure: unknown = await run(options).catch((error: unknown) => error);

    expect(failure).toBe(thrown);
  });

  it('to give a run up, the error of the run has it as its reason (BEY-40)', () => {
    expect(new AbortedError(thrown).reason).toBe(thrown);
  });
});
