import { describe, expect, it } from 'vitest';
import {
  BeforeToolCallEvent,
  BeforeToolsEvent,
  confirm,
  deny,
  type Handler,
  InterruptError,
  proceed,
} from '../../../../interventions/index.ts';
import { callbacks, reply } from '../../../support/agent.ts';
import { calling } from '../../../support/calling.ts';

describe('a call does not run', () => {
  it('while a question waits whose pause a callback has caught (INT-4)', async () => {
    const hook = callbacks();
    hook.addCallback(BeforeToolCallEvent, (event) => {
      try {
        if (event.interrupt({ name: 'sure' }) !== true) event.cancel = 'no';
      } catch {}
    });
    const { made, tool } = calling({ hooks: [hook] });
    const asking = made();

    const { interrupts, stopReason } = await asking.invoke('go');

    expect([stopReason, interrupts.length, tool.runs]).toEqual(['interrupt', 1, []]);
    await asking.invoke([reply(interrupts[0], true)]);
    expect(tool.runs).toHaveLength(1);
  });

  it('while a question waits that a callback of the call asks by the earlier event of all calls (INT-4)', async () => {
    const hook = callbacks();
    const earlier: BeforeToolsEvent[] = [];
    hook.addCallback(BeforeToolsEvent, (event) => void earlier.push(event));
    hook.addCallback(BeforeToolCallEvent, () => void earlier[0]?.interrupt({ name: 'sure' }));
    const { invoke, tool } = calling({ hooks: [hook] });

    const { interrupts, stopReason } = await invoke();

    expect([stopReason, interrupts.map(({ name }) => name), tool.runs]).toEqual(['interrupt', ['sure'], []]);
  });

  it('while a question waits that a callback throws as an error of its own (INT-4)', async () => {
    const hook = callbacks();
    hook.addCallback(BeforeToolCallEvent, () => {
      throw new InterruptError([{ id: 'own', name: 'sure', source: 'hook' }]);
    });
    const { invoke, tool } = calling({ hooks: [hook] });

    const { interrupts, stopReason } = await invoke();

    expect([stopReason, interrupts.map(({ name }) => name), tool.runs]).toEqual(['interrupt', ['sure'], []]);
  });

  it('when one answer would count for the questions of a callback and a handler of one name (INT-8)', async () => {
    const hook = callbacks();
    hook.addCallback(BeforeToolCallEvent, (event) => void event.interrupt({ name: 'h', reason: 'Is it late?' }));
    const { made, tool } = calling({
      hooks: [hook],
      interventions: [{ name: 'h', beforeToolCall: () => confirm('Drop it?') }],
    });
    const asking = made();

    await expect(
      asking.invoke('go').then(({ interrupts }) => asking.invoke([reply(interrupts[0], true)])),
    ).rejects.toThrow('two questions are called "h"');
    expect(tool.runs).toEqual([]);
  });

  it('when one answer would count for two questions of one name (INT-8)', async () => {
    const asks = (name: string, reason: string): Handler => ({
      name,
      beforeToolCall: (event) => (event.interrupt({ name: 'q', reason }) === true ? proceed() : deny('no')),
    });
    const { made, tool } = calling({ interventions: [asks('a', 'Is it late?'), asks('b', 'Drop it?')] });
    const asking = made();
    const { interrupts } = await asking.invoke('go');

    await expect(asking.invoke([reply(interrupts[0], true)])).rejects.toThrow('One answer would count for both');
    expect(tool.runs).toEqual([]);
  });

  it.each<[string, object]>([
    ['a function as its reason', { name: 'q', reason: () => 'why' }],
    ['one answer in place of a list', { name: 'q', answers: 'yes' }],
    ['a date as its end', { name: 'q', expiresAtMs: new Date(0) }],
    ['no name', {}],
  ])('when it is asked about with %s (BEY-8, BEY-40)', async (_what, request) => {
    const hook = callbacks();
    hook.addCallback(BeforeToolCallEvent, (event) => void event.interrupt(request as { readonly name: string }));
    const { invoke, tool } = calling({ hooks: [hook] });

    await expect(invoke()).rejects.toThrow(/Give plain data|Give a list|Give the time|Give it one|Give a /);
    expect(tool.runs).toEqual([]);
  });
});
