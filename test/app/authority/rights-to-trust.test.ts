import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAuthority } from '../../../app/authority/authority.ts';
import type { Account } from '../../../app/authority/people.ts';
import { RuleSchema } from '../../../app/authority/policy/rules.ts';
import type { GrantedCall } from '../../../app/journal/fold/queries/trusts.ts';
import type { Approval, StandingTrust, StoredTrustTerms } from '../../../app/records/index.ts';
import { defineTool, definitionHash, toolTable } from '../../../app/tools/index.ts';
import { commandHelp, THREAD_HELP } from '../../../handlers/views/words/help.ts';
import { pending } from '../../handlers/views/records.ts';
import { grantId, HOUR_MS, THREAD, user } from '../../support/journal.ts';
import { MEMBERS } from '../../support/people.ts';

const [ANN, BEN, ZOE] = [user('UANN'), user('UBEN'), user('UZOE')];

const tool = defineTool({
  name: 'pay',
  description: 'Pays.',
  input: z.object({ amount: z.number() }),
  approvers: ['UBEN'],
  run: () => '',
});
const question = { ...tool, name: 'ask', wants: () => ({ choices: [] }) };
const more = (than: number) => (input: { amount: number }) => input.amount > than;
const OWN = { approvers: [BEN], selfApproval: true };
const rules = [
  { name: 'Mad', effect: 'deny', tool: 'pay', when: more(10_000) },
  { name: 'Huge', effect: 'guard', tool: 'pay', when: more(1_000), approvers: ['UBEN'] },
  { name: 'Big', effect: 'ask', tool: 'pay', when: more(100), approvers: ['UBEN', 'UZOE'], quorum: 2 },
  { name: 'Zoe’s', effect: 'ask', tool: 'pay', when: more(10), approvers: ['UZOE'] },
];

function authorityOf({ accounts = {}, strangers = [], ruled = true }: World = {}) {
  return createAuthority({
    ruleNow: async ({ rule }) => ({ rule }),
    tools: toolTable([tool, question]),
    rules: ruled ? rules.map((rule) => RuleSchema.parse(rule)) : [],
    people: {
      ...MEMBERS,
      account: async ({ user: id }) => accounts[id] ?? 'person',
      isInChannel: async ({ user: id }) => !strangers.includes(id),
    },
    requesterIn: async () => ANN,
  });
}

interface World {
  readonly accounts?: Readonly<Record<string, Account>>;
  readonly strangers?: readonly string[];
  readonly ruled?: boolean;
}

const given = (scope: StoredTrustTerms['scope'] = 'thread'): StandingTrust => ({
  id: grantId(),
  team: THREAD.team,
  tool: 'pay',
  definition: definitionHash(tool),
  policy: authorityOf().policyOf(tool),
  offer: { line: 'pay, any input', match: 'any', scope, forMs: HOUR_MS },
  thread: THREAD,
  requester: ANN,
  by: BEN,
  givenAtMs: 0,
  untilMs: HOUR_MS,
  uses: 0,
});

const granted = (amount: number, changes: Partial<GrantedCall> = {}): GrantedCall => ({
  team: THREAD.team,
  tool: 'pay',
  definition: definitionHash(tool),
  policy: '',
  digest: '',
  input: { amount },
  thread: THREAD,
  requester: ANN,
  steeredBy: [ANN],
  ...changes,
});

describe('a trust counts for a call', () => {
  const counts = (call: GrantedCall, { grant = given(), ...world }: World & { readonly grant?: StandingTrust } = {}) =>
    authorityOf(world).counts(grant, call);

  it('when its giver could decide about the call now', async () => {
    expect(await counts(granted(1))).toBe(true);
  });

  it.each([
    ['is denied', 20_000],
    ['is guarded', 2_000],
    ['takes several people', 200],
    ['is for another person to decide', 20],
  ])('but not for a call that %s by its input', async (_, amount) => {
    expect(await counts(granted(amount))).toBe(false);
  });

  it('but not for a tool that is gone, or one that asks a person something', async () => {
    expect(await counts(granted(1, { tool: 'gone' }))).toBe(false);
    expect(await counts(granted(1, { tool: 'ask' }))).toBe(false);
  });

  it.each<Account>(['guest', 'bot', 'deactivated', 'outsider', 'unknown'])(
    'and not once its giver, or an author in the thread, is a %s',
    async (account) => {
      expect(await counts(granted(1), { accounts: { UBEN: account } })).toBe(false);
      expect(await counts(granted(1), { accounts: { UANN: account } })).toBe(false);
    },
  );

  it('but not when one of several authors is outside the channel, unless it covers what one person starts (T11)', async () => {
    const call = granted(1, { steeredBy: [ANN, ZOE] });

    expect(await counts(call)).toBe(true);
    expect(await counts(call, { strangers: ['UZOE'] })).toBe(false);
    expect(await counts(call, { strangers: ['UZOE'], grant: given('requester') })).toBe(true);
  });

  it.each(['thread', 'channel', 'requester'] as const)(
    'but not for a call that a person steered who is no full member, whatever its scope: %s (EDGE-5, T11)',
    async (scope) => {
      for (const account of ['guest', 'outsider', 'unknown'] as const) {
        expect(await counts(granted(1), { grant: given(scope), accounts: { UANN: account } })).toBe(false);
      }
    },
  );

  it('but not for a call that its giver steered, when other people have to decide about that call', async () => {
    const strict = { ...given(), by: ZOE };

    expect(await counts(granted(20), { grant: strict })).toBe(true);
    expect(await counts(granted(20, { requester: ZOE, steeredBy: [ZOE] }), { grant: strict })).toBe(true);
    expect(await counts(granted(20), { grant: { ...strict, by: ANN } })).toBe(false);
  });
});

describe('a trust is current', () => {
  const { isCurrent } = authorityOf();

  it('while its tool and policy are those under which it was given', () => {
    expect(isCurrent(given())).toBe(true);
    expect(isCurrent({ ...given(), tool: 'gone' })).toBe(false);
    expect(isCurrent({ ...given(), definition: 'another' })).toBe(false);
    expect(isCurrent({ ...given(), policy: 'another' })).toBe(false);
  });
});

describe('trust terms other than those on the card', () => {
  const card = (changes: Parameters<typeof pending>[0] = {}): Approval =>
    pending({
      thread: THREAD,
      requester: ANN,
      tool: 'pay',
      rule: OWN,
      input: '{"amount":1}',
      ...changes,
    });
  const terms: StoredTrustTerms = { match: 'exact', scope: 'thread', forMs: HOUR_MS };
  const offer = (changes: Partial<StoredTrustTerms> = {}, approval = card(), by = BEN, ruled = true) =>
    authorityOf({ ruled }).offer(approval, {
      by: { user: by, team: THREAD.team },
      input: '{"amount":1}',
      terms: { ...terms, ...changes },
    });

  it('are offered for exactly this input to a person who may decide about it', async () => {
    expect(await offer()).toMatchObject({ ...terms, line: expect.stringContaining('pay') });
  });

  it.each<[string, Parameters<typeof offer>, string]>([
    ['a tool that is gone', [{}, card({ tool: 'gone' })], 'no tool named gone'],
    [
      'a call that several decide about',
      [{}, card({ rule: { approvers: [BEN, ZOE], selfApproval: true, quorum: 2 } })],
      'Several people',
    ],
    ['a person who is no approver', [{}, card(), ZOE], 'Only the approvers'],
    ['any input, where the rules guard some', [{ match: 'any' }], 'Huge'],
    [
      'fields that the input does not have',
      [{ match: 'fields', where: { to: '"x"' } }, card(), BEN, false],
      'does not have the chosen fields',
    ],
    [
      'one field of an input that hides something',
      [{ match: 'fields', where: { amount: '1' } }, card({ input: '{"amount":"…"}' }), BEN, false],
      'is hidden',
    ],
  ])('are not offered for %s', async (_, about, why) => {
    expect(await offer(...about)).toMatchObject({ why: expect.stringContaining(why) });
  });
});

it('trust on parts whose sentence would be too long to read is not offered, so no place has to cut it (SURF-1)', async () => {
  const input = JSON.stringify(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(70)])));
  const offerOf = (...parts: readonly string[]) =>
    authorityOf({ ruled: false }).offer(pending({ thread: THREAD, requester: ANN, tool: 'pay', rule: OWN, input }), {
      by: { user: BEN, team: THREAD.team },
      input,
      terms: {
        match: 'fields',
        where: Object.fromEntries(parts.map((part) => [part, ''])),
        scope: 'thread',
        forMs: HOUR_MS,
      },
    });

  expect(await offerOf('a', 'b', 'c')).toMatchObject({ line: expect.stringContaining(' and c xxx') });
  expect(await offerOf('a', 'b', 'c', 'd')).toMatchObject({ why: expect.stringContaining('Choose fewer parts') });
});

describe('trust that a guest or a person of another organisation could use', () => {
  const input = { amount: 1 };
  const call = { tool, input, thread: THREAD, requester: ANN, shown: input };
  const onCard = (account: Account) =>
    authorityOf({ accounts: { UZOE: account } })
      .offerOnCard(call, [ANN, ZOE])
      .then((offer) => offer?.match);

  it('is not offered on a card (EDGE-5, T11)', async () => {
    expect(await onCard('person')).toBe('exact');
    for (const account of ['guest', 'outsider', 'bot', 'unknown'] as const)
      expect(await onCard(account)).toBeUndefined();
  });

  it('is not offered on other terms (EDGE-5)', async () => {
    const { offer } = authorityOf({ accounts: { UZOE: 'guest' } });
    const steered = (alsoSteeredBy: readonly (typeof ANN)[]) =>
      pending({ thread: THREAD, requester: ANN, alsoSteeredBy, tool: 'pay', rule: OWN, input: '{"amount":1}' });
    const terms: StoredTrustTerms = { match: 'exact', scope: 'thread', forMs: HOUR_MS };
    const about = { by: { user: BEN, team: THREAD.team }, input: '{"amount":1}', terms };

    expect(await offer(steered([]), about)).toMatchObject({ match: 'exact' });
    expect(await offer(steered([ZOE]), about)).toMatchObject({ why: expect.stringContaining('no full member') });
  });

  it.each([
    ['a guest', 'guest', /^Guests cannot decide/],
    ['a person of another organisation', 'outsider', /another workspace/],
  ] as const)('is not taken from %s in words (EDGE-5, T11)', async (_who, account, why) => {
    const own = defineTool({ name: 'own', description: 'Own.', input: z.object({}), run: () => '' });
    const { mayGive } = createAuthority({
      ruleNow: async ({ rule }) => ({ rule }),
      tools: toolTable([own]),
      rules: [],
      people: { ...MEMBERS, account: async ({ user: id }) => (id === ZOE ? account : 'person') },
      requesterIn: async () => ZOE,
    });
    const wish = { tool: 'own', scope: 'requester', thread: THREAD } as const;

    expect(await mayGive({ ...wish, by: BEN })).toHaveProperty('policy');
    expect(await mayGive({ ...wish, by: ZOE })).toEqual({ why: expect.stringMatching(why) });
  });
});

describe('trust in words', () => {
  const wish = { scope: 'requester', thread: THREAD, by: BEN } as const;

  it('is refused for a tool that does not exist, and for one whose calls the rules judge in several ways', async () => {
    const { mayGive } = authorityOf();

    expect(await mayGive({ ...wish, tool: 'gone' })).toMatchObject({
      why: expect.stringContaining('no tool named gone'),
    });
    expect(await mayGive({ ...wish, tool: 'pay' })).toMatchObject({ why: expect.stringContaining('Huge') });
  });

  it('is given in each place that the help names, for a tool that its writer alone could approve (SURF-1)', async () => {
    const toolOf = (name: string, more: object) =>
      defineTool({ name, description: 'x', input: z.object({}), run: () => '', ...more });
    const { mayGive } = createAuthority({
      ruleNow: async ({ rule }) => ({ rule }),
      tools: toolTable([
        toolOf('own', {}),
        toolOf('named', { approvers: [BEN] }),
        toolOf('others', { approvers: [BEN], selfApproval: false }),
      ]),
      rules: [],
      people: MEMBERS,
      requesterIn: async () => ANN,
    });
    const placesOf = async (tool: string, by: typeof ANN) => {
      const places = ['thread', 'channel', 'requester'] as const;
      const may = await Promise.all(places.map((scope) => mayGive({ tool, scope, thread: THREAD, by })));
      return places.filter((_, at) => !('why' in (may[at] ?? { why: '' })));
    };

    expect(await placesOf('own', ANN)).toEqual(['thread', 'requester']);
    expect(await placesOf('own', BEN)).toEqual(['requester']);
    expect(await placesOf('named', BEN)).toEqual(['thread', 'channel', 'requester']);
    expect(await placesOf('others', BEN)).toEqual(['thread', 'channel']);
    expect(await placesOf('named', ANN)).toEqual([]);
    for (const help of [commandHelp(''), THREAD_HELP])
      expect(help.mrkdwn).toContain('lets a tool that you alone could approve run without asking');
  });
});
