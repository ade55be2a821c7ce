import { describe, expect, it } from 'vitest';
import { type BeforeToolCallEvent, type Handler, redactSecrets, transform } from '../../interventions/index.ts';
import { call, loop, scriptedModel, witness } from '../support/scripted-model.ts';

const hidden = (input: unknown) => redactSecrets('t', input);

describe('an input without its secrets', () => {
  it('keeps its shape, at every depth', () => {
    expect(hidden({ to: 'x', api_key: 'k', list: [{ Password: { a: 1 }, port: 1 }, 'token'] })).toEqual({
      to: 'x',
      api_key: '[redacted]',
      list: [{ Password: '[redacted]', port: 1 }, 'token'],
    });
    expect(hidden(JSON.parse('{"__proto__":{"secret":"s"}}'))).toEqual(
      JSON.parse('{"__proto__":{"secret":"[redacted]"}}'),
    );
  });

  it.each([
    ['https://ann:hunter2@host/a?b=c:d@e', 'https://ann:[redacted]@host/a?b=c:d@e'],
    [
      'clone https://a:b@c and redis://:p%40ss@host:6379',
      'clone https://a:[redacted]@c and redis://:[redacted]@host:6379',
    ],
    ['https://host:8080/a@b', 'https://host:8080/a@b'],
    ['https://ann:$(curl evil.example)@host', 'https://ann:$(curl evil.example)@host'],
  ])('shows no password of an address, and all that may be a command: %s', (text, shown) => {
    expect([hidden(text), hidden({ list: [text] })]).toEqual([shown, { list: [shown] }]);
  });

  it('is not the input, which stays as it is', () => {
    const input = { token: 's3cr3t', inner: { a: 1 } };

    expect(hidden(input)).not.toBe(input);
    expect(input.token).toBe('s3cr3t');
  });

  const cycle: Record<string, unknown> = { token: 's3cr3t' };
  cycle.self = cycle;

  it.each([
    ['is undefined', { token: 's3cr3t', note: undefined }, '{"note":#undefined,"token":"[redacted]"}'],
    ['is a date', { token: 's3cr3t', at: new Date(5) }, '{"at":#Date(5){},"token":"[redacted]"}'],
    ['is a circle', cycle, '{"self":#cycle(0),"token":"[redacted]"}'],
    ['is a collection that names a secret', { all: new Map([['token', 's3cr3t']]) }, { all: '[redacted]' }],
    ['is an address with a password', { at: new URL('https://ann:hunter2@host') }, { at: '[redacted]' }],
    [
      'is an instance that has a secret',
      {
        all: new (class {
          token = 's3cr3t';
        })(),
      },
      { all: '[redacted]' },
    ],
  ])('is hidden as well where a part of the input %s', (_what, input, shown) => {
    expect(hidden(input)).toEqual(shown);
  });

  it('is hidden as well where the input is nested too deeply for JSON', () => {
    let deep: unknown = { token: 's3cr3t' };
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    const shown = String(hidden(deep));

    expect([shown.includes('[redacted]'), shown.includes('s3cr3t')]).toEqual([true, false]);
  });

  it('is what the audit keeps of a call that a handler gave a member without a value', async () => {
    const previews: unknown[] = [];
    const adds: Handler = {
      name: 'adds',
      beforeToolCall: () =>
        transform<BeforeToolCallEvent>((event) => {
          event.toolUse = Object.assign({ ...event.toolUse }, { input: { token: 's3cr3t', note: undefined } });
        }),
    };
    await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [adds],
      audit: ({ preview }) => void previews.push(preview),
    });

    expect(JSON.stringify(previews)).toContain('[redacted]');
    expect(JSON.stringify(previews)).not.toContain('s3cr3t');
  });
});
