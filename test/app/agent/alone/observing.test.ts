import { describe, expect, it, vi } from 'vitest';
import { BeforeToolCallEvent, type Handler } from '../../../../interventions/index.ts';
import { calling } from '../../../support/calling.ts';
import { resultsOf } from '../../../support/scripted-model.ts';

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

  it('no callback handler, and warns when an async one fails', async () => {
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
