import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../../../app/authority/authority.ts';
import { RuleSchema } from '../../../app/authority/policy/rules.ts';
import type { AskedApproval } from '../../../app/journal/fold/asked.ts';
import {
  type Approval,
  ApprovalId,
  type Doubt,
  LOOKED_UP,
  RunId,
  type StoredDecisionRule,
} from '../../../app/records/index.ts';
import { defineTool, definitionHash, toolTable } from '../../../app/tools/index.ts';
import { THREAD, user } from '../../support/journal.ts';
import { MEMBERS } from '../../support/people.ts';

const [ANN, BEN, ZOE] = [user('UANN'), user('UBEN'), user('UZOE')];
const as = (person: typeof ANN) => ({ user: person, team: THREAD.team });

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ amount: z.number() }),
  run: () => '',
});
const rules = [
  { name: 'Big', effect: 'guard', tool: 'pay', when: more(1_000), approvers: ['UBEN'] },
  {
    name: 'Huge',
    effect: 'guard',
    tool: 'pay',
    when: more(10_000),
    approvers: ['UANN', 'UBEN'],
    selfApproval: true,
    quorum: 2,
  },
  { name: 'Mad', effect: 'deny', tool: 'pay', when: more(100_000) },
];

function more(than: number): (input: { amount: number }) => boolean {
  return ({ amount }) => amount > than;
}

const authority = createAuthority({
  ruleNow: async ({ rule }) => ({ rule }),
  tools: toolTable([pay]),
  // The strongest wins, and of equal ones the first.
  rules: [...rules].reverse().map((rule) => RuleSchema.parse(rule)),
  people: MEMBERS,
  requesterIn: async () => ANN,
});

const own: StoredDecisionRule = { approvers: [], selfApproval: true };
const id = ApprovalId.parse(`00a${'A'.repeat(22)}`);

function asked(amount: number) {
  const { rule, effect } = authority.judge({ tool: pay, input: { amount }, thread: THREAD, requester: ANN });
  if (effect !== 'asked' && effect !== 'guarded') throw new Error('Nobody is asked about this.');
  return { rule, effect };
}

describe('an edited input', () => {
  const edited = async (amount: number, by = ANN, tool = 'pay') => {
    // Only what is read: who is asked, about which tool, and for whom.
    const about = { tool, rule: own, effect: 'asked', requester: ANN, alsoSteeredBy: [], thread: THREAD };
    const may = await authority.judgeEdit(about as unknown as AskedApproval, about as unknown as Approval, {
      by: as(by),
      input: JSON.stringify({ amount }),
    });
    return 'why' in may ? may.why : may.terms?.effect;
  };
  it('is decided by the approvers that the rules name for it, not by those of the first input (P34)', async () => {
    expect(await edited(20)).toBe('asked');
    expect(await edited(5_000)).toMatch(/not one of the people/);
    expect(await edited(5_000, BEN)).toBe('guarded');
    expect(await edited(50_000)).toMatch(/several people/);
    expect(await edited(500_000)).toMatch(/“Mad” does not allow/);
  });

  it('of a tool that is gone cannot be approved, and the approver hears why', async () => {
    expect(await edited(20, ANN, 'gone')).toBe('There is no tool named gone any more.');
  });
});

describe('a card from before the rules were changed', () => {
  const right = async (amount: number, by: typeof ANN) => {
    const about = {
      tool: 'pay',
      definition: definitionHash(pay),
      rule: own,
      effect: 'asked',
      requester: ANN,
      alsoSteeredBy: [],
      thread: THREAD,
      standing: { status: 'pending' },
    };
    const press = { by: as(by), input: JSON.stringify({ amount }) };
    return authority.mayDecide(about as unknown as AskedApproval, about as unknown as Approval, press);
  };
  const nobodyElse = { type: 'refused', why: expect.any(String), notNamed: true };

  it('takes no approval from its own or the new approvers, and takes a denial from both (P34)', async () => {
    const outdated = { type: 'outdated', why: expect.stringContaining('I ask again under today’s rules') };
    expect(await right(5_000, ANN)).toEqual(outdated);
    expect(await right(5_000, BEN)).toEqual(outdated);
    expect(await right(5_000, ZOE)).toEqual(nobodyElse);
  });

  it('takes no approval when several people have to decide now (P34)', async () => {
    expect(await right(50_000, ANN)).toMatchObject({ type: 'outdated' });
  });

  it('takes no approval for a call that a rule denies now, and names that rule', async () => {
    expect(await right(500_000, ANN)).toEqual({ type: 'outdated', why: expect.stringContaining('“Mad”') });
    expect(await right(500_000, ZOE)).toEqual(nobodyElse);
  });

  it('is decided as before while the rules ask the same people', async () => {
    expect(await right(20, ANN)).toEqual({ type: 'allowed', stages: [0] });
  });
});

it('a press is put off, and its card not outdated, while a function cannot say who may approve (P34)', async () => {
  const tool = { ...pay, approvers: [LOOKED_UP], selfApproval: false };
  const looked = createAuthority({
    ruleNow: async () => ({ why: 'its function failed' }),
    tools: toolTable([tool]),
    rules: [],
    people: MEMBERS,
    requesterIn: async () => ANN,
  });
  const call = { input: { amount: 20 }, thread: THREAD, requester: ANN };
  const now = looked.judge({ tool, ...call });
  const about = {
    ...{ tool: 'pay', definition: definitionHash(tool), effect: now.effect },
    ...{ rule: { ...now.rule, approvers: [BEN], lookedUp: true }, requester: ANN, alsoSteeredBy: [] },
    ...{ thread: THREAD, standing: { status: 'pending' } },
  };

  expect(
    await looked.mayDecide(about as unknown as AskedApproval, about as unknown as Approval, {
      by: as(BEN),
      input: '{"amount":20}',
    }),
  ).toMatchObject({ type: 'refused', why: expect.stringContaining('You cannot decide about this call yet') });
});

it('a yes is lost when the person who gave it left the group or was deactivated (P34, P44)', async () => {
  const rule: StoredDecisionRule = { approvers: [user('SOPS'), BEN], selfApproval: false, quorum: 3 };
  const tool = { ...pay, ...rule, effect: 'guarded' as const };
  const deps = {
    tools: toolTable([tool]),
    rules: [],
    people: {
      account: async ({ user: who }: { user: string }) =>
        who === 'UBEN' ? ('deactivated' as const) : ('person' as const),
      isInGroup: async ({ user: who }: { user: string }) => who === 'UCAT',
      isInChannel: async () => true,
      members: async () => undefined,
    },
    requesterIn: async () => ANN,
  };
  const yeses = ['UCAT', 'UZOE', 'UBEN'].map((id) => ({ by: user(id), atMs: 1 }));
  const card = { tool: 'pay', definition: definitionHash(tool), rule, effect: 'guarded', yeses };
  const about = { ...card, standing: { status: 'pending' }, requester: ANN, alsoSteeredBy: [], thread: THREAD };

  const lost = createAuthority({ ruleNow: async (judged) => judged, ...deps }).lostYeses(
    about as unknown as AskedApproval,
    about as unknown as Approval,
    '{"amount":1}',
  );
  expect(await lost).toEqual(['UZOE', 'UBEN']);
});

describe('the outcome of a lost call that a rule gave to other approvers than its tool names', () => {
  const doubt = (amount: number): Doubt => ({
    id,
    run: RunId.parse(`00r${'A'.repeat(22)}`),
    thread: THREAD,
    requester: ANN,
    alsoSteeredBy: [],
    tool: 'pay',
    summary: 'Pay.',
    input: JSON.stringify({ amount }),
    hides: [],
    digest: 'd',
    ...asked(amount),
    askedAtMs: 0,
    expiresAtMs: 1,
    standing: { status: 'pending' },
  });
  const told = async (amount: number, by: typeof ANN) =>
    (await authority.mayTell(doubt(amount), { by: as(by), input: JSON.stringify({ amount }) })).type;

  it('is told by those approvers, and by no other person (P34)', async () => {
    expect(await told(20, ANN)).toBe('allowed');
    expect(await told(5_000, BEN)).toBe('allowed');
    expect(await told(5_000, ANN)).toBe('refused');
    expect(await told(5_000, ZOE)).toBe('refused');
  });
});

it('the input of a lost call is judged as the tool parses it, secrets included, and not as it is shown (P34, T16)', async () => {
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    input: z.object({ to: z.string(), token: z.string(), copies: z.number().default(9) }),
    effect: 'open',
    because: 'a test',
    run: () => '',
  });
  const judged = createAuthority({
    ruleNow: async ({ rule }) => ({ rule }),
    tools: toolTable([send]),
    rules: [
      RuleSchema.parse({
        name: 'Ours',
        effect: 'ask',
        tool: 'send',
        when: ({ token, copies }: { token: string; copies: number }) => token === 'ours' && copies === 9,
        approvers: ['UBEN'],
      }),
    ],
    people: MEMBERS,
    requesterIn: async () => ANN,
  });
  const doubt = {
    tool: 'send',
    rule: own,
    effect: 'asked',
    requester: ANN,
    alsoSteeredBy: [],
    thread: THREAD,
  } as unknown as Doubt;
  const tells = async (input: object) =>
    (await judged.mayTell(doubt, { by: as(ANN), input: JSON.stringify(input) })).type;

  expect(await tells({ to: 'x', token: 'ours' })).toBe('refused');
  expect(await tells({ to: 'x', token: '[hidden 0123456789]' })).toBe('allowed');
});

describe('trust, where rules judge calls by their input (P50)', () => {
  const approval = (amount: number) =>
    ({
      tool: 'pay',
      requester: ANN,
      alsoSteeredBy: [],
      thread: THREAD,
      input: JSON.stringify({ amount }),
      ...asked(amount),
    }) as unknown as Approval;
  const terms = (match: 'exact' | 'any') => ({ match, scope: 'requester', forMs: 1_000 }) as const;
  const offer = (amount: number, match: 'exact' | 'any', by = ANN) =>
    authority.offer(approval(amount), { by: as(by), terms: terms(match), input: JSON.stringify({ amount }) });

  it('is offered for exactly this input, and not for calls that other people decide', async () => {
    expect(await offer(20, 'exact')).toMatchObject({ match: 'exact' });
    expect(await offer(20, 'any')).toEqual({ why: expect.stringContaining('“Huge”') });
    expect(await offer(5_000, 'exact', BEN)).toEqual({ why: expect.stringContaining('“Big”') });
    const call = { tool: pay, input: { amount: 20 }, thread: THREAD, requester: ANN, shown: { amount: 20 } };
    const line = await authority.offerOnCard(call, [ANN]);
    expect(line).toMatchObject({ match: 'exact', line: expect.stringContaining('pay with amount 20, in') });
  });

  it('is refused in words for all calls of the tool', async () => {
    const wish = { tool: 'pay', scope: 'requester', thread: THREAD, by: ANN } as const;
    expect(await authority.mayGive(wish)).toEqual({ why: expect.stringContaining('every time') });
  });
});

describe('trust, where a rule names other people than the tool does (P34)', () => {
  const given = (rule: object, by: typeof ANN, changes: { scope?: 'channel' | 'requester'; channel?: string } = {}) =>
    createAuthority({
      ruleNow: async ({ rule }) => ({ rule }),
      tools: toolTable([pay]),
      rules: [RuleSchema.parse({ name: 'Payments', effect: 'ask', tool: 'pay', ...rule })],
      people: MEMBERS,
      requesterIn: async () => ANN,
    }).mayGive({
      tool: 'pay',
      scope: changes.scope ?? 'channel',
      thread: { ...THREAD, channel: changes.channel ?? THREAD.channel },
      by,
    });

  it('is given by those people, and not by the requester', async () => {
    expect(await given({ approvers: ['UBEN'] }, BEN)).toMatchObject({ policy: expect.any(String) });
    expect(await given({ approvers: ['UBEN'] }, ANN)).toEqual({ why: expect.stringContaining('approvers') });
    expect(await given({ approvers: ['UBEN'] }, ANN, { scope: 'requester' })).toHaveProperty('why');
  });

  it('is given by no single person when the rule wants several', async () => {
    const why = await given({ approvers: ['UBEN', 'UZOE'], quorum: 2 }, BEN);
    expect(why).toEqual({ why: expect.stringContaining('Several people') });
  });

  it('is judged by the rules that can reach its calls, and by no others', async () => {
    const there = { channel: 'COTHER', approvers: ['UBEN'] };
    expect(await given(there, ANN, { channel: 'COTHER' })).toHaveProperty('why');
    expect(await given(there, BEN)).toHaveProperty('why');
    expect(await given({ requester: 'UZOE', approvers: ['UBEN'] }, ANN, { scope: 'requester' })).toHaveProperty(
      'policy',
    );
  });
});
