import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../interventions/index.ts';

describe('a store of states in memory', () => {
  it('takes the state of one of two writers that knew the same version (BEY-27)', async () => {
    const store = createMemoryStore<{ readonly said: string[] }>();

    expect(await Promise.all([store.save('a', 0, { said: ['x'] }), store.save('a', 0, { said: ['y'] })])).toEqual([
      'saved',
      'conflict',
    ]);
    expect(await store.load('a')).toEqual({ version: 1, state: { said: ['x'] } });
    expect(await store.save('a', 1, { said: ['x', 'z'] })).toBe('saved');
    expect(await store.load('b')).toBeUndefined();
  });

  it('shares no object with what it was given, or gives', async () => {
    const store = createMemoryStore<{ readonly said: string[] }>();
    const state = { said: ['x'] };
    await store.save('a', 0, state);
    state.said.push('y');
    (await store.load('a'))?.state.said.push('z');

    expect((await store.load('a'))?.state).toEqual({ said: ['x'] });
  });
});
