import { describe, expect, it } from 'vitest';
import { undeclaredOf } from '../../../app/secrets/hidden.ts';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import type { Json } from '../../../interventions/index.ts';

const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.from('k') });

/** The schema, with a count of how often a part of it is looked at. */
function watched(schema: object): { readonly schema: Json; readonly looks: () => number } {
  let looks = 0;
  const watch = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : new Proxy(value, {
          getOwnPropertyDescriptor: (target, name) => {
            looks += 1;
            return Reflect.getOwnPropertyDescriptor(target, name);
          },
        });
  const copy: Json = JSON.parse(JSON.stringify(schema), (_name, value: unknown) => watch(value));
  return { schema: copy, looks: () => looks };
}

const alternatives = { anyOf: [{ items: {} }, { prefixItems: [{}] }, { additionalProperties: {} }, {}] };
const secret = { type: 'string', writeOnly: true };
const bOrSecret = { $defs: { b: { anyOf: [secret] } } };
const names = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`);
const nested = (levels: number): Json => (levels === 0 ? 'canary' : { a: nested(levels - 1) });

/** Each definition refers twice to the next, so that the last, which is a secret, is reached 2^times times. */
function doubledSchema(times: number): object {
  const definitions = Array.from({ length: times }, (_, at) => {
    const next = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { anyOf: [next, next] }];
  });
  return {
    type: 'object',
    properties: { a: { $ref: '#/$defs/d0' } },
    $defs: { ...Object.fromEntries(definitions), [`d${times}`]: secret },
  };
}

describe('the search for secrets by a schema', () => {
  it.each<[string, object, (count: number) => Json]>([
    ['items', { items: alternatives }, (count) => Array.from({ length: count }, () => [1])],
    [
      'members without a schema of their own',
      { additionalProperties: alternatives },
      (count) => Object.fromEntries(names(count).map((name, at) => [name, { a: [at] }])),
    ],
  ])('looks at it as often for 20 %s as for 2,000 (EDGE-7)', (_what, inside, values) => {
    const looksFor = (count: number): number => {
      const { schema, looks } = watched({ properties: { a: inside } });
      redaction.input({ inputSchema: schema }, { a: values(count) });
      return looks();
    };

    expect(looksFor(20)).toBeGreaterThan(0);
    expect(looksFor(2_000)).toBe(looksFor(20));
  });

  it('visits each definition once that two references of an `anyOf` lead to, 24 times in a row (EDGE-7)', () => {
    const search = (times: number) => {
      const { schema, looks } = watched(doubledSchema(times));
      const { hidden } = redaction.input({ inputSchema: schema }, { a: 'canary' });
      return { looks: looks(), found: hidden.map(({ path, by }) => [path.join('.'), by]) };
    };
    const [twelve, once, twice] = [search(12), search(24), search(48)];

    expect(once.found).toEqual([['a', 'schema']]);
    expect(twice.looks - once.looks).toBe(2 * (once.looks - twelve.looks));
  });

  it('finds the marks of items by their place, and of those behind the last place (EDGE-7)', () => {
    const inputSchema = {
      properties: { a: { prefixItems: [{}, { writeOnly: true }], items: { format: 'password' } } },
      additionalProperties: { writeOnly: true },
    };

    const { hidden } = redaction.input({ inputSchema }, { a: ['one', 'two', 'three', 'four'], b: 'five' });
    expect(hidden.map(({ path }) => path.join('.'))).toEqual(['a.1', 'a.2', 'a.3', 'b']);
  });

  it.each<[string, Json, Json?]>([
    ['behind an encoded reference', { properties: { a: { $ref: '#/$defs/Key%3C%3E' } }, $defs: { 'Key<>': secret } }],
    ['behind a reference to an alternative', { properties: { a: { $ref: '#/$defs/b/anyOf/0' } }, ...bOrSecret }],
    ['under a condition that holds', JSON.parse('{"if":{},"then":{"properties":{"a":{"writeOnly":true}}}}')],
    ['under a condition that does not hold', { if: false, else: { properties: { a: secret } } }],
    ['in a condition', { if: { properties: { a: secret } } }],
    ['of members that nothing else names', { unevaluatedProperties: secret, properties: { to: {} } }],
    ['of an item that has to be there', { properties: { a: { contains: secret } } }, ['canary']],
    [
      'of items that nothing else names',
      { properties: { a: { prefixItems: [{}], unevaluatedItems: secret } } },
      ['one', 'canary'],
    ],
    ['that depends on another member', { dependentSchemas: { to: { properties: { a: secret } } } }],
    ['that depends on another member in an older way', { dependencies: { to: { properties: { a: secret } } } }],
    ['by its place in an older way', { properties: { a: { items: [{}, secret] } } }, ['one', 'canary']],
    [
      'behind the last place in an older way',
      { properties: { a: { items: [{}], additionalItems: secret } } },
      ['one', 'canary'],
    ],
  ])('hides a secret that a tool server declares %s (T16)', (_where, inputSchema, a = 'canary') => {
    const { shown, hidden } = redaction.input({ inputSchema }, { to: 'Ann', a });

    expect(JSON.stringify(shown)).not.toContain('canary');
    expect(JSON.stringify(shown)).toContain('Ann');
    expect(hidden.map(({ by }) => by)).toEqual(['schema']);
  });

  it.each<[string, Json, Json]>([
    [
      'leads to too many places',
      {
        $defs: {
          n: { anyOf: Array.from({ length: 2_000 }, () => ({ properties: { a: { $ref: '#/$defs/n' } } })) },
        },
        $ref: '#/$defs/n',
      },
      nested(400),
    ],
    [
      'has many members of many alternatives each',
      {
        $defs: { n: { anyOf: Array.from({ length: 1_000 }, () => ({})) } },
        properties: Object.fromEntries(names(1_000).map((name) => [name, { $ref: '#/$defs/n' }])),
      },
      Object.fromEntries(names(1_000).map((name) => [name, 'canary'])),
    ],
    ['leads too deep', {}, JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)],
  ])('that %s hides the whole input, as what no tool has declared (EDGE-7)', (_what, inputSchema, input) => {
    const { shown, hidden } = redaction.input({ inputSchema }, input);

    expect(shown).toMatch(/^\[hidden [0-9a-f]{10}\]$/);
    expect(undeclaredOf(hidden)).toMatchObject([{ name: 'the whole input' }]);
  });
});
