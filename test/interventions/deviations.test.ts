import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AfterToolsEvent,
  confirm,
  createHookRegistry,
  deny,
  guide,
  type Handler,
  InterruptEvent,
  type Profile,
} from '../../interventions/index.ts';
import { sources } from '../support/imports.ts';
import { RESTORED } from '../support/profile.ts';
import { call, loop, resultsOf, scriptedModel, witness } from '../support/scripted-model.ts';

interface Row {
  readonly rule: string;
  readonly cells: readonly string[];
  readonly why: string;
  readonly restored: boolean;
}

const rows = readFileSync('interventions/README.md', 'utf8')
  .split('\n')
  .flatMap((line): Row[] => {
    const [rule = '', ...cells] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (!/^[A-Z]+-\d+$/.test(rule)) return [];
    const end = cells[3] ?? '';
    return [{ rule, cells, why: cells[2] ?? '', restored: end === 'restored' || end.startsWith('in part: ') }];
  });

const gate = (ask: () => unknown): Handler => ({ name: 'gate', beforeToolCall: () => confirm('Run it?', { ask }) });
const asks = (name: string): Handler => ({ name, beforeToolCall: () => confirm(`${name}?`) });

/** One tool call past these handlers. */
async function once(profile: Profile, interventions: readonly Handler[], hooks = createHookRegistry()) {
  const model = scriptedModel([call('t', { a: 1 })], 'Done.');
  return loop({ model, tools: [witness('t')], interventions, profile, hooks });
}

/** What is seen of a rule under a profile: different where the profile brings the reference back, else the same. */
const SEEN: Readonly<Record<string, (profile: Profile) => Promise<unknown>>> = {
  'BEY-4': async (profile) => {
    const outcome = await once(profile, [asks('gate')]);
    return outcome.type === 'interrupted' ? outcome.interrupts.map(({ id }) => id) : 'nobody was asked';
  },
  'BEY-9': async (profile) => {
    const model = scriptedModel(...Array.from({ length: 50 }, () => 'Again.'));
    await loop({ model, interventions: [{ name: 'nag', afterModelCall: () => guide('again') }], profile });
    return model.requests.length;
  },
  'BEY-11': async (profile) => {
    const model = scriptedModel('Hello.');
    await loop({ model, interventions: [{ name: 'advice', beforeModelCall: () => guide('be short') }], profile });
    return model.requests[0]?.messages.map(({ role }) => role);
  },
  'BEY-15': async (profile) => {
    let asked = 0;
    await once(profile, [gate(() => ++asked > 0), { name: 'no', beforeToolCall: () => deny('never') }]);
    return asked;
  },
  'BEY-16': async (profile) => {
    const outcome = await once(profile, [asks('one'), asks('two')]);
    return outcome.type === 'interrupted' ? outcome.interrupts.map(({ name }) => name) : 'nobody was asked';
  },
  'BEY-17': async (profile) => {
    const seen: unknown[] = [];
    const hooks = createHookRegistry();
    hooks.addCallback(AfterToolsEvent, ({ results }) => void seen.push(results));
    hooks.addCallback(InterruptEvent, ({ interrupt }) => void seen.push(interrupt.name));
    const outcome = await once(profile, [asks('gate')], hooks);
    return [seen, resultsOf(outcome.state.messages)];
  },
  'BEY-23': async (profile) => resultsOf((await once(profile, [gate(() => false)])).state.messages),
  'BEY-38': async (profile) => {
    let asked = 0;
    await once(profile, [gate(() => `perhaps ${++asked}`)]);
    return asked;
  },
};

/** Each place where the profile decides something, and the rules it decides about. */
const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  'app/agent/loop/advice.ts': ['BEY-11'],
  'app/agent/loop/calls/batch.ts': ['BEY-16'],
  'app/agent/loop/run.ts': ['BEY-9'],
  'app/agent/loop/turn.ts': ['BEY-11'],
  'interventions/human-in-the-loop/answer.ts': ['BEY-23', 'BEY-38'],
  'interventions/human-in-the-loop/ask.ts': ['BEY-38'],
  'interventions/human-in-the-loop/human-in-the-loop.ts': ['BEY-38'],
  'interventions/pipeline/pipeline.ts': ['BEY-15', 'BEY-16'],
};

const NEVER_SWITCHED_OFF = [1, 2, 3, 5, 6, 13, 14, 18, 22, 25, 27, 28, 34].map((number) => `BEY-${number}`);
const byNumber = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

describe('the table of deviations in the README', () => {
  it('has each rule that goes beyond the reference once, with a reason in one sentence (REF-8, BEY-43)', () => {
    const beyond = rows.filter(({ rule }) => rule.startsWith('BEY-')).map(({ rule }) => rule);

    expect(beyond).toEqual(Array.from({ length: 42 }, (_, index) => `BEY-${index + 1}`));
    expect(new Set(rows.map(({ rule }) => rule)).size).toBe(rows.length);
    for (const { rule, cells, why } of rows) {
      expect(cells, rule).toHaveLength(4);
      expect(
        cells.slice(0, 3).every((cell) => cell.endsWith('.')),
        rule,
      ).toBe(true);
      expect(why, rule).toMatch(/^[^.]+\.$|^`[^`]+`[^.]+\.$/);
      expect(cells[3], rule).toMatch(/^(restored|no|in part: .+)$/);
    }
  });

  it('marks a rule as restored by the profile exactly when its tests run under strict alone (REF-8, BEY-43)', () => {
    const restored = rows.filter((row) => row.restored).map(({ rule }) => rule);

    expect(restored).toEqual([...RESTORED].sort(byNumber));
    expect(restored.filter((rule) => NEVER_SWITCHED_OFF.includes(rule))).toEqual([]);
  });

  it('knows every place at which the profile decides (REF-8, BEY-43)', () => {
    const places = sources().filter(({ text }) => /profile\s*[!=]==?\s*'(strict|reference)'/.test(text));

    expect(places.map(({ path }) => path).sort()).toEqual(Object.keys(SWITCHES));
    expect([...new Set(Object.values(SWITCHES).flat())].sort(byNumber)).toEqual([...RESTORED].sort(byNumber));
  });

  it.each(Object.entries(SEEN))(
    'matches the switch of the profile for one rule (%s, REF-8, BEY-43)',
    async (rule, see) => {
      const row = rows.find((one) => one.rule === rule);
      const [strict, reference] = [await see('strict'), await see('reference')];

      if (row?.restored === true) expect(reference).not.toEqual(strict);
      else expect(reference).toEqual(strict);
    },
  );

  it('has each restored rule tested under both profiles (REF-8, BEY-43)', () => {
    expect(RESTORED.filter((rule) => !(rule in SEEN))).toEqual([]);
  });

  it('is tested under the profile that its run names (REF-8, BEY-43)', async () => {
    const outcome = await loop({
      model: scriptedModel([call('t')], 'Done.'),
      tools: [witness('t')],
      interventions: [asks('one'), asks('two')],
    });
    const names = outcome.type === 'interrupted' ? outcome.interrupts.map(({ name }) => name) : [];

    expect(names).toEqual(process.env.PROFILE === 'reference' ? ['one'] : ['one', 'two']);
  });
});
