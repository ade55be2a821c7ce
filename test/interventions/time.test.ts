import { expect, it } from 'vitest';
import { within } from '../../interventions/index.ts';

it.each([
  ['has a value', () => Promise.resolve('yes')],
  ['fails', () => Promise.reject(new Error('no'))],
])(
  'a wait whose promise %s stops its timer, so that it does not keep a process alive (BEY-18)',
  async (_what, made) => {
    const running = new Set<object>();
    const timers = {
      after: () => {
        const timer = {};
        running.add(timer);
        return () => void running.delete(timer);
      },
    };
    const { signal } = new AbortController();
    const wait = within(made(), { signal, timers, timeoutMs: 5, onTimeout: () => new Error('late') });
    expect(running.size).toBe(1);
    await wait.catch(() => {});

    expect(running.size).toBe(0);
  },
);
