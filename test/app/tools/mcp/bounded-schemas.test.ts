import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRedaction } from '../../../../app/secrets/redaction.ts';
import { schemaProblem } from '../../../../app/tools/mcp/index.ts';
import type { Json } from '../../../../interventions/index.ts';
import { endAll, type Started, start, type Way } from './setup.ts';

// Real programs start here, and a busy computer takes its time over them.
afterEach(endAll);

/** Each definition refers twice to the next, so that the last is reached 2^24 times. 1.6 KB. */
const DOUBLINGS = 24;
const doubled = {
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: DOUBLINGS }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { anyOf: [next, next] }];
      }),
    ),
    [`d${DOUBLINGS}`]: { type: 'number' },
  },
};
/** Refers to itself twice, so that the work doubles with each level of the input. */
const recursive = {
  type: 'object',
  properties: { a: { oneOf: [{ $ref: '#' }, { $ref: '#' }] }, text: { type: 'string' } },
};
const nested = (levels: number): Json => (levels === 0 ? { text: 7 } : { a: nested(levels - 1) });

const leftOut = ({ logged }: Started) =>
  logged
    .filter(({ message }) => message === 'A tool of a server is left out. Correct it there.')
    .map(({ fields }) => fields);
const names = ({ servers }: Started) => servers.tools().map(({ name }) => name);

describe.each<Way>(['stdio', 'http'])('the schema of a tool of a server over %s', (way) => {
  it('that doubles its references 24 times is left out and reported, and the other tools run (MF-2)', async () => {
    expect(JSON.stringify(doubled).length).toBeLessThan(1_800);
    const started = await start(way, [{ name: 'bomb', inputSchema: doubled }, { name: 'echo' }]);

    expect(names(started)).toEqual(['test__echo']);
    expect(leftOut(started)).toEqual([
      { server: 'test', tool: 'bomb', problem: expect.stringContaining('once its references are followed') },
    ]);
    expect(await started.run('echo', { text: 'hello' })).toMatchObject({ type: 'succeeded' });
  });

  it('that an older version has pinned is left out at the next start as well (MF-2)', async () => {
    const started = await start(way, [{ name: 'echo' }]);
    const definition = { name: 'bomb', inputSchema: doubled };
    const pin = { server: 'test', tool: 'bomb', name: 'test__bomb', hash: 'h' };
    await started.change([{ name: 'echo' }, definition]);
    await started.pins.see([{ ...pin, definition }]);

    const again = await started.again();
    expect(names(again)).toEqual(['test__echo']);
    expect(leftOut(again)).toContainEqual(expect.objectContaining({ tool: 'bomb' }));
    expect(await again.run('echo', { text: 'hello' })).toMatchObject({ type: 'succeeded' });
  });

  it('that doubles the work with each level of an input refuses that input in place of an endless check (MF-2)', async () => {
    const started = await start(way, [{ name: 'echo', inputSchema: recursive }]);

    expect(await started.run('echo', { text: 'hello' })).toMatchObject({ type: 'succeeded' });
    expect(await started.run('echo', nested(35))).toMatchObject({
      type: 'notStarted',
      output: expect.stringContaining('takes too long to check this input'),
    });
  });
});

describe('the schema of a tool of a tool server', () => {
  it('becomes no code when the tool is listed and called, and when its form is checked (EDGE-7, T20)', async () => {
    const made = vi.spyOn(globalThis, 'Function');
    onTestFinished(() => made.mockRestore());
    const schema = { type: 'object', properties: { canary: { type: 'string', pattern: '^canary', minLength: 1 } } };
    const listed = { name: 'echo', inputSchema: schema, outputSchema: schema } as const;
    const started = await start('http', [listed, { name: 'structured', outputSchema: schema }]);

    expect(await started.run('echo', { canary: 'canary' })).toMatchObject({ type: 'succeeded' });
    expect(await started.run('echo', { canary: 7 })).toMatchObject({ type: 'notStarted' });
    expect(await started.run('structured')).toMatchObject({ type: 'succeeded' });
    expect(schemaProblem(JSON.stringify(schema), { canary: 7 })).toBeDefined();

    expect(made.mock.calls.flat().filter((text) => text.includes('canary'))).toEqual([]);
  });

  const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
  it.each([
    ['refers to itself at the same place', { type: 'object', $ref: '#' }, 'takes too long'],
    ['compares each item with every other', { type: 'object', properties: { a: { uniqueItems: true } } }, undefined],
    [
      'has 1,500 alternatives for each item, of which the last fits',
      {
        type: 'object',
        properties: {
          a: { items: { anyOf: [...Array.from({ length: 1_500 }, () => ({ type: 'null' })), { type: 'array' }] } },
        },
      },
      'takes too long',
    ],
    [
      'would be checked later',
      { $async: true, type: 'object', properties: { a: { type: 'null' } } },
      'data/a must be null',
    ],
  ])('that %s ends each check (MF-2, EDGE-7, T20)', async (_what, inputSchema, problem) => {
    const started = await start('stdio', [{ name: 'echo', inputSchema }]);
    const result = await started.run('echo', { a: Array.from({ length: 20_000 }, (_, at) => [at]) });

    if (problem === undefined) expect(result).toMatchObject({ type: 'succeeded' });
    else expect(result).toMatchObject({ type: 'notStarted', output: expect.stringContaining(problem) });
  });

  it.each([
    ['is nested too deep', { type: 'object', items: deep(60) }, 'levels deep'],
    [
      'has too many parts',
      { type: 'object', anyOf: Array.from({ length: 9_000 }, () => ({})) },
      'more than 8000 parts',
    ],
    [
      'has too many references',
      { type: 'object', anyOf: Array.from({ length: 600 }, () => ({ $ref: '#/$defs/a' })), $defs: { a: {} } },
      'more than 500 references',
    ],
    [
      'makes a schema of a value, whose patterns would be the server’s code here',
      { type: 'object', properties: { a: { const: { pattern: '(a+)+$' } }, b: { $ref: '#/properties/a/%63onst' } } },
      'refers to a value',
    ],
    [
      'refers to what is elsewhere',
      { type: 'object', properties: { a: { $ref: 'http://127.0.0.1/schema' } } },
      'refers to http://127.0.0.1/schema, which is not in it',
    ],
    ['is none', { type: 'object', properties: { a: { anyOf: [{ type: 'no-type' }] } } }, 'a value for type'],
    ['names its members in a list', { type: 'object', $defs: { a: { properties: [] } } }, 'a value for properties'],
  ])('that %s is left out (MF-2, EDGE-7, T20)', async (_what, inputSchema, problem) => {
    const started = await start('stdio', [{ name: 'bomb', inputSchema }, { name: 'echo' }]);

    expect(names(started)).toEqual(['test__echo']);
    expect(leftOut(started)).toEqual([{ server: 'test', tool: 'bomb', problem: expect.stringContaining(problem) }]);
  });

  it('that is a form and doubles its references takes no answer, and says why (EDGE-7)', () => {
    const form = { ...doubled, properties: { a: { type: 'string' }, b: { $ref: '#/$defs/d0' } } };
    expect(schemaProblem(JSON.stringify(form), { a: 'x' })).toBe(
      'The form cannot be used: its schema has more than 100000 parts once its references are followed.',
    );
  });

  it('that is a form and is nested too deep takes no answer, and says why (EDGE-7)', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) });
    const form = { type: 'object', properties: { a: deep(60) } };
    expect(schemaProblem(JSON.stringify(form), { a: 'x' })).toBe(
      'The form cannot be used: its schema is nested more than 40 levels deep.',
    );
  });

  it('is searched for secrets once, however often its alternatives lead to the same place (MF-2)', () => {
    const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.from('k') });
    const inputSchema = { ...doubled, $defs: { ...doubled.$defs, d24: { writeOnly: true } } };

    expect(redaction.input({ inputSchema }, { a: 'canary' }).hidden).toHaveLength(1);
    expect(redaction.input({ inputSchema: recursive }, nested(200)).hidden).toEqual([]);
  });
});
