import { expect, it } from 'vitest';
import type { Account } from '../../../app/authority/people.ts';
import { ANN, BEN, ON_CALL, TEAM, ZOE } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, THREAD, tool } from '../../support/in-process/index.ts';
import { grantId, HOUR_MS, runId, user } from '../../support/journal.ts';

type Wishes = Partial<Parameters<typeof inProcess>[0]>;
const RESTART = call('restart', { service: 'payments' });

/** Ann has asked for a restart, and a person who may has trusted the tool on its card. */
async function trusted(by: string, more: Parameters<typeof tool>[1] = {}, wishes: Wishes = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)], ...wishes });
  await asks(bot);
  expect(await bot.press(by, bot.card(), 'trust')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
  return bot;
}

async function asks(bot: Bot, user: string = ANN): Promise<void> {
  bot.model.says(RESTART);
  await bot.mention(user, 'restart payments');
}
const pending = (bot: Bot) => bot.cards().filter((card) => card.endsWith('pending')).length;

it('runs later calls on a trust without a card, until the trust ends (P53)', async () => {
  const bot = await trusted(ANN);

  await asks(bot);
  expect([bot.ran().length, pending(bot)]).toEqual([2, 0]);

  await bot.passes(HOUR_MS);
  await asks(bot);
  expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
});

it.each([
  ['of another tool', 'any', call('stop', { service: 'payments' }, 'other')],
  ['with another value of the chosen field', 'fields', call('restart', { service: 'mail' }, 'other')],
  ['with another input', 'exact', call('restart', { service: 'mail' }, 'other')],
] as const)(
  'runs the call in scope under a trust and notes it in the thread, and asks about one %s (P53)',
  async (_what, match, other) => {
    const trust = {
      match,
      scope: 'thread',
      forMs: HOUR_MS,
      ...(match === 'fields' ? { fields: ['service'] } : {}),
    } as const;
    const bot = await trusted(ANN, {}, { tools: [tool('restart', { trust }), tool('stop')] });

    await asks(bot);
    expect([bot.ran().length, pending(bot)]).toEqual([2, 0]);
    expect(bot.posts().filter((post) => post.includes('without asking'))).toHaveLength(1);

    bot.model.says(other);
    await bot.mention(ANN, 'and the other one');
    expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
  },
);

it('asks again after the app was removed from the workspace, where all trust has ended (P19c)', async () => {
  const bot = await trusted(ANN);

  await bot.core.left(TEAM);
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([1, 1]);
});

const TWICE = { trust: { match: 'any', scope: 'thread', forMs: HOUR_MS, uses: 2 } } as const;

it('runs two calls on a trust of two uses, and asks about the third (P51)', async () => {
  const bot = await trusted(ANN, TWICE);

  await asks(bot);
  await asks(bot);
  expect([bot.ran().length, pending(bot)]).toEqual([3, 0]);

  await asks(bot);
  expect([bot.ran().length, pending(bot)]).toEqual([3, 1]);
});

it('counts three calls of one turn on a trust of two uses one by one, and asks about the third (P51)', async () => {
  const bot = await trusted(ANN, TWICE);

  bot.model.says([
    call('restart', { service: 'payments' }, 'a'),
    call('restart', { service: 'payments' }, 'b'),
    call('restart', { service: 'payments' }, 'c'),
  ]);
  await bot.mention(ANN, 'restart payments three times');

  expect([bot.ran().length, pending(bot)]).toEqual([3, 1]);
});

it('lets two processes that use the last of a trust at once use it once (P51)', async () => {
  const bot = await trusted(
    ANN,
    { trust: { match: 'any', scope: 'thread', forMs: HOUR_MS, uses: 1 } },
    { shared: true },
  );
  const [grant] = await bot.core.trust.list({
    team: TEAM,
    channel: THREAD.channel,
    threadTs: THREAD.ts,
    user: user(ANN),
  });
  const one = bot.core.trust;
  await bot.starts();
  const other = bot.core.trust;
  if (grant === undefined) throw new Error('There is no trust.');
  const { team, tool: name, definition, policy = '', thread, requester } = grant;
  const calls = { team, tool: name, definition, policy, thread, requester, steeredBy: [requester] };
  const wanted = { ...calls, digest: '', input: {}, run: runId() };
  const use = (trust: typeof one, key: string) => trust.use(grant.id, { ...wanted, call: key });

  const used = await Promise.all([use(one, '9/a'), use(other, '9/b')]);

  expect([...used].sort()).toEqual(['ended', 'used']);
  expect(await use(other, '9/a')).toBe(used[0]);
  expect(await use(one, '9/c')).toBe('ended');
});

it('asks again after the giver of a trust was deactivated (P53)', async () => {
  const gone = new Set<string>();
  const account = async ({ user }: { readonly user: string }): Promise<Account> =>
    gone.has(user) ? 'deactivated' : 'person';
  const bot = await trusted(BEN, { approvers: [BEN, ZOE] }, { people: { account } });
  await asks(bot);
  expect(bot.ran()).toHaveLength(2);

  gone.add(BEN);
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
});

it('asks again after the giver of a trust has left the group that decides (P53)', async () => {
  const left = new Set<string>();
  const isInGroup = async ({ user }: { readonly user: string }) => user === BEN && !left.has(user);
  const bot = await trusted(BEN, { approvers: [ON_CALL] }, { people: { isInGroup } });
  await asks(bot);
  expect(bot.ran()).toHaveLength(2);

  left.add(BEN);
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
});

it('asks when the giver of a trust is deactivated between the look at the call and its start (P53)', async () => {
  let looks = -1;
  const account = async ({ user }: { readonly user: string }): Promise<Account> => {
    if (user !== BEN || looks < 0) return 'person';
    looks += 1;
    return looks === 1 ? 'person' : 'deactivated';
  };
  const bot = await trusted(BEN, { approvers: [BEN, ZOE] }, { people: { account } });

  looks = 0;
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([1, 1]);
  expect(looks).toBeGreaterThan(1);
});

it.each<[string, object]>([
  ['other people decide', { name: 'R', effect: 'ask', tool: 'restart', approvers: [ZOE] }],
  ['each call is guarded', { name: 'R', effect: 'guard', tool: 'restart', approvers: [BEN] }],
  ['several people decide', { name: 'R', effect: 'ask', tool: 'restart', approvers: [BEN, ZOE], quorum: 2 }],
])('asks again, despite an earlier trust, when by the current rules %s (P53)', async (_, rule) => {
  const bot = await trusted(BEN, { approvers: [BEN] });

  await bot.starts({ rules: [rule] });
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([1, 1]);
});

it('covers a call that another person starts in the thread only when both may decide: a guest steers no call into it (P53)', async () => {
  const guests = new Set<string>();
  const account = async ({ user }: { readonly user: string }): Promise<Account> =>
    guests.has(user) ? 'guest' : 'person';
  const bot = await trusted(BEN, { approvers: [BEN, ZOE] }, { people: { account } });
  await asks(bot, ZOE);
  expect([bot.ran().length, pending(bot)]).toEqual([2, 0]);

  guests.add(ZOE);
  await asks(bot, ZOE);

  expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
});

it('ends a trust for every later call when a person revokes it, and shows that on its card (P19c)', async () => {
  const bot = await trusted(ANN);
  const here = { team: TEAM, channel: THREAD.channel, threadTs: THREAD.ts, user: user(ANN) };
  const [grant] = await bot.core.trust.list(here);
  if (grant === undefined) throw new Error('There is no trust.');

  expect(await bot.core.trust.revoke(grant.id, user(BEN))).toBe('revoked');
  expect(await bot.core.trust.revoke(grant.id, user(ZOE))).toBe('already');
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([1, 1]);
  expect(bot.thread.cards()[0]).toMatchObject({ trustEnded: { by: BEN } });
  expect(await bot.core.trust.list(here)).toEqual([]);
});

const gives = (bot: Bot, scope: 'thread' | 'channel' | 'requester', by: string = ANN) =>
  bot.core.trust.give({ tool: 'restart', scope, thread: THREAD, forMs: HOUR_MS, by: user(by) });

it('lists the trust of a place newest first, and that of a thread in this thread alone (P52)', async () => {
  const bot = await inProcess({ tools: [tool('restart', { approvers: [ANN, BEN] })] });
  for (const scope of ['channel', 'thread', 'requester'] as const) {
    expect((await gives(bot, scope)).type).toBe('given');
    await bot.passes(1_000);
  }
  const here = { team: TEAM, channel: THREAD.channel, user: user(ANN) };
  const scopes = (grants: readonly { readonly offer: { readonly scope: string } }[]) =>
    grants.map(({ offer }) => offer.scope);

  expect(scopes(await bot.core.trust.list({ ...here, threadTs: THREAD.ts }))).toEqual([
    'requester',
    'thread',
    'channel',
  ]);
  expect(scopes(await bot.core.trust.list(here))).toEqual(['requester', 'channel']);
  expect(scopes(await bot.core.trust.list({ ...here, user: user(BEN) }))).toEqual(['channel']);
});

it('lists for a person the trust that this person gave, and no other', async () => {
  const bot = await inProcess({ tools: [tool('restart', { approvers: [ANN, BEN] })] });
  await gives(bot, 'channel', BEN);
  const givenBy = async (id: string) =>
    (await bot.core.trust.listFor({ team: TEAM, user: user(id) })).map(({ by }) => by);

  expect(await givenBy(BEN)).toEqual([BEN]);
  expect(await givenBy(ANN)).toEqual([]);
});

it('trust ends when its workspace removes the app, also where a process under other rules hears of that (B20, T11)', async () => {
  const bot = await inProcess({ tools: [tool('restart', { approvers: [ANN, BEN] })] });
  expect((await gives(bot, 'thread')).type).toBe('given');
  await bot.starts({ tools: [tool('restart', { approvers: [ANN] })] });
  await bot.core.left(TEAM);

  await bot.starts();
  const here = { team: TEAM, channel: THREAD.channel, threadTs: THREAD.ts, user: user(ANN) };
  expect(await bot.core.trust.list(here)).toEqual([]);
});

it('gives no trust in words to a person who may not give it, and ends none that does not exist', async () => {
  const bot = await inProcess({ tools: [tool('restart', { approvers: [BEN] })] });

  expect(await gives(bot, 'channel', ZOE)).toEqual({ type: 'refused', why: expect.stringContaining('approvers') });
  expect(await bot.core.trust.revoke(grantId(), user(ZOE))).toBe('unknown');
  expect(await bot.core.trust.list({ team: TEAM, channel: THREAD.channel, user: user(ZOE) })).toEqual([]);
});

it('covers no call of a person who has become a guest, also where it covers what this person starts (EDGE-5, T11)', async () => {
  const guests = new Set<string>();
  const account = async ({ user: id }: { readonly user: string }): Promise<Account> =>
    guests.has(id) ? 'guest' : 'person';
  const preset = { match: 'any', scope: 'requester', forMs: HOUR_MS } as const;
  const bot = await trusted(BEN, { approvers: [BEN], trust: preset }, { people: { account } });
  await asks(bot);
  expect([bot.ran().length, pending(bot)]).toEqual([2, 0]);

  guests.add(ANN);
  await asks(bot);

  expect([bot.ran().length, pending(bot)]).toEqual([2, 1]);
  expect(bot.card().trust).toBeUndefined();
});
