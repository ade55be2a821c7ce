import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtInTools, defineTool, definitionHash, runTool, toolTable } from '../../../app/tools/index.ts';

const tool = (name: string, description = 'Does it.') =>
  defineTool({ name, description, input: z.object({ a: z.string(), b: z.number().optional() }), run: () => '' });

describe('a table of tools', () => {
  it('finds a tool by its exact name and nothing by any other', () => {
    const table = toolTable([tool('deploy')]);

    expect(table.find('deploy')?.name).toBe('deploy');
    expect(['Deploy', 'deploy ', 'constructor', '__proto__'].map(table.find)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has the same tools in the same order, in whatever order they came', () => {
    const one = toolTable([tool('b'), tool('a')]).all;
    const other = toolTable([tool('a'), tool('b')]).all;

    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it('refuses two tools of one name', () => {
    expect(() => toolTable([tool('a'), tool('a')])).toThrow('Tool "a" is defined twice. Rename one of them');
  });
});

describe('the hash of a definition', () => {
  const original = tool('deploy');

  it('is the same for the same definition, whatever the order of its keys', () => {
    const turned = { ...original, inputSchema: reversed(original.inputSchema) };

    expect(JSON.stringify(turned.inputSchema)).not.toBe(JSON.stringify(original.inputSchema));
    expect(definitionHash(turned)).toBe(definitionHash(tool('deploy')));
  });

  it.each([
    ['name', { name: 'deploy2' }],
    ['description', { description: 'Does something else.' }],
    ['schema', { inputSchema: { type: 'object' } }],
    ['class', { effect: 'guarded' as const }],
    ['origin', { origin: 'a tool server' }],
  ])('differs for another %s', (_what, change) => {
    expect(definitionHash({ ...original, ...change })).not.toBe(definitionHash(original));
  });
});

describe('current_time', () => {
  const builtIn = builtInTools({ openHosts: [], now: () => Date.UTC(2026, 10, 21, 9, 30) });
  const clock = builtIn.find(({ name }) => name === 'current_time');
  if (clock === undefined) throw new Error('There is no built-in tool.');

  it('is open, and gives its reason (P41)', () => {
    expect(clock).toMatchObject({
      effect: 'open',
      because: expect.stringContaining('reads a clock'),
      origin: 'built in',
    });
  });

  it('tells the time in the zone that was asked for', async () => {
    const run = await runTool(clock, { timeZone: 'Asia/Tokyo' }, { signal: new AbortController().signal, key: 'k' });

    expect(run.output).toMatch(/^2026-11-21T09:30:00\.000Z is .*18:30:00.* in Asia\/Tokyo\.$/);
  });

  it('refuses a zone that does not exist', () => {
    expect(clock.parse({ timeZone: 'Moon/Base' })).toMatchObject({ ok: false });
  });
});

function reversed(value: unknown): never {
  const turn = (inner: unknown): unknown =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .reverse()
            .map(([key, each]) => [key, turn(each)]),
        )
      : inner;
  // Only for the line above: JSON in, JSON out.
  return turn(value) as never;
}
