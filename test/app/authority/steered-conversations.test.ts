import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Account } from '../../../app/authority/people.ts';
import { LIMITS } from '../../../app/limits.ts';
import { ANN, BEN, GUEST, OUTSIDER, TEAM, ZOE } from '../../../sandbox/people.ts';
import { runsOf } from '../../support/amount.ts';
import { type Bot, call, inProcess, THREAD, tool } from '../../support/in-process/index.ts';
import { HOUR_MS, user } from '../../support/journal.ts';
import { steeringFaults, type Tally } from '../../support/steering-faults.ts';

const APPROVERS = [ANN, BEN, ZOE];
const ACCOUNTS: Readonly<Record<string, Account>> = { [GUEST]: 'guest', [OUTSIDER]: 'outsider' };
const accountOf = (id: string): Account => ACCOUNTS[id] ?? 'person';

const scope = fc.constantFrom('thread', 'channel', 'requester');
type Scope = 'thread' | 'channel' | 'requester';

/** Every way of deciding: alone and by others, several at once, in stages, with self-approval and without. */
const TOOLS = (preset: Scope) => {
  const trust = { match: 'any', scope: preset, forMs: 2 * HOUR_MS } as const;
  return [
    tool('strict', { approvers: APPROVERS, selfApproval: false, trust }),
    tool('loose', { approvers: APPROVERS, selfApproval: true, trust }),
    tool('own', { trust }),
    tool('pair', { effect: 'guarded', approvers: APPROVERS, quorum: 2 }),
    tool('steps', { effect: 'guarded', stages: [{ approvers: [BEN, ZOE] }, { approvers: [ANN, ZOE] }] }),
  ];
};

const person = fc.constantFrom(ANN, ANN, BEN, BEN, ZOE, GUEST, OUTSIDER);
const wanted = fc.array(fc.constantFrom('strict', 'loose', 'own', 'pair', 'steps'), { minLength: 1, maxLength: 2 });
const which = fc.nat(5);
const act = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('writes' as const), who: person, wanted }) },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('presses' as const),
      who: person,
      which,
      verdict: fc.constantFrom('approve' as const, 'approve' as const, 'trust' as const, 'deny' as const),
      edit: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('writes for many' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('approves all' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('trusts in words' as const), who: person, scope }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('asks again' as const), who: person, which }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restarts' as const) }) },
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

const by = (id: string) => ({ user: user(id), team: TEAM });
let calls = 0;
const callsOf = (names: readonly string[]) => names.map((name) => call(name, { service: `s${++calls}` }, `c${calls}`));

async function happens(bot: Bot, one: Act): Promise<void> {
  const open = bot.thread.cards().filter(({ status }) => status === 'pending');
  switch (one.does) {
    case 'writes':
      bot.model.says(callsOf(one.wanted));
      return bot.mention(one.who, 'please');
    case 'writes for many':
      bot.model.says(callsOf(['strict', 'strict', 'strict', 'strict', 'strict']));
      return bot.mention(one.who, 'all of them');
    case 'presses': {
      const card = open[one.which % Math.max(open.length, 1)];
      const edit = one.edit && one.verdict === 'approve' ? { edit: '{"service":"another"}' } : {};
      if (card?.card !== undefined) await bot.press(one.who, card, one.verdict, edit);
      return;
    }
    case 'approves all': {
      const list = bot.thread.lists().at(-1);
      if (list?.card === undefined) return;
      await bot.core.approvals.decideAll({ list: list.id, verdict: 'approve', by: by(one.who), card: list.card });
      return bot.settles();
    }
    case 'trusts in words': {
      const about = { scope: one.scope, thread: THREAD, forMs: HOUR_MS, by: user(one.who) } as const;
      for (const name of ['strict', 'loose', 'own']) await bot.core.trust.give({ tool: name, ...about });
      return;
    }
    case 'asks again': {
      await bot.passes(LIMITS.approvalLifetimeMs);
      const expired = bot.thread.cards().filter(({ status }) => status === 'expired');
      const card = expired[one.which % Math.max(expired.length, 1)];
      if (card === undefined) return;
      bot.model.says(callsOf([card.tool]));
      await bot.core.approvals.askAgain(card.id, by(one.who));
      return bot.settles();
    }
    case 'restarts':
      return bot.restarts();
  }
}

it('no call runs on a yes of a person who steered it where self-approval is off, and none on trust that a non-member steered (EDGE-5, T7)', async () => {
  const tally: Tally = { approved: 0, trusted: 0, steered: 0, again: 0 };
  const conversation = fc.array(act, { minLength: 5, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(scope, conversation, async (preset, acts) => {
      const account = async ({ user: id }: { readonly user: string }): Promise<Account> => accountOf(id);
      const bot = await inProcess({ tools: TOOLS(preset as Scope), people: { account } });
      for (const one of acts) await happens(bot, one as Act);

      const isMember = (id: string) => accountOf(id) === 'person';
      expect(steeringFaults(await bot.entries(), isMember, tally)).toEqual([]);
    }),
    { numRuns: runsOf(1_500), seed: 22, endOnFailure: true },
  );
  expect(Math.min(...Object.values(tally))).toBeGreaterThan(0);
});
