import { describe, expect, it, vi } from 'vitest';
import { BeforeToolCallEvent, type Handler } from '../../../../interventions/index.ts';
import { calling } from '../../../support/calling.ts';
import { handTimers, resultsOf } from '../../../support/scripted-model.ts';

describe('an agent waits for', () => {
  it('a handler that observes it, and fails with it (HND-8)', async () => {
    const order: string[] = [];
    const observes: Handler = {
      name: 'h',
      observeAgent: async ({ hooks }) => {
        await Promise.resolve();
        hooks.addCallback(BeforeToolCallEvent, () => void order.push('callback'));
      },
    };
    await calling({ interventions: [observes] }).invoke();
    expect(order).toEqual(['callback']);

    const fails: Handler = { name: 'h', observeAgent: async () => Promise.reject(new Error('no rota')) };
    const { invoke, tool } = calling({ interventions: [fails] });
    await expect(invoke()).rejects.toThrow('no rota');
    expect(tool.runs).toEqual([]);
  });

  it('a handler that observes it no longer than its limit, or until it is cancelled (HND-8)', async () => {
    const timers = handTimers();
    const never: Handler = { name: 'h', observeAgent: () => new Promise<void>(() => {}) };
    const { made, tool } = calling({ interventions: [never], timers, limits: { handlerTimeoutMs: 50 } });
    const observed = made();
    const controller = new AbortController();

    const cancelled = observed.invoke('go', { cancelSignal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect((await cancelled).stopReason).toBe('cancelled');

    const late = expect(observed.invoke('go')).rejects.toThrow('h.observeAgent did not end in 50 ms');
    await new Promise((resolve) => setImmediate(resolve));
    timers.pass(50);
    await late;
    expect(tool.runs).toEqual([]);
  });

  it('no callback handler, and outlives one that fails later while its warning fails as well (G-01)', async () => {
    const ended = vi.fn();
    process.on('unhandledRejection', ended);
    const warn = vi.fn(() => {
      throw new Error('no log');
    });
    const { invoke } = calling({ warn, callbackHandler: async () => Promise.reject(new Error('no screen')) });

    expect((await invoke()).stopReason).toBe('endTurn');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', ended);
    expect(warn).toHaveBeenCalled();
    expect(ended).not.toHaveBeenCalled();
  });

  it('the warning about a callback handler that throws, and fails with it (G-01)', async () => {
    const warn = () => {
      throw new Error('no log');
    };
    const callbackHandler = () => {
      throw new Error('no screen');
    };

    await expect(calling({ warn, callbackHandler }).invoke()).rejects.toThrow('no log');
  });

  it('no callback handler, and warns when an async one fails (G-01)', async () => {
    const warn = vi.fn();
    const { invoke } = calling({ warn, callbackHandler: async () => Promise.reject(new Error('no screen')) });

    expect(resultsOf([(await invoke()).lastMessage ?? { role: 'user', content: [] }])).toEqual([]);
    await vi.waitFor(() => expect(JSON.stringify(warn.mock.calls)).toContain('no screen'));
  });
});

it('a handler that could not observe the agent is shown it again, and the others are not (HND-8)', async () => {
  const seen: string[] = [];
  const first: Handler = { name: 'first', observeAgent: () => void seen.push('first') };
  const second: Handler = {
    name: 'second',
    observeAgent: () => {
      seen.push('second');
      if (seen.length === 2) throw new Error('not yet');
    },
  };
  const asking = calling({ interventions: [first, second] }).made();

  await expect(asking.invoke('go')).rejects.toThrow('not yet');
  await asking.invoke('again');

  expect(seen).toEqual(['first', 'second', 'second']);
});
