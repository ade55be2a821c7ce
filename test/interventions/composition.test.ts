import { describe, expect, it } from 'vitest';
import type { LoopOptions } from '../../app/agent/loop/loop.ts';
import {
  type Action,
  type AnyHandler,
  type AskExtras,
  type BeforeToolCallEvent,
  type ConfirmingHandler,
  confirm,
  defaultEvaluate,
  deny,
  guide,
  type Handler,
  HumanInTheLoop,
  InterventionHandler,
  type OnError,
  proceed,
  type Transform,
  transform,
  type Warning,
} from '../../interventions/index.ts';
import { strictly } from '../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

type Answer = Exclude<Action, Transform<never>> | Transform<BeforeToolCallEvent>;

/** Runs one tool call past handlers that answer as told, and says what became of it. */
async function judge(handlers: readonly AnyHandler[], options: Partial<LoopOptions> = {}) {
  const tool = witness('t');
  const model = scriptedModel([call('t', { a: 1 })], 'Done.');
  const outcome = await loop({ model, tools: [tool], interventions: handlers, ...options });
  return { runs: tool.runs, result: resultsOf(outcome.state.messages)[0], outcome };
}

const handler = (name: string, answer: (event: BeforeToolCallEvent) => Answer, onError?: OnError): Handler => ({
  name,
  beforeToolCall: answer,
  ...(onError === undefined ? {} : { onError }),
});

/** Does something on the way to an answer. */
const having = <Value>(_done: unknown, value: Value): Value => value;

const asking = (name: string, ask: (prompt: string, extras: AskExtras) => unknown) =>
  handler(name, () => confirm(`${name}?`, { ask }));

describe('several handlers', () => {
  it('are asked in the order in which they were given, each after the previous one (C-01)', async () => {
    const order: string[] = [];
    const slow: Handler = {
      name: 'slow',
      beforeToolCall: async () => {
        await new Promise(setImmediate);
        order.push('slow');
        return proceed();
      },
    };
    await judge([slow, handler('quick', () => having(order.push('quick'), proceed()))]);

    expect(order).toEqual(['slow', 'quick']);
  });

  it('are not asked after an earlier one has denied (C-02)', async () => {
    const later: string[] = [];
    const { result } = await judge([
      handler('no', () => deny('never')),
      handler('later', () => having(later.push('asked'), proceed())),
    ]);

    expect([later, result]).toEqual([[], 't-1: error DENIED: never']);
  });

  it('advise together, in order, by name (C-03)', async () => {
    const { result } = await judge([handler('a', () => guide('one')), handler('b', () => guide('two'))]);

    expect(result).toBe('t-1: error GUIDANCE: [a] one\n[b] two');
  });

  it('lose their advice to a later denial (C-04)', async () => {
    const { result } = await judge([handler('a', () => guide('one')), handler('b', () => deny('no'))]);

    expect(result).toBe('t-1: error DENIED: no');
  });

  it('see what an earlier handler changed (C-05)', async () => {
    const seen: unknown[] = [];
    const change = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } }));
    const { runs } = await judge([
      handler('change', () => change),
      handler('look', (event) => having(seen.push(event.toolUse.input), proceed())),
    ]);

    expect([seen, runs]).toEqual([[{ a: 2 }], [{ a: 2 }]]);
  });

  it('keep a change in place when a later one denies (C-06)', async () => {
    const inputs: unknown[] = [];
    const change = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } }));
    const after: Handler = {
      name: 'after',
      afterToolCall: (event) => having(inputs.push(event.toolUse.input), proceed()),
    };
    const { runs } = await judge([handler('change', () => change), handler('no', () => deny('no')), after]);

    expect([inputs, runs]).toEqual([[{ a: 2 }], []]);
  });

  it.each(['strict', 'reference'] as const)(
    'show a person what really runs, whichever handler changed it (%s) (C-07)',
    async (profile) => {
      const shown: unknown[] = [];
      const gate = asking('gate', (_prompt, { toolUse }) => having(shown.push(toolUse.input), true));
      const change = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } }));
      const { runs } = await judge([gate, handler('change', () => change)], { profile });

      expect(shown.at(-1)).toEqual({ a: 2 });
      expect(runs).toEqual([{ a: 2 }]);
    },
  );

  it.each([
    ['strict', true],
    ['reference', false],
  ] as const)(
    'are all heard before a person in %s, and skipped after a refusal in reference (C-08)',
    async (profile, heard) => {
      const later: string[] = [];
      const { runs } = await judge(
        [asking('gate', () => false), handler('later', () => having(later.push('asked'), proceed()))],
        {
          profile,
        },
      );

      expect([later.length, runs]).toEqual([heard ? 1 : 0, []]);
    },
  );

  it.each([false, true])(
    'ask no person about a call that is denied, in either order (%s) (C-09)',
    strictly('BEY-15', async (denyFirst) => {
      let asked = 0;
      const handlers = [asking('gate', () => ++asked > 0), handler('no', () => deny('no'))];
      const { result } = await judge(denyFirst ? handlers.reverse() : handlers);

      expect([asked, result]).toEqual([0, 't-1: error DENIED: no']);
    }),
  );

  it.each([
    [true, true, 1],
    [true, false, 0],
    [false, true, 0],
  ])(
    'ask in one round, and all must approve (%s, %s) (C-10)',
    strictly('BEY-16', async (one, two, runs) => {
      const { outcome } = await judge([handler('a', () => confirm('a?')), handler('b', () => confirm('b?'))]);
      const inline = await judge([asking('a', () => one), asking('b', () => two)]);

      expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ name: 'a' }, { name: 'b' }] });
      expect(inline.runs).toHaveLength(runs);
    }),
  );

  it(
    'withdraw the other question after one is refused (C-10)',
    strictly('BEY-16', async () => {
      const withdrawn: string[] = [];
      const patient = asking('patient', (_prompt, { signal }) => {
        signal.addEventListener('abort', () => void withdrawn.push('patient'));
        return new Promise(() => {});
      });
      const { result } = await judge([patient, asking('quick', () => 'no')]);

      expect([withdrawn, result]).toEqual([
        ['patient'],
        't-1: error CONFIRMATION_FAILED: A person refused this tool call.',
      ]);
    }),
  );

  it(
    'end together when one question cannot be asked (C-10)',
    strictly('BEY-16', async () => {
      const patient = asking('patient', () => new Promise(() => {}));
      const broken = asking('broken', () => {
        throw new Error('offline');
      });

      await expect(judge([patient, broken])).rejects.toThrow('offline');
      await expect(judge([broken, patient])).rejects.toThrow('offline');
    }),
  );

  it(
    'word their question anew when a later handler changes the call (C-07)',
    strictly('BEY-15', async () => {
      const prompts: string[] = [];
      const wordy = handler('wordy', ({ toolUse }) =>
        confirm(`Run with ${JSON.stringify(toolUse.input)}?`, { ask: (prompt) => having(prompts.push(prompt), true) }),
      );
      const change = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } }));
      const { runs } = await judge([wordy, handler('change', () => change)]);

      expect([prompts, runs]).toEqual([['Run with {"a":2}?'], [{ a: 2 }]]);
    }),
  );

  it('are not asked again about a change of their own (C-07)', async () => {
    const grow = transform<BeforeToolCallEvent>(
      (event) => void Object.assign(event.toolUse, { input: [event.toolUse.input] }),
    );
    const gate: Handler = { name: 'gate', gate: true, beforeToolCall: () => grow };
    const { runs } = await judge([gate]);

    expect(runs).toEqual([[{ a: 1 }]]);
  });

  it('are not asked again about a call that is denied, whatever has changed (C-02)', async () => {
    const heard: string[] = [];
    const gate: Handler = { name: 'gate', gate: true, beforeToolCall: () => having(heard.push('gate'), proceed()) };
    const change = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { a: 2 } }));
    await judge([gate, handler('change', () => change), handler('no', () => deny('no'))]);

    expect(heard).toEqual(['gate']);
  });

  it.each([1, 3])('are given up when they change the call without end (%s of them) (C-07)', async (count) => {
    let number = 0;
    const restless = (name: string): Handler => ({
      name,
      gate: true,
      beforeToolCall: (event) => {
        // Not through a transform, so that no handler hears of it.
        Object.assign(event.toolUse, { input: { number: ++number } });
        return proceed();
      },
    });
    const { runs, result } = await judge(Array.from({ length: count }, (_, index) => restless(`r${index}`)));

    expect([runs, result]).toEqual([
      [],
      't-1: error DENIED: Handlers kept changing this tool call, so what would run could not be established.',
    ]);
    // Heard once, and then looked at again five times.
    expect(number).toBe(6 * count);
  });

  it.each([
    null,
    'deny',
    { type: 'deny' },
    { type: 'deny', reason: 1 },
    { type: 'guide', feedback: '' },
    { type: 'confirm' },
    { type: 'transform' },
  ])('fail with %j as an answer (C-12)', async (answer) => {
    // The types forbid it; a handler in plain JavaScript can still do it.
    const odd = { name: 'odd', onError: 'deny', beforeToolCall: () => answer } as unknown as Handler;
    const { runs, result } = await judge([odd]);

    expect(runs).toEqual([]);
    expect(result).toContain('error DENIED: Handler threw: odd.beforeToolCall');
  });

  it('have different names (C-11)', async () => {
    const twice = judge([handler('same', () => proceed()), handler('same', () => proceed())]);

    await expect(twice).rejects.toThrow('Duplicate intervention handler name: same');
  });

  it.each([undefined, '', 1])('are refused without a name (%j) (C-11)', async (name) => {
    // The types forbid it; a handler in plain JavaScript can still do it.
    const nobody = { name, beforeToolCall: () => proceed() } as unknown as Handler;

    await expect(judge([nobody])).rejects.toThrow('An intervention handler has no name');
  });

  it('are refused without a method that judges or observes, because a misspelt one is never called (C-11)', async () => {
    const misspelt: { readonly name: string } = { name: 'gate', ...{ beforeToolcall: () => deny('no') } };

    await expect(judge([misspelt])).rejects.toThrow('The handler gate has none of the methods beforeInvocation, ');
    expect((await judge([{ name: 'watch', observeAgent: () => {} }])).runs).toHaveLength(1);
  });

  it('have only those methods called that they override (C-11)', async () => {
    class Quiet extends InterventionHandler {
      readonly name = 'quiet';
    }
    const later = Object.assign(new Quiet(), { name: 'later', beforeToolCall: () => deny('put on one instance') });

    expect((await judge([later])).result).toBe('t-1: error DENIED: put on one instance');
  });

  it('are refused when they override none of the methods, such as a misspelt one (HND-2)', async () => {
    class Misspelt extends InterventionHandler {
      readonly name = 'misspelt';
      beforeToolcall() {
        return deny('never');
      }
    }

    await expect(judge([new Misspelt()])).rejects.toThrow('it would judge nothing. Check the spelling.');
  });

  const failures: Record<string, (event: BeforeToolCallEvent) => Answer> = {
    'a handler that throws': () => {
      throw new Error('boom');
    },
    'a change that throws': () =>
      transform(() => {
        throw new Error('boom');
      }),
    'an evaluator that throws': () =>
      confirm('sure?', {
        response: true,
        evaluate: () => {
          throw new Error('boom');
        },
      }),
    // @ts-expect-error nothing is not an action
    'a handler that answers nothing': () => undefined,
    // @ts-expect-error there are five kinds
    'an action of an unknown kind': () => ({ type: 'boom' }),
  };
  const cells = Object.keys(failures).flatMap((what) =>
    (['throw', 'deny', 'proceed'] as const).map((onError) => [what, onError] as const),
  );

  it.each(cells)('treat %s by the policy %s (C-12)', async (what, onError) => {
    const warnings: Warning[] = [];
    const failing = handler('f', failures[what] ?? (() => proceed()), onError);
    const judged = judge([failing], { warn: (warning) => void warnings.push(warning) });

    if (onError === 'throw') {
      await expect(judged).rejects.toThrow(/boom|returned no action/);
      return;
    }
    const { runs, result } = await judged;
    expect(runs).toEqual([]);
    expect(result).toMatch(/error DENIED: Handler threw: .*(boom|returned no action)/);
    expect(warnings).toMatchObject([{ handler: 'f', event: 'beforeToolCall', policy: onError }]);
  });

  it.each(['afterToolCall', 'beforeModelCall'] as const)(
    'warn when asking people fails on %s and denies it (C-12)',
    async (moment) => {
      const warnings: Warning[] = [];
      const ask = () => {
        throw new Error('boom');
      };
      const failing: ConfirmingHandler = {
        name: 'f',
        onError: 'deny',
        confirmEverywhere: true,
        [moment]: () => confirm('sure?', { ask }),
      };
      await judge([failing], { warn: (warning) => void warnings.push(warning) });

      expect(warnings).toEqual([
        { handler: 'f', event: moment, policy: 'deny', message: `f failed on ${moment} (deny): boom` },
      ]);
    },
  );

  it('deny a call when a handler that may ask people throws and has onError proceed (MF-14)', async () => {
    const warnings: Warning[] = [];
    const asks = (event: BeforeToolCallEvent) => {
      if (event.effective().name === 't') throw new Error('boom');
      return confirm('sure?');
    };
    const { runs, result } = await judge([handler('f', asks, 'proceed')], { warn: (w) => void warnings.push(w) });

    expect([runs, result]).toEqual([[], 't-1: error DENIED: Handler threw: boom']);
    expect(warnings.map(({ message }) => message)).toEqual([
      'f failed on beforeToolCall (proceed, which may ask people and is therefore not skipped): boom',
    ]);
  });

  it.each(Object.keys(failures).filter((what) => what !== 'an evaluator that throws'))(
    'skip, before a tool call, %s when the handler says that it never asks and has onError proceed (MF-14)',
    async (what) => {
      const warnings: Warning[] = [];
      const failing = { ...handler('f', failures[what] ?? (() => proceed()), 'proceed'), gate: false };
      const { runs } = await judge([failing], { warn: (warning) => void warnings.push(warning) });

      expect([runs.length, warnings.length]).toEqual([1, 1]);
    },
  );

  it('cannot be gates and open on failure (C-12)', async () => {
    const gate: Handler = { ...handler('gate', () => proceed(), 'proceed'), gate: true };

    await expect(judge([gate])).rejects.toThrow('gate is a gate, so its failure cannot mean yes');
  });

  it.each([
    ['afterToolCall', 't-1: error DENIED: Handler threw: boom'],
    ['afterModelCall', undefined],
  ] as const)('close the door also on %s (C-12, BEY-13)', async (moment, result) => {
    const failing: Handler = {
      name: 'f',
      onError: 'deny',
      [moment]: () => {
        throw new Error('boom');
      },
    };
    const judged = await judge([failing]);

    expect(judged.result).toBe(result);
    if (moment === 'afterModelCall') {
      expect(judged.runs).toEqual([]);
      expect(judged.outcome).toMatchObject({ endedBy: { text: 'DENIED: Handler threw: boom' } });
    }
  });

  it('are given up after their time limit (C-12, BEY-18)', async () => {
    const { handTimers } = await import('../support/scripted-model.ts');
    const timers = handTimers();
    const silent: Handler = { name: 'silent', beforeToolCall: () => new Promise(() => {}) };
    const judged = judge([silent], { timers });
    await new Promise(setImmediate);
    timers.pass(30_000);

    await expect(judged).rejects.toThrow('silent.beforeToolCall gave no answer in 30000 ms');
  });

  it.each(['throw', 'deny', 'proceed'] as const)('pause, whatever their policy is (%s) (C-13)', async (onError) => {
    const later: string[] = [];
    const raising = handler('raising', (event) => having(event.interrupt({ name: 'q' }), proceed()), onError);
    const { outcome } = await judge([raising, handler('later', () => having(later.push('later'), proceed()))]);

    expect(outcome).toMatchObject({ type: 'interrupted', interrupts: [{ name: 'q' }] });
    expect(later).toEqual([]);
  });

  it('judge the tool that really runs when a later one renames the call (C-13)', async () => {
    const asked: string[] = [];
    const gate = new HumanInTheLoop({
      allowedTools: ['t'],
      ask: (_prompt, { toolUse }) => having(asked.push(toolUse.name), false),
    });
    const rename = transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { name: 'danger' }));
    const danger = witness('danger');
    await judge([gate, handler('rename', () => rename)], { tools: [witness('t'), danger] });

    expect([asked, danger.runs]).toEqual([['danger'], []]);
  });
});

describe('the default evaluator', () => {
  it.each([true, 'y', 'Y', 'yes', 'YES', '  yes  '])('reads %j as a yes (E-01)', (response) => {
    expect(defaultEvaluate(response)).toBe(true);
  });

  it.each([false, null, undefined, '', 'no', 1, 'ok', 'true', [], {}, [true], { y: true }])(
    'reads %j as a no (E-02)',
    (response) => {
      expect(defaultEvaluate(response)).toBe(false);
    },
  );
});

describe('an action', () => {
  it('cannot be changed, and needs words for its reader', () => {
    expect(Object.isFrozen(deny('x')) && Object.isFrozen(confirm('x')) && Object.isFrozen(guide('x'))).toBe(true);
    expect(() => deny('')).toThrow('deny() needs a text as its reason');
    expect(() => guide('')).toThrow('guide() needs a text as its feedback');
    expect(() => confirm('')).toThrow('confirm() needs a text as its prompt');
  });
});
