import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { problemWithRules, problemWithTool } from '../../../../app/authority/policy/check.ts';
import { type JudgedCall, judgeCall, policyHash } from '../../../../app/authority/policy/policy.ts';
import { defineRule, type ReadRule, type Rule, RuleSchema } from '../../../../app/authority/policy/rules.ts';
import { defineTool, type Tool } from '../../../../app/tools/index.ts';
import { THREAD, user } from '../../../support/journal.ts';

const deploy = defineTool({
  name: 'deploy',
  description: 'Deploys.',
  input: z.object({ to: z.enum(['test', 'live']), size: z.number().default(1) }),
  run: () => '',
});
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: z.object({}),
  effect: 'open',
  because: 'It changes nothing.',
  run: () => '',
});
const wipe = defineTool({
  name: 'wipe',
  description: 'Wipes.',
  input: z.object({}),
  effect: 'guarded',
  approvers: ['UBEN'],
  run: () => '',
});

const read = (...rules: readonly Rule[]): readonly ReadRule[] => rules.map((rule) => RuleSchema.parse(rule));
const call = (tool: Tool, input: JudgedCall['input'] = {}, changes: Partial<JudgedCall> = {}): JudgedCall => ({
  tool,
  input,
  thread: THREAD,
  requester: user('UANN'),
  ...changes,
});
const judged = (rules: readonly Rule[], ...about: Parameters<typeof call>) => judgeCall(read(...rules), call(...about));

const live = defineRule({ name: 'not live', effect: 'deny', tool: deploy, when: ({ to }) => to === 'live' });
const test_ = defineRule({
  name: 'test is free',
  effect: 'allow',
  tool: deploy,
  when: ({ to }) => to === 'test',
  because: 'A test.',
});
const all = defineRule({ name: 'always ask', effect: 'ask' });

describe('the judgement of a call', () => {
  it('follows the tool’s own class when no rule matches, and is “asked” when the tool gives none (T13)', () => {
    expect(judged([], deploy, { to: 'live' }).effect).toBe('asked');
    expect(judged([], look).effect).toBe('open');
    expect(judged([], wipe).effect).toBe('guarded');
    expect(judged([live], deploy, { to: 'test' })).not.toHaveProperty('ruledBy');
  });

  it('follows the strongest rule, in any order of the rules', () => {
    const guard = defineRule({ name: 'guard it', effect: 'guard', approvers: ['UBEN'] });
    const deny = defineRule({ name: 'deny it', effect: 'deny' });
    const allow = defineRule({ name: 'allow it', effect: 'allow', because: 'Fine.' });

    for (const rules of [
      [allow, all, guard, deny],
      [deny, guard, all, allow],
    ]) {
      expect(judged(rules, deploy, { to: 'live' })).toMatchObject({ effect: 'denied', ruledBy: { name: 'deny it' } });
    }
    expect(judged([allow, all, guard], deploy)).toMatchObject({ effect: 'guarded', ruledBy: { name: 'guard it' } });
    expect(judged([allow, all], look)).toMatchObject({ effect: 'asked', ruledBy: { name: 'always ask' } });
    expect(judged([allow], deploy)).toMatchObject({ effect: 'open', ruledBy: { name: 'allow it', because: 'Fine.' } });
  });

  it('names the first of several equally strong rules', () => {
    const other = defineRule({ name: 'ask as well', effect: 'ask' });

    expect(judged([all, other], deploy).ruledBy).toMatchObject({ name: 'always ask' });
    expect(judged([other, all], deploy).ruledBy).toMatchObject({ name: 'ask as well' });
  });

  it('says of a rule whether the tool would ask the same people in the same way without it (SURF-1)', () => {
    const unchanged = (rule: Partial<Rule>) =>
      judged([defineRule({ name: 'x', effect: 'ask', ...rule })], deploy).ruledBy?.unchanged === true;

    expect(unchanged({})).toBe(true);
    expect(unchanged({ effect: 'guard' })).toBe(false);
    expect(unchanged({ approvers: ['U0BEN'] })).toBe(false);
    expect(unchanged({ approvers: ['U0BEN', 'U0ZOE'], quorum: 2 })).toBe(false);
  });

  it.each<[string, Partial<Rule>, boolean]>([
    ['its tool', { tool: 'deploy' }, true],
    ['another tool', { tool: ['look', wipe] }, false],
    ['its server', { server: 'deployment' }, true],
    ['another server', { server: ['github'] }, false],
    ['its channel', { channel: ['C0OPS', 'C0LIVE'] }, true],
    ['another channel', { channel: 'C0OPS' }, false],
    ['its requester', { requester: 'UANN' }, true],
    ['another requester', { requester: ['UBEN'] }, false],
    ['its tool in another channel', { tool: 'deploy', channel: 'C0OPS' }, false],
  ])('follows a rule that matches by %s', (_what, part, fits) => {
    const thread = { ...THREAD, channel: 'C0LIVE' };

    const { effect } = judged([{ name: 'no', effect: 'deny', ...part }], deploy, { to: 'live' }, { thread });

    expect(effect).toBe(fits ? 'denied' : 'asked');
  });

  it('reads the input through the tool’s own schema', () => {
    const big = defineRule({ name: 'big', effect: 'deny', tool: deploy, when: ({ size }) => size > 1 });

    expect(judged([live], deploy, { to: 'live' }).effect).toBe('denied');
    expect(judged([test_], deploy, { to: 'test' }).effect).toBe('open');
    expect(judged([big], deploy, { to: 'live' }).effect).toBe('asked');
    expect(judged([big], deploy, { to: 'live', size: 2 }).effect).toBe('denied');
    defineRule({
      name: 'typed',
      effect: 'ask',
      tool: deploy,
      when: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ to: 'test' | 'live'; size: number }>();
        // @ts-expect-error The tool has no such field.
        return input.from === '';
      },
    });
  });

  const odd: readonly (readonly [string, () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('odd');
      },
    ],
    ['answers with a word', () => 'yes'],
    ['answers later', async () => true],
    ['answers nothing', () => undefined],
  ];
  it.each(odd)('is never “allowed”, and always “denied”, by a rule that %s (T1)', (_what, when) => {
    // What a deployment without types could write.
    const strange = { tool: 'deploy', when: when as () => boolean };

    expect(judged([{ name: 'a', effect: 'allow', because: 'x', ...strange }], deploy).effect).toBe('asked');
    expect(judged([{ name: 'd', effect: 'deny', ...strange }], deploy).effect).toBe('denied');
    expect(judged([{ name: 'g', effect: 'guard', approvers: ['UBEN'], ...strange }], deploy).effect).toBe('guarded');
  });

  it('stays “guarded” for a guarded tool, whatever a rule says (P39, T13)', () => {
    const allow = { name: 'allow it', effect: 'allow', because: 'Fine.' } as const;

    expect(judged([allow], wipe)).toMatchObject({
      effect: 'guarded',
      rule: { approvers: ['UBEN'], selfApproval: false },
    });
    expect(judged([allow], wipe)).not.toHaveProperty('trust');
    expect(judged([all], wipe).effect).toBe('guarded');
  });

  it('of a question to a person stays with people even when a rule allows it', () => {
    const question = { ...deploy, wants: () => ({ choices: [] }) };
    const free = { name: 'free', effect: 'allow', because: 'It is only a question.', tool: 'deploy' } as const;

    expect(judged([free], question)).toMatchObject({ effect: 'asked', ruledBy: { name: 'free' } });
    expect(judged([free], question).trust).toBeUndefined();
  });

  it('is not changed by a rule on trial, which is reported separately', () => {
    const trial = { name: 'trial', effect: 'deny', shadow: true } as const;

    expect(judged([trial, test_], deploy, { to: 'test' })).toMatchObject({
      effect: 'open',
      ruledBy: { name: 'test is free' },
      shadows: [{ name: 'trial', would: 'deny' }],
    });
  });

  it('is for the people of the rule, when the rule names some', () => {
    const two = { name: 'two', effect: 'guard', approvers: ['UBEN', 'UCAT', 'requester'], quorum: 2 } as const;

    expect(judged([two], deploy).rule).toEqual({
      approvers: ['UBEN', 'UCAT', 'requester'],
      selfApproval: true,
      quorum: 2,
    });
    expect(judged([{ ...two, selfApproval: false, approvers: ['UBEN', 'UCAT'] }], wipe).rule.selfApproval).toBe(false);
    const staged = {
      name: 's',
      effect: 'ask',
      stages: [{ approvers: ['UBEN'] }, { approvers: ['SOPS'], quorum: 2 }],
    } as const;
    expect(judged([staged], wipe).rule).toEqual({
      approvers: ['UBEN', 'SOPS'],
      selfApproval: false,
      stages: [{ approvers: ['UBEN'] }, { approvers: ['SOPS'], quorum: 2 }],
    });
  });
});

describe('an invalid rule', () => {
  const tools = [deploy, look, wipe];
  it.each<[string, Rule, RegExp]>([
    ['names an unknown tool', { name: 'a', effect: 'ask', tool: 'deplay' }, /names deplay, which is no tool/],
    ['allows a guarded tool', { name: 'a', effect: 'allow', because: 'x', tool: wipe }, /guarded: a person has to/],
    [
      'guards a tool that no person could approve (P35)',
      { name: 'a', effect: 'guard', tool: deploy },
      /\(for deploy\) names no person/,
    ],
    [
      'asks for more than there are',
      { name: 'a', effect: 'ask', approvers: ['UBEN'], quorum: 2 },
      /could never be reached\. Name more, or lower the quorum/,
    ],
    [
      'guards by the channel alone (P32)',
      { name: 'a', effect: 'guard', approvers: ['channel'] },
      /being in a channel never/,
    ],
    [
      'wants people and stages',
      { name: 'a', effect: 'ask', approvers: ['UBEN'], stages: [{ approvers: ['UCAT'] }] },
      /beside approvers/,
    ],
  ])('%s', (_what, rule, words) => {
    expect(problemWithRules(read(rule), tools)?.problem).toMatch(words);
  });

  it('is not needed for a guarded tool that no person could approve, which stops the start where a person wrote it so (P35)', () => {
    const stages = [{ approvers: [user('UBEN')] }, { approvers: [user('UBEN')] }];

    expect(problemWithTool({ ...wipe, approvers: [], stages }, true)).toMatch(
      /^has wipe, and no person could approve it/,
    );
    expect(problemWithTool({ ...wipe, approvers: [] }, true)).toMatch(/^has wipe, and no person could approve it/);
    expect([problemWithTool({ ...wipe, approvers: [] }, false), problemWithTool(wipe, true)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('asks for more people than the tool names, and names none itself', () => {
    const rule = { name: 'a', effect: 'guard', tool: wipe, quorum: 2 } as const;

    expect(problemWithRules(read(rule), tools)?.problem).toMatch(/^\(for wipe\) names 1 and the quorum is 2/);
  });

  it('guards a tool without approvers, by its name or with all tools (SURF-2)', () => {
    const orphan = { ...wipe, approvers: [] };

    expect(problemWithRules(read({ name: 'a', effect: 'guard', tool: 'wipe' }), [orphan])).toMatchObject({
      key: 'approvers',
      problem: expect.stringContaining('(for wipe) names no person'),
    });
    expect(problemWithRules(read({ name: 'a', effect: 'guard', channel: 'C0OPS' }), [orphan])).toMatchObject({
      key: 'effect',
      problem: expect.stringContaining('asks about wipe, and no person could approve it: no approver is named'),
    });
  });

  it('names only the person whose calls it is about, who may not approve them (SURF-2)', () => {
    const rule = { name: 'a', effect: 'guard', tool: 'wipe', requester: 'UANN', approvers: ['UANN'] } as const;

    expect(problemWithRules(read(rule), tools)?.problem).toContain('one is named, and that person asked');
    expect(problemWithRules(read({ ...rule, requester: 'UBEN' }), tools)).toBeUndefined();
  });

  it('has two stages for one person, who counts once (SURF-2)', () => {
    const stages = [{ approvers: ['UBEN'] }, { approvers: ['UBEN'] }];

    expect(problemWithRules(read({ name: 'a', effect: 'guard', tool: 'wipe', stages }), tools)?.problem).toContain(
      'the same people are named for several stages',
    );
  });

  it('has the name of another', () => {
    expect(problemWithRules(read(all, all), tools)).toMatchObject({ index: 1, key: 'name' });
  });

  it('allows calls without a reason, or names people without asking them', () => {
    expect(RuleSchema.safeParse({ name: 'a', effect: 'allow' }).error?.issues[0]?.message).toContain('say why');
    expect(
      RuleSchema.safeParse({ name: 'a', effect: 'deny', approvers: ['UBEN'] }).error?.issues[0]?.message,
    ).toContain('no person is asked');
  });

  it('is not one that names a tool of a server, which is known only when the server is asked', () => {
    expect(
      problemWithRules(read({ name: 'a', effect: 'guard', tool: 'github__merge', approvers: ['UBEN'] }), tools),
    ).toBeUndefined();
  });
});

describe('the name of a policy', () => {
  it('differs when any rule about the tool’s calls differs', () => {
    const base = policyHash(read(), deploy);
    const others = [
      policyHash(read(live), deploy),
      policyHash(read(test_), deploy),
      policyHash(read({ ...live, when: () => true }), deploy),
      policyHash(read({ name: 'server', effect: 'deny', server: 'deployment' }), deploy),
      policyHash(read(), { ...deploy, approvers: ['UBEN'] }),
      policyHash(read(), { ...deploy, quorum: 2 }),
    ];

    expect(new Set([base, ...others]).size).toBe(others.length + 1);
    expect(policyHash(read({ name: 'a', effect: 'deny', tool: look }), deploy)).toBe(base);
  });
});
