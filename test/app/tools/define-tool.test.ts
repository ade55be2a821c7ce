import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../app/tools/define-tool.ts';
import { secret } from '../../../app/tools/secret.ts';
import type { ToolDefinition } from '../../../app/tools/tool.ts';

const restart = {
  name: 'restart_service',
  description: 'Restarts a service.',
  input: z.object({ service: z.enum(['payments', 'search']), force: z.boolean().default(false) }),
  run: () => 'done',
} satisfies ToolDefinition<z.ZodObject>;

/** As a deployment in plain JavaScript could write it. */
const defineLoosely: (definition: object) => unknown = (definition) => defineTool({ ...restart, ...definition });

describe('a tool', () => {
  it('is asked about when it does not say its class', () => {
    expect(defineTool(restart).effect).toBe('asked');
  });

  it('offers trust in this thread for an hour when it is asked about and names no other terms', () => {
    expect(defineTool(restart).trust).toEqual({ match: 'any', scope: 'thread', forMs: 3_600_000 });
  });

  it.each([
    ['open', { effect: 'open', because: 'It reads.' }],
    ['guarded', { effect: 'guarded' }],
  ])('that is %s offers no trust', (_effect, definition) => {
    expect(defineLoosely(definition)).toMatchObject({ trust: undefined });
  });

  it.each([
    ['asked', true],
    ['guarded', false],
  ] as const)('that is %s lets a requester who is an approver decide: %s', (effect, selfApproval) => {
    expect(defineTool({ ...restart, effect }).selfApproval).toBe(selfApproval);
  });

  it('shows the model a schema in which a default can be left out and nothing else can be added', () => {
    expect(defineTool(restart).inputSchema).toMatchObject({
      type: 'object',
      required: ['service'],
      additionalProperties: false,
    });
  });
});

describe('a definition', () => {
  it.each([
    ['a name with a space', { name: 'restart service' }, 'name must be 1 to 64 letters'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'name must be 1 to 64 letters'],
    ['the name that stands for all tools', { name: 'All' }, 'name must not be all'],
    ['no description', { description: ' ' }, 'description must tell the model'],
    ['an input that is no object', { input: z.string() }, 'input must be z.object'],
    ['an input from JSON Schema', { input: { type: 'object' } }, 'input must be z.object'],
    ['an unknown effect', { effect: 'safe' }, "effect must be 'open', 'asked' or 'guarded'"],
    ['an unknown word', { efect: 'open' }, 'efect'],
    [
      'trust for a guarded tool',
      { effect: 'guarded', trust: { match: 'any', scope: 'thread', forMs: 1 } },
      'never trusted',
    ],
    [
      'trust without an end',
      { trust: { match: 'any', scope: 'thread', forMs: Number.POSITIVE_INFINITY } },
      'trust.forMs',
    ],
    ['an approver by name', { approvers: ['ben'] }, 'approvers[0] is not the Slack id'],
    ['a time limit of nothing', { timeoutMs: 0 }, 'timeoutMs must be above 0'],
    ['a time limit that no timer can hold', { timeoutMs: 2 ** 31 }, 'timeoutMs must be at most 24 days'],
    ['no run', { run: undefined }, 'run must be a function'],
    ['an input JSON cannot hold', { input: z.object({ on: z.date() }) }, 'has an input that JSON cannot hold'],
    ['an input that changes on the way', { input: z.object({ n: z.string().transform(Number) }) }, 'JSON cannot hold'],
  ])('with %s is refused, naming the tool and the place', (_what, wrong, message) => {
    expect(() => defineLoosely(wrong)).toThrow(message);
    expect(() => defineLoosely(wrong)).toThrow(/^Tool "/);
  });

  it.each([
    ['that the input does not have', ['command'], 'neverHide names command, which is not a field of the input'],
    ['that the input declares secret', ['code'], 'neverHide names code, which is declared secret'],
  ])('that never hides a part %s is refused (EDGE-6)', (_what, neverHide, message) => {
    const input = z.object({ code: secret(z.string()) });

    expect(() => defineLoosely({ input, neverHide })).toThrow(message);
    expect(() => defineLoosely({ input, neverHide: [] })).not.toThrow();
  });

  it('of an open tool is refused without a written reason (P41)', () => {
    expect(() => defineTool({ ...restart, effect: 'open' })).toThrow('because is missing');
  });
});

describe('an input', () => {
  const tool = defineTool(restart);

  it('is completed with its defaults, so that they are shown', () => {
    expect(tool.parse({ service: 'search' })).toEqual({ ok: true, input: { service: 'search', force: false } });
  });

  it.each([
    ['a missing part', {}, 'service: '],
    ['a wrong part', { service: 'db' }, 'service: Invalid option: expected one of "payments"|"search"'],
    ['an unknown field', { service: 'search', quietly: true }, 'quietly'],
    ['no object at all', null, 'expected object'],
  ])('with %s is refused with a reason', (_what, input, words) => {
    expect(tool.parse(input)).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
  });

  it('that was not valid JSON is refused for that reason (FM4)', () => {
    expect(tool.parse('{"service": "sea')).toEqual({
      ok: false,
      problem: 'it is not valid JSON, or nested too deeply. Send it again as one JSON object.',
    });
  });

  it('is refused, without a crash, when a check of the deployment throws', () => {
    const fragile = defineTool({
      ...restart,
      input: z.object({ service: z.string() }).refine(() => {
        throw new Error('no list of services');
      }),
    });

    expect(fragile.parse({ service: 'x' })).toMatchObject({ ok: false, problem: expect.stringContaining('no list') });
  });

  it('keeps unknown parts when the schema says so', () => {
    const loose = defineTool({ ...restart, input: z.looseObject({ service: z.string() }) });

    expect(loose.parse({ service: 'x', more: 1 })).toEqual({ ok: true, input: { service: 'x', more: 1 } });
  });
});

describe('a summary', () => {
  it('is the sentence of the tool, on one line', () => {
    const tool = defineTool({ ...restart, summarise: ({ service }) => `Restart\n ${service}. ` });

    expect(tool.summarise({ service: 'search', force: true })).toBe('Restart search.');
  });

  it.each([
    ['has none', undefined],
    ['says nothing', () => ' '],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('falls back to a plain one when the tool %s', (_what, summarise) => {
    const tool = defineTool({ ...restart, ...(summarise === undefined ? {} : { summarise }) });

    expect(tool.summarise({ service: 'search', force: true })).toBe('Run restart_service.');
  });

  it('stays short whatever it quotes, and never ends inside a character', () => {
    const family = '👩‍👩‍👧‍👦';
    const tool = defineTool({ ...restart, summarise: () => family.repeat(10_000) });

    const sentence = tool.summarise({ service: 'search', force: false });

    expect(sentence.length).toBeLessThanOrEqual(201);
    expect(sentence.replaceAll(family, '')).toBe('…');
  });
});

it('types run by its schema', () => {
  defineTool({
    ...restart,
    run: (input) => {
      // @ts-expect-error the schema has no such part
      void input.servicee;
      return input.service;
    },
  });
});
