import { expect, it } from 'vitest';
import { LIMITS } from '../../../app/limits.ts';
import { type Approval, type CardReceipt, type ListCard, UserId } from '../../../app/records/index.ts';
import { ANN, BEN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';
import { approvalId } from '../../support/journal.ts';

const SERVICES = ['a', 'b', 'c', 'd', 'e', 'f'];
const calls = (services: readonly string[]) => services.map((service) => call('restart', { service }, `c-${service}`));

/** Ann has asked for some restarts in one turn, which share list cards. */
async function listed(more: Parameters<typeof tool>[1] = {}, services = SERVICES): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)] });
  bot.model.says(calls(services));
  await bot.mention(ANN, 'restart everything');
  await bot.passes(1_000);
  return bot;
}

/** The rows of a list card, each to be pressed there. */
function rowsOn({ rows, card }: ListCard): readonly Approval[] {
  if (card === undefined) throw new Error('The list card has no place.');
  return rows.map((row) => ({ ...row, card }));
}

function listOf(bot: Bot) {
  const [list] = bot.thread.lists();
  if (list?.card === undefined) throw new Error('There is no list card.');
  return { list, card: list.card };
}

async function all(bot: Bot, verdict: 'approve' | 'deny', user: string = ANN, reason?: string) {
  const { list, card } = listOf(bot);
  return pressAll(bot, { list: list.id, card, verdict, user, ...(reason === undefined ? {} : { reason }) });
}

interface Wanted {
  readonly list: ReturnType<typeof approvalId>;
  readonly card: CardReceipt;
  readonly verdict: 'approve' | 'deny';
  readonly user: string;
  readonly reason?: string;
}

async function pressAll(bot: Bot, { user, ...press }: Wanted) {
  const result = await bot.core.approvals.decideAll({ ...press, by: { user: UserId.parse(user), team: TEAM } });
  await bot.settles();
  return result;
}

const statuses = (bot: Bot) => listOf(bot).list.rows.map(({ status }) => status);

it('decides every row of a list card with one press, and each call runs once (P24)', async () => {
  const bot = await listed();
  expect(statuses(bot)).toEqual(SERVICES.map(() => 'pending'));

  const result = await all(bot, 'approve');

  expect(result).toMatchObject({ type: 'decided', results: SERVICES.map(() => ({ type: 'decided' })) });
  expect(bot.ran()).toHaveLength(SERVICES.length);
  expect(statuses(bot)).toEqual(SERVICES.map(() => 'approved'));
});

it('shows each decision on the list card before the presser is answered', async () => {
  const bot = await listed();
  const { list, card } = listOf(bot);

  await bot.core.approvals.decideAll({
    ...{ list: list.id, card, verdict: 'deny' },
    by: { user: UserId.parse(ANN), team: TEAM },
  });

  expect(statuses(bot)).toEqual(SERVICES.map(() => 'denied'));
});

it.each(['forwards', 'backwards', 'mixed'])(
  'takes a press on each of sixty calls of a turn, %s and all at once, and loses none (P24)',
  async (order) => {
    const services = Array.from({ length: LIMITS.toolCallsPerTurn }, (_, at) => `s${at}`);
    const bot = await listed({}, services);
    const rows = bot.thread.lists().flatMap(rowsOn);
    expect(rows).toHaveLength(60);

    const place = (at: number) => ({ forwards: at, backwards: -at, mixed: (at * 37) % 60 })[order] ?? at;
    const presses = rows.map((row, at) => ({
      row,
      at,
      verdict: at % 3 === 0 ? ('deny' as const) : ('approve' as const),
    }));
    presses.sort((one, other) => place(one.at) - place(other.at));
    const results = await Promise.all(presses.map(({ row, verdict }) => bot.press(ANN, row, verdict)));
    await bot.waits(5_000);

    expect(new Set(results)).toEqual(new Set(['decided']));
    expect(bot.ran()).toHaveLength(40);
    const shown = bot.thread.lists().flatMap((list) => list.rows.map(({ id, status }) => [id, status] as const));
    expect(new Map(shown)).toEqual(
      new Map(presses.map(({ row, verdict }) => [row.id, verdict === 'deny' ? 'denied' : 'approved'])),
    );
    expect(bot.model.told()).toHaveLength(60);
  },
);

it('denies every row with one press, and keeps the reason for each', async () => {
  const bot = await listed();

  await all(bot, 'deny', ANN, 'not on a Friday');

  expect(bot.ran()).toEqual([]);
  expect(listOf(bot).list.rows).toMatchObject(SERVICES.map(() => ({ decision: { reason: 'not on a Friday' } })));
});

it('leaves rows that are decided as they are, and paints a card again on which no row waits', async () => {
  const bot = await listed();
  const { list, card } = listOf(bot);
  const [first] = list.rows;
  if (first === undefined) throw new Error('There is no row.');
  await bot.press(ANN, { ...first, card }, 'deny');

  const result = await all(bot, 'approve');

  expect(result).toMatchObject({
    results: [{ type: 'already-decided' }, ...SERVICES.slice(1).map(() => ({ type: 'decided' }))],
  });
  expect(bot.ran()).toHaveLength(SERVICES.length - 1);
  const again = await all(bot, 'approve');
  expect(again).toMatchObject({ results: [{}, ...SERVICES.slice(1).map(() => ({ repeats: true }))] });
  expect(again).not.toHaveProperty('results.0.repeats');
  const painted = () => bot.thread.calls().filter((one) => one === 'paint list').length;
  const before = painted();
  expect(await all(bot, 'deny')).toMatchObject({ results: SERVICES.map(() => ({ type: 'already-decided' })) });
  expect(painted()).toBe(before + 1);
});

it('approves no guarded call together with others, and denies it with them (P32)', async () => {
  const bot = await listed({ effect: 'guarded', approvers: [BEN] });

  expect(await all(bot, 'approve', BEN)).toEqual({ type: 'not-offered' });
  expect(bot.ran()).toEqual([]);
  expect(await all(bot, 'deny', BEN)).toMatchObject({ type: 'decided' });
});

it('decides no row for a person who may not decide, and refuses the id of an unknown list', async () => {
  const bot = await listed();
  const { card } = listOf(bot);

  expect(await all(bot, 'approve', BEN)).toMatchObject({ results: SERVICES.map(() => ({ type: 'not-yours' })) });
  expect(await pressAll(bot, { list: approvalId(99), card, verdict: 'approve', user: ANN })).toEqual({
    type: 'unknown',
  });
  expect(bot.ran()).toEqual([]);
  expect(await bot.core.approvals.findList(listOf(bot).list.id)).toMatchObject({ rows: { length: SERVICES.length } });
});

it('decides no row from a copy of the list card (T6)', async () => {
  const bot = await listed();
  const { list, card } = listOf(bot);
  const copy = { ...card, ts: '1700000999.000100' };

  for (const verdict of ['approve', 'deny'] as const)
    expect(await pressAll(bot, { list: list.id, card: copy, verdict, user: ANN })).toMatchObject({
      results: SERVICES.map(() => ({ type: 'not-offered' })),
    });
  expect(bot.ran()).toEqual([]);
});
