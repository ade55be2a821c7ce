import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { createHold } from '../../../../app/runs/story/hold.ts';
import { showWork, titleOf } from '../../../../app/runs/story/session.ts';
import type { SessionStatus } from '../../../../app/surface.ts';
import { approvalId, fold, started, turn, user } from '../../../support/journal.ts';

const said: EntryBody = { type: 'person-said', key: 'k', user: user('ANN'), item: 0 };
const item = JSON.stringify({
  role: 'user',
  content: [{ type: 'text', text: '<@ANN>: restart the payments service' }],
});

function scene(...entries: readonly EntryBody[]) {
  let state = fold(started, said, ...entries);
  let fire = () => {};
  const waits: number[] = [];
  const shown: { readonly to: SessionStatus; readonly session?: unknown }[] = [];
  const journal = { state: () => state, items: async () => [item] };
  const surface = {
    status: async (_thread: unknown, to: SessionStatus, session?: unknown) =>
      void shown.push(session === undefined ? { to } : { to, session }),
  };
  const timers = {
    after: (ms: number, then: () => void) => {
      waits.push(ms);
      fire = then;
      return () => {
        fire = () => {};
      };
    },
  };
  const hold = createHold(() => 0);
  return {
    shown,
    waits,
    hold,
    begin: () => showWork({ surface, timers }, { journal, ...hold }),
    pass: () => {
      const due = fire;
      fire = () => {};
      due();
    },
    happen: (...more: readonly EntryBody[]) => {
      state = fold(started, said, ...entries, ...more);
    },
  };
}

describe('a thread in which the agent works', () => {
  it('has a title and names its requester when it begins', async () => {
    const { begin, shown } = scene();

    await begin();

    expect(shown).toEqual([
      { to: 'processing', session: { title: 'restart the payments service', initiator: user('ANN') } },
    ]);
  });

  it('keeps its title when a run goes on', async () => {
    const { begin, shown } = scene(turn(1, 'a'));

    await begin();

    expect(shown).toEqual([{ to: 'processing' }]);
  });

  it('does not say so when another process ended the run meanwhile, which says once that nobody works (P29)', async () => {
    const { begin, pass, shown, happen } = scene();

    const begun = begin();
    happen({ type: 'run-stopped', cause: 'A person stopped it.' });
    await begun;
    pass();

    expect(shown).toEqual([]);
  });

  it('renews its status while the agent works, before Slack drops it after two minutes, and no longer (P29)', async () => {
    const { begin, pass, shown, waits } = scene(turn(1, 'a'));

    const stop = await begin();
    pass();
    pass();
    expect(shown).toHaveLength(3);
    expect(Math.max(...waits)).toBeLessThan(120_000);
    stop();
    pass();

    expect(shown).toHaveLength(3);
  });

  it('does not renew its status while people are waited for (P29)', async () => {
    const { begin, pass, shown, hold } = scene(turn(1, 'a'));
    await begin();

    const answered = hold.waits();
    pass();
    expect(shown).toHaveLength(1);
    answered();
    pass();

    expect(shown).toHaveLength(2);
  });

  it('does not renew its status while a tool server waits for its answer (P29)', async () => {
    const { begin, pass, shown, happen } = scene(turn(1, 'a'));
    await begin();

    happen({
      type: 'inquiry-asked',
      inquiry: approvalId(7),
      call: '1/a',
      server: 's',
      tool: 't',
      message: 'm',
      schema: '{}',
      expiresAtMs: 1,
    });
    pass();

    expect(shown).toHaveLength(1);
  });
});

describe('a title', () => {
  it.each([
    ['<@U1>: restart the *payments* service', 'restart the payments service'],
    ['<@U1>: ask <@U2> and <!channel> \u202E about `x`', 'ask and about x'],
    ['<@U1>: _call_ restart__all and tool_2_', 'call restart__all and tool_2'],
    ['<@U1>: ', 'A question'],
    ['<@U1>:', 'A question'],
    [`<@U1>: ${'x'.repeat(80)}`, 'x'.repeat(80)],
    [`<@U1>: ${'word '.repeat(50)}`, `${'word '.repeat(16).trim().slice(0, 79)}…`],
  ])('of %j is %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
    expect([...titleOf(text)].length).toBeLessThanOrEqual(80);
  });

  it.each([
    ['<@U1>: look at <@U2>', 'notes_of_may.txt', 'look at'],
    ['<@U1>', 'notes_of_may.txt', 'notes_of_may.txt'],
    ['', '*', 'A question'],
  ])('of %j with the file %j is %j', (text, name, title) => {
    expect(titleOf(text, name)).toBe(title);
  });
});
