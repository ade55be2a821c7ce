import { describe, expect, it } from 'vitest';
import { policyFindings } from '../../../../app/authority/policy/findings.ts';
import { RuleSchema } from '../../../../app/authority/policy/rules.ts';
import { OPEN, tool } from '../../../support/in-process/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const [restart, look] = [tool('restart'), tool('look', OPEN)];
const wipe = tool('wipe', { effect: 'guarded', approvers: ['U0BEN00001'] });
const because = 'It is safe.';

const findings = (rules: readonly object[], more: { readonly tools?: readonly ReturnType<typeof tool>[] } = {}) =>
  policyFindings({
    rules: rules.map((rule, n) => RuleSchema.parse({ name: `r${n}`, ...rule })),
    tools: [restart, look, wipe],
    servers: ['notes'],
    ...more,
  });

describe('a finding about the rules of a deployment', () => {
  it.each<[string, readonly object[], string]>([
    [
      'a rule that allows an open tool',
      [{ effect: 'allow', tool: 'look', because }],
      'allows look, which runs without asking already',
    ],
    ['a rule that asks about a guarded tool', [{ effect: 'ask', tool: 'wipe' }], 'asks about wipe, which is guarded'],
    [
      'a rule behind a stronger one',
      [{ effect: 'ask' }, { effect: 'guard', tool: 'restart', approvers: ['U0BEN00001'] }, { effect: 'deny' }],
      'Rule "r2" makes rule "r1" useless: it fits all of the same calls, and says deny, which is stronger.',
    ],
    ['a tool server that there is not', [{ effect: 'deny', server: 'github' }], 'names the tool server github'],
    [
      'a tool that no server offers',
      [{ effect: 'deny', tool: 'github__merge' }],
      'which no tool server in the list can offer',
    ],
  ])('is %s', (_what, rules, words) => {
    expect(findings(rules).join('\n')).toContain(words);
  });

  it.each<[string, readonly object[]]>([
    ['allows a tool that is asked', [{ effect: 'allow', tool: 'restart', because }]],
    ['asks about an open tool', [{ effect: 'ask', tool: 'look' }]],
    ['guards an open tool', [{ effect: 'guard', tool: 'look', approvers: ['U0BEN00001'] }]],
    ['names other people for a guarded tool', [{ effect: 'ask', tool: 'wipe', approvers: ['U0ZOE00001'] }]],
    ['names stages for a guarded tool', [{ effect: 'ask', tool: 'wipe', stages: [{ approvers: ['U0ZOE00001'] }] }]],
    ['is about the tools of a server, which are not known yet', [{ effect: 'ask', tool: 'wipe', server: 'notes' }]],
    ['names a tool of a server', [{ effect: 'deny', tool: 'notes__merge' }]],
    ['names where the tools of the bot come from', [{ effect: 'deny', server: ['built in', 'deployment'] }]],
    ['stands before a wider one of the same kind', [{ effect: 'deny', channel: 'C0OPS00001' }, { effect: 'deny' }]],
    [
      'stands beside one for another channel',
      [
        { effect: 'deny', channel: 'C01' },
        { effect: 'deny', channel: 'C02' },
      ],
    ],
    [
      'stands beside one for another person',
      [
        { effect: 'deny', requester: 'U01' },
        { effect: 'ask', requester: 'U02' },
      ],
    ],
    ['stands behind one on trial', [{ effect: 'deny', shadow: true }, { effect: 'ask' }]],
    ['stands behind one that looks at the input', [{ effect: 'deny', when: () => false }, { effect: 'ask' }]],
  ])('is not made about a rule that %s', (_what, rules) => {
    expect(findings(rules)).toEqual([]);
  });
});

describe('a finding about the tools of a deployment', () => {
  it('names a guarded tool without any possible approver, and none with approvers or stages', () => {
    const orphan = { ...wipe, approvers: [] };

    expect(findings([], { tools: [orphan] })).toEqual([
      'No person can approve wipe, because no approver is named. Its calls are refused.',
    ]);
    expect(findings([], { tools: [{ ...orphan, stages: [{ approvers: ['U0BEN00001'] }] }] })).toEqual([]);
    expect(findings([])).toEqual([]);
  });

  it('names a trust for longer than thirty days', () => {
    const forDays = (days: number) =>
      findings([], { tools: [tool('restart', { trust: { match: 'any', scope: 'thread', forMs: days * DAY_MS } })] });

    expect(forDays(31)).toEqual(['One press trusts restart for 31 days. People do not remember a yes for so long.']);
    expect(forDays(30)).toEqual([]);
  });
});
