import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BeforeToolCallEvent,
  canonical,
  canonicalCall,
  clone,
  confirm,
  deny,
  freezeDeep,
  guide,
  type Handler,
  isJson,
  type Json,
  proceed,
  transform,
} from '../../interventions/index.ts';
import { strictly } from '../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

/** What one handler of a random list does with a tool call. */
type Move = 'proceed' | 'deny' | 'guide' | 'yes' | 'no' | 'wait' | 'transform' | 'fail';
const moves = fc.array(fc.constantFrom<Move>('proceed', 'deny', 'guide', 'yes', 'no', 'wait', 'transform', 'fail'), {
  maxLength: 6,
});

const play = (move: Move, index: number): Handler => ({
  name: `h${index}`,
  onError: 'deny',
  beforeToolCall: () => {
    switch (move) {
      case 'proceed':
        return proceed();
      case 'deny':
        return deny(`d${index}`);
      case 'guide':
        return guide(`g${index}`);
      case 'yes':
      case 'no':
        return confirm('?', { response: move });
      case 'wait':
        return confirm('?');
      case 'transform':
        return transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input: { by: index } }));
      case 'fail':
        throw new Error(`f${index}`);
    }
  },
});

async function run(handlers: readonly Handler[]) {
  const tool = witness('t');
  const outcome = await loop({
    model: scriptedModel([call('t', { by: null })], 'Done.'),
    tools: [tool],
    interventions: handlers,
  });
  return { runs: tool.runs, said: resultsOf(outcome.state.messages)[0], paused: outcome.type === 'interrupted' };
}

/** The rules, as a person would say them. */
function rules(list: readonly Move[]): { runs: Json[]; said: string | undefined; paused: boolean } {
  const stop = list.findIndex((move) => move === 'deny' || move === 'fail');
  const error = (text: string) => ({ runs: [], said: `t-1: error ${text}`, paused: false });
  if (stop >= 0) return error(list[stop] === 'deny' ? `DENIED: d${stop}` : `DENIED: Handler threw: f${stop}`);
  const guiding = list.flatMap((move, index) => (move === 'guide' ? [`[h${index}] g${index}`] : []));
  if (guiding.length > 0) return error(`GUIDANCE: ${guiding.join('\n')}`);
  if (list.includes('no')) return error('CONFIRMATION_FAILED: A person refused this tool call.');
  if (list.includes('wait')) return { runs: [], said: undefined, paused: true };
  const by = list.lastIndexOf('transform');
  return { runs: [{ by: by < 0 ? null : by }], said: 't-1: success t is done', paused: false };
}

describe('the pipeline', () => {
  it(
    'does what ten lines of rules say, for any list of handlers',
    strictly('BEY-15', async () => {
      await fc.assert(
        fc.asyncProperty(moves, async (list) => {
          expect(await run(list.map(play))).toEqual(rules(list));
        }),
        { numRuns: 300 },
      );
    }),
  );

  it('starts no tool without a grant: every question that was asked has its own approval, for exactly what runs', async () => {
    const answer = fc.constantFrom<unknown>(
      true,
      'y',
      'yes',
      false,
      'no',
      null,
      undefined,
      't',
      1,
      'ok',
      { decision: 'deny' },
      { decision: 'trust' },
    );
    const steps = fc.array(fc.tuple(fc.constantFrom('ask', 'change', 'again'), answer), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const granted = new Set<string>();
        const refused = new Set<string>();
        const handlers = list.map(([step, given], index): Handler => {
          const name = `h${index}`;
          if (step === 'change') return play('transform', index);
          if (step === 'again') {
            return {
              name,
              afterToolCall: () => transform((event) => void Object.assign(event, { retry: event.attempt < 2 })),
            };
          }
          const ask = (_prompt: string, { digest }: { digest: string }) => {
            (given === true || given === 'y' || given === 'yes' ? granted : refused).add(`${name} ${digest}`);
            return given;
          };
          return { name, beforeToolCall: () => confirm('?', { ask }) };
        });
        const started: string[] = [];
        const tool = {
          ...witness('t'),
          run: async (_input: Json, { digest }: { digest: string }) => `run ${started.push(digest)}`,
        };
        await loop({ model: scriptedModel([call('t')], 'Done.'), tools: [tool], interventions: handlers });
        const asking = list.flatMap(([step], index) => (step === 'ask' ? [`h${index}`] : []));
        for (const digest of started) {
          for (const name of asking) expect(granted.has(`${name} ${digest}`)).toBe(true);
        }
        if (refused.size > 0) expect(started).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is not affected by a handler that only observes, in any position', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(6), async (list, place) => {
        const observer: Handler = {
          name: 'observer',
          beforeInvocation: () => proceed(),
          beforeToolCall: async () => proceed({ reason: 'seen' }),
          afterToolCall: () => proceed(),
          beforeModelCall: () => proceed(),
          afterModelCall: async () => proceed(),
        };
        const handlers = list.map(play);

        expect(await run(handlers.toSpliced(place, 0, observer))).toEqual(await run(handlers));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the canonical form', () => {
  it('is the same in any order of the keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        expect(canonical(Object.fromEntries(Object.entries(input).reverse()))).toBe(canonical(input));
      }),
    );
  });

  it('differs when the value differs, and reads back as the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(canonical(one) === canonical(other)).toBe(equal(one, other));
        expect(equal(JSON.parse(canonical(one)), one)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails, and never accepts what is not JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true }),
        (value) => {
          const text = canonical(value);

          expect(typeof text).toBe('string');
          if (!isJson(value) && !text.includes('#')) expect(JSON.stringify(JSON.parse(text))).toBeDefined();
        },
      ),
    );
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const trap = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('trap');
      },
    });
    expect(canonical(cycle)).toBe('[#cycle(0)]');
    expect(canonical(trap)).toContain('unreadable');
    expect(canonical([undefined, Number.NaN, -0, 1n, new Date(5), new Map([[1, 2]])])).toBe(
      '[#undefined,#NaN,-0,#1n,#Date(5){},#Collection([[1,2]]){}]',
    );
    expect(canonicalCall({ name: 't', input: '{"a":1}' })).not.toBe(canonicalCall({ name: 't', input: { a: 1 } }));
  });

  it('fails at no depth', () => {
    let deep: Json = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];

    expect(canonical(deep)).toHaveLength(40_001);
    expect(canonical(freezeDeep(clone(deep)))).toBe(canonical(deep));
  });

  it('is the same at every depth', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          let nested: unknown = value;
          for (let level = 0; level < 100; level += 1) nested = [nested];

          expect(canonical(nested)).toBe(`${'['.repeat(100)}${canonical(value)}${']'.repeat(100)}`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is kept by a copy, which shares no object with its source', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const twin = clone(value);

        expect(canonical(twin)).toBe(canonical(value));
        expect(JSON.stringify(twin)).toBe(JSON.stringify(value));
        if (typeof value === 'object' && value !== null) expect(twin).not.toBe(value);
      }),
    );
  });

  it('is kept by a copy of what is not JSON: gaps, circles, and objects that stand at two places', () => {
    const twice = { a: 1 };
    const circle: Record<string, unknown> = { one: twice, two: twice };
    circle.self = circle;
    const twin = clone(circle);

    expect(twin).toEqual(circle);
    expect(twin.self).toBe(twin);
    expect(twin.one).toBe(twin.two);
    expect(clone(new Array(3))).toHaveLength(3);
    expect(clone(JSON.parse('{"__proto__":{"a":1}}'))).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
    expect(isJson({ one: twice, two: [twice] })).toBe(true);
  });
});

/** Equal as JSON, told apart at zero: a person would see a different sign. */
function equal(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null)
    return Object.is(one, other);
  const keys = Object.keys(one);
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && equal(Reflect.get(one, key), Reflect.get(other, key)));
}
