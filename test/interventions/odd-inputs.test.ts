import { describe, expect, it } from 'vitest';
import type { LoopOptions } from '../../app/agent/loop/loop.ts';
import {
  BeforeToolCallEvent,
  createHookRegistry,
  freezeDeep,
  type Handler,
  HOOK_ORDER,
  HumanInTheLoop,
  transform,
} from '../../interventions/index.ts';
import { standardProfile } from '../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

/** One approved call, whose input a handler has replaced by this one. */
async function approved(input: unknown, onStart = () => {}, options: Partial<LoopOptions> = {}) {
  const tool = witness('t');
  const asked: unknown[] = [];
  const replaces: Handler = {
    name: 'replaces',
    gate: false,
    beforeToolCall: () => transform<BeforeToolCallEvent>((event) => void Object.assign(event.toolUse, { input })),
  };
  const ask = (prompt: string) => {
    asked.push(prompt.split('Input: ')[1]);
    return true;
  };
  const { state } = await loop({
    model: scriptedModel([call('t')], 'Done.'),
    tools: [tool],
    ...options,
    interventions: [replaces, new HumanInTheLoop({ ask })],
    audit: ({ kind }) => (kind === 'start' ? onStart() : undefined),
  });
  return { asked, runs: tool.runs, results: resultsOf(state.messages) };
}

describe('what was shown is what runs, also when a handler', () => {
  it('changes an object that it has put into the call, after the last check (BEY-2, BEY-37)', async () => {
    const nested = { to: 'test' };
    const { asked, runs } = await approved(Object.freeze({ nested }), () => {
      nested.to = 'production';
    });

    expect(asked).toEqual(['{"nested":{"to":"test"}}']);
    expect(runs).toEqual([{ nested: { to: 'test' } }]);
  });

  it('gives an input that is computed at each reading (BEY-2)', async () => {
    let to = 'test';
    const input = Object.defineProperty({}, 'to', { enumerable: true, get: () => to });
    const { asked, runs } = await approved(input, () => {
      to = 'production';
    });

    expect(asked).toEqual(['{"to":"test"}']);
    expect(runs).toEqual([{ to: 'test' }]);
  });

  it('gives an input of which a part cannot be read (BEY-39)', async () => {
    const fails = () => {
      throw new Error('not today');
    };
    const { asked, runs } = await approved(Object.defineProperty({}, 'to', { enumerable: true, get: fails }));

    expect(asked).toEqual(['{"to":#symbol("Symbol(unreadable)")}']);
    expect(runs).toHaveLength(1);
  });

  it('gives an input with a date, and changes it after the last check (BEY-2, BEY-37)', async () => {
    const at = new Date(5);
    const { asked, runs } = await approved({ list: [at] }, () => void at.setTime(7));

    expect(asked).toEqual(['{"list":[#Date(5){}]}']);
    expect(runs).toEqual([{ list: [new Date(5)] }]);
  });

  it('changes a date of the sealed call after the last check (BEY-2, BEY-37)', async () => {
    const hooks = createHookRegistry();
    let sealed: Date | undefined;
    const keep = ({ toolUse }: BeforeToolCallEvent) => {
      sealed = Object(toolUse.input).at;
    };
    hooks.addCallback(BeforeToolCallEvent, keep, { order: HOOK_ORDER.last });
    const { runs } = await approved({ at: new Date(5) }, () => void sealed?.setTime(7), { hooks });

    expect([sealed?.getTime(), runs]).toEqual([7, [{ at: new Date(5) }]]);
  });

  it.each<[string, unknown]>([
    ['a Map', new Map([['to', 'test']])],
    ['a Set', new Set(['test'])],
    ['a typed array', new Float64Array([1])],
    ['a Buffer', Buffer.from('test')],
    ['an ArrayBuffer', new ArrayBuffer(8)],
    ['a URL', new URL('https://example.com/a')],
    ['an instance of a class', new (class To {})()],
  ])('gives an input with %s, which can be changed after it was shown and is refused (BEY-2)', async (_what, odd) => {
    const { asked, runs, results } = await approved({ odd });

    expect(runs).toEqual([]);
    // The reference asks people at once, before the call is sealed.
    expect(asked).toHaveLength(standardProfile() === 'reference' ? 1 : 0);
    expect(results.join()).toContain('neither data nor a date');
  });
});

describe('an input that cannot be read', () => {
  const fails = () => {
    throw new Error('not today');
  };

  it.each<[string, object, string]>([
    ['keys fail', new Proxy({}, { ownKeys: fails }), 'not today'],
    ['kind fails', new Proxy({}, { getPrototypeOf: fails }), 'not today'],
    ['members fail to show themselves', new Proxy({ a: 1 }, { getOwnPropertyDescriptor: fails }), 'not today'],
    ['list has no length', new Proxy([1], { get: fails }), 'not today'],
    ['date is none', new Proxy(new Date(5), {}), 'not a Date'],
    ['map is none', new Proxy(new Map(), {}), 'Map'],
  ])('ends the run with what it says, and no tool runs, where its %s (BEY-39)', async (_what, odd, says) => {
    const started: string[] = [];

    await expect(approved({ odd }, () => void started.push('t'))).rejects.toThrow(says);
    expect(started).toEqual([]);
  });
});

describe('a sealed call', () => {
  it('refuses a change of any part, which a late callback tries to make (BEY-37)', async () => {
    const hooks = createHookRegistry();
    const change = ({ toolUse }: BeforeToolCallEvent) => void Object.assign(Object(toolUse.input).nested, { to: 'x' });
    hooks.addCallback(BeforeToolCallEvent, change, { order: HOOK_ORDER.last });
    const tool = witness('t');
    const running = loop({ model: scriptedModel([call('t', { nested: { to: 'test' } })]), tools: [tool], hooks });

    await expect(running).rejects.toThrow('read only');
    expect(tool.runs).toEqual([]);
  });
});

describe('what is frozen deeply', () => {
  it('is frozen at each level, also below one that was frozen before, and in a circle', () => {
    const circle: { self?: unknown; readonly inner: { readonly list: readonly object[] } } = { inner: { list: [{}] } };
    circle.self = circle;
    Object.freeze(circle.inner);
    freezeDeep(circle);

    expect([circle, circle.inner.list, circle.inner.list[0]].map(Object.isFrozen)).toEqual([true, true, true]);
  });
});
