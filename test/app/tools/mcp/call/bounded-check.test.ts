import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../../../app/json.ts';
import { boundedCheck } from '../../../../../app/tools/mcp/call/bounded-check.ts';
import type { Json } from '../../../../../interventions/index.ts';
import { runsOf } from '../../../../support/amount.ts';

afterEach(() => vi.restoreAllMocks());

/** What a validator says that compiles the schema. */
function fitsCompiled(schema: JsonObject, value: Json): boolean {
  const ajv = new Ajv({ strict: false, validateSchema: false, logger: false });
  addFormats.default(ajv);
  return ajv.compile(schema)(value) === true;
}

const NAMES = ['a', 'b', 'c'];
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, 1.5, -2, 7, '', 'x', 'long text', '😀', '2026-11-24', 'a@b.c'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { noNullPrototype: true }),
  ),
})).value;

const says = (schema: Json, keyword: string): boolean => JSON.stringify(schema).includes(`"${keyword}":`);

const schemasOf = (more: readonly fc.Arbitrary<Json>[]) =>
  fc.letrec<{ schema: Json }>((tie) => {
    const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(fc.constantFrom(...NAMES), tie('schema'));
    const names = fc.uniqueArray(fc.constantFrom(...NAMES));
    const few = fc.nat(3);
    const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'boolean', 'null');
    const one: fc.Arbitrary<Json> = fc.oneof(
      fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })) }),
      fc.record(
        { properties: map, required: names, additionalProperties: tie('schema') },
        { requiredKeys: ['properties'] },
      ),
      fc.record({ items: tie('schema'), minItems: few, maxItems: few }, { requiredKeys: ['items'] }),
      fc.record({ items: list, additionalItems: tie('schema') }, { requiredKeys: ['items'] }),
      // Apart from a tuple: beside one, the compiled check lets an empty list pass. Apart from one another: the compiled check says of
      // [[null], []] that it fits { not: { contains: { not: { contains: { anyOf: [true] } } } } }, although its second item is empty.
      fc.record({ not: fc.record({ contains: tie('schema').filter((part) => !says(part, 'contains')) }) }),
      fc.record({ minProperties: few, maxProperties: few, propertyNames: tie('schema') }, { requiredKeys: [] }),
      fc.record({ dependencies: fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(names, tie('schema'))) }),
      fc.record({ minimum: few, maximum: few }, { requiredKeys: [] }),
      fc.record(
        { exclusiveMinimum: few, exclusiveMaximum: few, multipleOf: fc.constantFrom(1, 2, 0.5) },
        { requiredKeys: [] },
      ),
      fc.record({ minLength: few, maxLength: few, format: fc.constantFrom('date', 'email') }, { requiredKeys: [] }),
      fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
      fc.record({ const: value }),
      fc.record({ anyOf: list }),
      fc.record({ oneOf: list }),
      fc.record({ allOf: list }),
      fc.record({ not: tie('schema') }),
      fc.dictionary(fc.constantFrom('if', 'then', 'else'), tie('schema')),
      fc.record({ $ref: fc.constantFrom('#/$defs/a', '#/$defs/b~1%25') }),
      ...more,
    );
    const both = fc.tuple(one, one).map(([a, b]): Json => ({ ...Object(a), ...Object(b) }));
    return { schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), both, one) };
  }).schema;

const schema = schemasOf([]);
/** What the check leaves to the server. */
const leftOut = fc.constantFrom<Json>(
  { pattern: '^x' },
  { patternProperties: { '^[ab]': { type: 'number' } }, additionalProperties: false },
  { uniqueItems: true },
  { format: 'url' },
  { format: 'unknown' },
);
const aroundIt = fc.oneof(
  fc.record({ not: leftOut }),
  fc.record({ oneOf: fc.tuple(leftOut, leftOut) }),
  fc.tuple(leftOut, fc.boolean()).map(
    ([met, held]): Json =>
      Object.fromEntries([
        ['if', met],
        ['then', held],
      ]),
  ),
);

const leaf = fc.constantFrom<Json>({ type: 'number' }, { type: 'object' }, { maxLength: 2 }, true, false);

describe('the check of an input by the schema of a tool server', () => {
  it('says the same as a validator that compiles the schema (EDGE-7)', () => {
    fc.assert(
      fc.property(schema, leaf, leaf, value, (part, a, b, input) => {
        const root = { allOf: [part], $defs: { a, 'b/%': b } };
        expect(boundedCheck(root)(input) === undefined).toBe(fitsCompiled(root, input));
      }),
      { numRuns: runsOf(20_000) },
    );
  });

  it('refuses a list with an empty item where each item must have one (EDGE-7)', () => {
    const check = boundedCheck({ not: { contains: { not: { contains: { anyOf: [true] } } } } });

    expect([check([[null], []]), check([[null]])]).toEqual(['data must NOT be valid', undefined]);
  });

  it('refuses no input that fits, also where the schema has patterns and the like (EDGE-7)', () => {
    fc.assert(
      fc.property(schemasOf([leftOut, aroundIt, aroundIt]), leaf, leftOut, value, (part, a, b, input) => {
        const root = { allOf: [part], $defs: { a, 'b/%': b } };
        if (fitsCompiled(root, input)) expect(boundedCheck(root)(input)).toBeUndefined();
      }),
      { numRuns: runsOf(20_000) },
    );
  });

  it.each<[string, JsonObject, Json]>([
    ['items that may have a pattern', { contains: { pattern: '^a' }, maxContains: 0 }, ['x']],
    ['a list with equal items', { not: { uniqueItems: true } }, [1, 1]],
    ['a format that is not known here', { oneOf: [{ format: 'iri' }, { format: 'email' }] }, 'ann@example.com'],
    ['the format of a long text', { not: { format: 'uri' } }, `https://example.com/${'x'.repeat(1_000)}`],
  ])('leaves %s to the server (EDGE-7)', (_what, schema, input) => {
    expect(boundedCheck(schema)(input)).toBeUndefined();
  });

  it('takes a deep input where each level has several alternatives with a pattern (EDGE-7)', () => {
    const node = { properties: { name: { pattern: '^a' }, child: { $ref: '#/$defs/node' } } };
    const schema = { $ref: '#/$defs/node', $defs: { node: { anyOf: [node, node, node] } } };
    const nested = (levels: number): Json => (levels === 0 ? {} : { name: 'a', child: nested(levels - 1) });

    expect(boundedCheck(schema)(nested(12))).toBeUndefined();
  });

  it('makes no code of the schema (EDGE-7, T20)', () => {
    const made = vi.spyOn(globalThis, 'Function');
    const schema = {
      properties: { a: { type: 'string', format: 'date' } },
      anyOf: [{ $ref: '#/$defs/b' }],
      $defs: { b: {} },
    };

    boundedCheck(schema)({ a: '2026-11-24' });

    expect(made).not.toHaveBeenCalled();
    expect(fitsCompiled(schema, { a: '2026-11-24' })).toBe(true);
    expect(made).toHaveBeenCalled();
  });

  it.each<[string, JsonObject, Json, string]>([
    [
      'the place and the rule',
      { properties: { a: { items: { type: 'number' } } } },
      { a: [1, 'x'] },
      'data/a/1 must be number',
    ],
    ['a missing member', { required: ['a'] }, {}, "data must have required property 'a'"],
    ['an unknown member', { additionalProperties: false }, { b: 1 }, 'data must NOT have additional properties'],
    [
      'why the first alternatives do not fit',
      { anyOf: [{ type: 'number' }, { minLength: 9 }] },
      'x',
      'data must be number, data must NOT have fewer than 9 characters, data must match a schema in anyOf',
    ],
    ['two alternatives that both fit', { oneOf: [true, {}] }, 1, 'data must match exactly one schema in oneOf'],
  ])('tells the model %s (EDGE-7)', (_what, schema, input, problem) => {
    expect(boundedCheck(schema)(input)).toBe(problem);
  });
});
