import { describe, expectTypeOf, it } from 'vitest';
import {
  type Action,
  type AfterModelCallEvent,
  type AfterToolCallEvent,
  type AnyHandler,
  type AskExtras,
  type Awaitable,
  type BeforeInvocationEvent,
  type BeforeModelCallEvent,
  type BeforeToolCallEvent,
  type Confirm,
  confirm,
  type Deny,
  deny,
  type Guide,
  guide,
  type Handler,
  type HumanInTheLoopOptions,
  type ModelSteeringAction,
  type MomentExtras,
  type Proceed,
  type SteeringGuide,
  type SteeringHandler,
  type SteeringInterrupt,
  type SteeringProceed,
  type ToolSteeringAction,
  type Transform,
} from '../../interventions/index.ts';

type Answers<Method extends keyof Handler> = ReturnType<Extract<Handler[Method], (event: never) => unknown>>;

describe('the types', () => {
  it('offer each moment only the answers that it can use', () => {
    expectTypeOf<Answers<'beforeInvocation'>>().toEqualTypeOf<
      Awaitable<Proceed | Deny | Guide | Transform<BeforeInvocationEvent>>
    >();
    expectTypeOf<Answers<'beforeToolCall'>>().toEqualTypeOf<
      Awaitable<Proceed | Deny | Guide | Confirm | Transform<BeforeToolCallEvent>>
    >();
    expectTypeOf<Answers<'afterToolCall'>>().toEqualTypeOf<Awaitable<Proceed | Transform<AfterToolCallEvent>>>();
    expectTypeOf<Answers<'beforeModelCall'>>().toEqualTypeOf<
      Awaitable<Proceed | Deny | Guide | Transform<BeforeModelCallEvent>>
    >();
    expectTypeOf<Answers<'afterModelCall'>>().toEqualTypeOf<
      Awaitable<Proceed | Guide | Transform<AfterModelCallEvent>>
    >();
  });

  it('refuse all other answers', () => {
    // @ts-expect-error only a tool call can be confirmed
    const inBefore: Handler = { name: 'h', beforeInvocation: () => confirm('?') };
    // @ts-expect-error only a tool call can be confirmed
    const inModel: Handler = { name: 'h', beforeModelCall: () => confirm('?') };
    // @ts-expect-error the tool has run already
    const denied: Handler = { name: 'h', afterToolCall: () => deny('late') };
    // @ts-expect-error the result is there already
    const guided: Handler = { name: 'h', afterToolCall: () => guide('late') };
    // @ts-expect-error the answer is there already
    const answered: Handler = { name: 'h', afterModelCall: () => deny('late') };
    // @ts-expect-error nothing is not an action
    const silent: Handler = { name: 'h', beforeToolCall: () => {} };

    expectTypeOf([inBefore, inModel, denied, guided, answered, silent]).items.toExtend<Handler>();
  });

  it('let only a handler that opts in ask a person elsewhere (BEY-33)', () => {
    const chosen: AnyHandler = {
      name: 'h',
      confirmEverywhere: true,
      beforeInvocation: () => confirm('?', { ask: (_prompt, { signal }) => signal.aborted }),
      beforeModelCall: () => confirm('?'),
      afterToolCall: () => confirm('?', { ask: (_prompt, { toolUse }) => toolUse.name }),
    };
    // @ts-expect-error nothing was chosen
    const silent: AnyHandler = { name: 'h', afterToolCall: () => confirm('?') };
    // @ts-expect-error it was chosen not to
    const refused: AnyHandler = { name: 'h', confirmEverywhere: false, beforeModelCall: () => confirm('?') };
    // @ts-expect-error after a model call nothing can be held back
    const late: AnyHandler = { name: 'h', confirmEverywhere: true, afterModelCall: () => confirm('?') };
    // @ts-expect-error a confirm is all that is added
    const denied: AnyHandler = { name: 'h', confirmEverywhere: true, afterToolCall: () => deny('late') };

    expectTypeOf([chosen, silent, refused, late, denied]).items.toExtend<AnyHandler>();
    expectTypeOf<MomentExtras['toolUse']>().toEqualTypeOf<AskExtras['toolUse'] | undefined>();
  });

  it('have five kinds of action, and none can be changed', () => {
    expectTypeOf<Action['type']>().toEqualTypeOf<'proceed' | 'deny' | 'guide' | 'confirm' | 'transform'>();
    expectTypeOf<Deny>().toEqualTypeOf<Readonly<Deny>>();
    expectTypeOf<Confirm>().toEqualTypeOf<Readonly<Confirm>>();
    expectTypeOf<Guide>().toEqualTypeOf<Readonly<Guide>>();
  });

  it('narrow steering further: it never denies, and asks no person after the model', () => {
    expectTypeOf<ToolSteeringAction>().toEqualTypeOf<SteeringProceed | SteeringGuide | SteeringInterrupt>();
    expectTypeOf<ModelSteeringAction>().toEqualTypeOf<SteeringProceed | SteeringGuide>();
    expectTypeOf<ReturnType<SteeringHandler['steerAfterModel']>>().toEqualTypeOf<Awaitable<ModelSteeringAction>>();
    expectTypeOf<ReturnType<SteeringHandler['beforeToolCall']>>().resolves.toEqualTypeOf<Proceed | Guide | Confirm>();
  });

  it('have no gate that is open on failure', () => {
    expectTypeOf<HumanInTheLoopOptions['onError']>().toEqualTypeOf<'throw' | 'deny' | undefined>();
  });
});
