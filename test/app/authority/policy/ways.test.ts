import { describe, expect, it } from 'vitest';
import type { RuleNow } from '../../../../app/authority/index.ts';
import { explain } from '../../../../app/authority/policy/explain.ts';
import { offerOnCard } from '../../../../app/authority/policy/offers.ts';
import { judgeCall } from '../../../../app/authority/policy/policy.ts';
import { RuleSchema } from '../../../../app/authority/policy/rules.ts';
import { waysOfAsking } from '../../../../app/authority/policy/ways.ts';
import { OPEN, tool } from '../../../support/in-process/index.ts';
import { THREAD, user } from '../../../support/journal.ts';

const ANN = user('UANN');
const restart = tool('restart');
const input = { service: 'payments' };
const rulesOf = (...rules: readonly object[]) =>
  rules.map((rule) => RuleSchema.parse({ name: 'R', tool: 'restart', ...rule }));
const isMail = (about: { service: string }) => about.service === 'mail';

describe('the ways of asking about some calls', () => {
  const ways = (rules: readonly object[], known: object = {}) =>
    waysOfAsking(rulesOf(...rules), { tool: restart, ...known }).map(({ effect, by }) => [effect, by]);

  it('are those of the tool when no rule is about them', () => {
    expect(ways([])).toEqual([['asked', undefined]]);
    expect(ways([{ effect: 'guard', approvers: ['UBEN'], channel: 'C02' }], { channel: 'C1' })).toEqual([
      ['asked', undefined],
    ]);
    expect(waysOfAsking([], { tool: tool('look', OPEN) })).toEqual([]);
  });

  it('end at a rule that matches them all, and go on after a rule that matches some', () => {
    const guard = { effect: 'guard', approvers: ['UBEN'] };

    expect(ways([guard])).toEqual([['guarded', 'R']]);
    expect(ways([{ ...guard, when: isMail }])).toEqual([
      ['guarded', 'R'],
      ['asked', undefined],
    ]);
    expect(ways([{ ...guard, when: isMail }], { input })).toEqual([['asked', undefined]]);
  });

  it('begin with the strongest, and leave out what is denied, allowed or on trial', () => {
    const because = 'It is safe.';
    const rules = [
      { name: 'ask', effect: 'ask', when: isMail },
      { name: 'guard', effect: 'guard', approvers: ['UBEN'], when: isMail },
      { name: 'trial', effect: 'guard', approvers: ['UBEN'], shadow: true },
      { name: 'allow', effect: 'allow', because, when: isMail },
      { name: 'deny', effect: 'deny', when: isMail },
    ];

    expect(ways(rules)).toEqual([
      ['guarded', 'guard'],
      ['asked', 'ask'],
      ['asked', undefined],
    ]);
    expect(ways([{ effect: 'deny' }])).toEqual([]);
  });
});

describe('the trust that a card offers', () => {
  const call = { tool: restart, input, shown: input, thread: THREAD, requester: ANN };
  const offered = (about: Partial<typeof call>, ...rules: readonly object[]) => {
    const read = rulesOf(...rules);
    const asked = { ...call, ...about };
    return offerOnCard(read, asked, judgeCall(read, asked))?.match;
  };

  it('covers the tool when its calls are asked alike, and this input when some are not (P54)', () => {
    const several = { effect: 'ask', approvers: ['UBEN'], when: isMail };

    expect(offered({})).toBe('any');
    expect(offered({}, several)).toBe('exact');
    expect(offered({}, { ...several, channel: 'C02' })).toBe('any');
  });

  it('is missing when several people decide, or when each call is asked about (P54)', () => {
    expect(offered({}, { effect: 'ask', approvers: ['UBEN', 'UZOE'], quorum: 2 })).toBeUndefined();
    expect(offered({}, { effect: 'guard', approvers: ['UBEN'] })).toBeUndefined();
  });
});

const ruleNow: RuleNow = async ({ rule }) => ({ rule });

describe('the explanation of a call in advance', () => {
  const said = (...rules: readonly object[]) =>
    explain({ tool: restart, input, rules: rulesOf(...rules), channel: 'C1', requester: 'UANN', ruleNow });

  it('names the tool itself when no rule matches, the approvers, and the meaning of a trust', async () => {
    expect(await said()).toEqual([
      'restart {"service":"payments"}',
      'A person is asked, unless the call is trusted: the definition of restart says so.',
      'Who decides: the person who asked.',
      expect.stringMatching(/^One press of Trust covers: restart with any input/),
    ]);
  });

  it('names the rule, its reason, its people, and rules that are weaker or on trial', async () => {
    const lines = await said(
      { name: 'Two', effect: 'guard', approvers: ['UBEN', 'UZOE'], quorum: 2, because: 'It hurts.' },
      { name: 'One', effect: 'ask', approvers: ['UBEN'] },
      { name: 'Trial', effect: 'deny', shadow: true },
    );

    expect(lines.slice(1)).toEqual([
      'A person is asked every time: the rule "Two" says so.',
      'Because: It hurts.',
      'Who decides: 2 of UBEN, UZOE, but not the person who asked.',
      'The rule "One" (ask) fits too, but is weaker or stands later.',
      'The rule "Trial" is on trial and changes nothing yet. It would say deny.',
    ]);
  });

  it('names the stages in their order, and no person for a call that does not run', async () => {
    const stages = [{ approvers: ['UBEN', 'UZOE'] }, { approvers: ['UCAT'] }];

    expect((await said({ effect: 'ask', stages, selfApproval: true }))[2]).toBe(
      'Who decides: UBEN or UZOE, then UCAT.',
    );
    expect((await said({ effect: 'deny' })).slice(1)).toEqual(['The call is refused: the rule "R" says so.']);
    const odd = { tool: restart, input: { service: 7 }, rules: [], channel: 'C1', requester: 'UANN', ruleNow };
    expect(await explain(odd)).toHaveLength(1);
  });
});
