import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineRule } from '../../../app/index.ts';
import { LIMITS } from '../../../app/limits.ts';
import { UserId } from '../../../app/records/index.ts';
import { ANN, BEN, TEAM } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, OPEN, tool } from '../../support/in-process/index.ts';
import { approvalId } from '../../support/journal.ts';

const as = (user: string) => ({ user: UserId.parse(user), team: TEAM });

/** A process died between the start of a call and its end, and the thread asks what became of it. */
async function lostCall(wishes: Partial<Parameters<typeof inProcess>[0]> = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], ...wishes });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();
  return bot;
}

function doubtOf(bot: Bot) {
  const doubt = bot.thread.doubts().at(-1);
  if (doubt?.card === undefined) throw new Error('Nothing in the thread asks what became of a call.');
  return { ...doubt, card: doubt.card };
}

async function choose(
  bot: Bot,
  user: string,
  more: { readonly said?: string; readonly ts?: string; readonly n?: number } = {},
) {
  const { id, card } = doubtOf(bot);
  const { said, ts = card.ts, n } = more;
  const result = await bot.core.questions.doubt.answer(
    n === undefined ? id : approvalId(n),
    { how: 'happened', said },
    { by: as(user), card: { ...card, ts } },
  );
  await bot.settles();
  return result;
}

it('tells a person who decides about the call that its end is open, and no other person', async () => {
  const bot = await lostCall();
  const { id } = doubtOf(bot);

  expect(await bot.core.questions.doubt.consider(id, as(ANN))).toMatchObject({
    type: 'open',
    asks: { tool: 'restart' },
  });
  expect(await bot.core.questions.doubt.consider(id, as(BEN))).toMatchObject({
    type: 'not-yours',
    why: expect.stringMatching(/./),
  });
  expect(await bot.core.questions.doubt.consider(approvalId(99), as(ANN))).toEqual({ type: 'unknown' });
});

it('names nothing hidden where an edit took the secret out of the call (MF-7)', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: `xoxb-${'1'.repeat(12)}-${'a'.repeat(24)}` }));
  await bot.mention(ANN, 'restart payments');
  expect(bot.card().hides).toEqual(['service']);
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":"mail"}' });
  await bot.restarts();

  expect(doubtOf(bot)).toMatchObject({ input: '{"service":"mail"}', hides: [] });
  expect(doubtOf(bot)).not.toHaveProperty('undeclared');
});

it('lets only those tell the outcome of an edited call who decide about the call that ran (P34)', async () => {
  const restart = tool('restart');
  const bot = await inProcess({ tools: [restart] });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  bot.diesAt('tool-returned');
  await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":"mail"}' });
  await bot.restarts({ rules: [decidedBy(BEN, 'mail')] });

  expect(await choose(bot, ANN)).toMatchObject({ type: 'not-yours' });

  await bot.restarts({ rules: [decidedBy(BEN, 'payments')] });
  expect(await choose(bot, ANN)).toMatchObject({ type: 'answered' });
});

/** A rule for the restarts of one service. */
const decidedBy = (approver: string, one: string) =>
  defineRule({
    name: `${one} is for one person`,
    effect: 'ask',
    tool: 'restart',
    when: ({ service }: { readonly service?: unknown }) => service === one,
    approvers: [approver],
  });

it('takes the outcome of a call once, goes on with the run, and paints the card', async () => {
  const bot = await lostCall();
  const { id } = doubtOf(bot);

  expect(await choose(bot, ANN)).toMatchObject({ type: 'answered', asks: { standing: { status: 'happened' } } });
  expect(bot.posts()).toEqual(['Done.']);
  expect(doubtOf(bot).standing).toMatchObject({ status: 'happened', by: ANN });
  expect(await choose(bot, ANN)).toMatchObject({ type: 'answered-before' });
  expect(await bot.core.questions.doubt.consider(id, as(ANN))).toMatchObject({ type: 'answered-before' });
});

it('tells the model what a person reports about the call, cut to the stored length', async () => {
  const bot = await lostCall();

  await choose(bot, ANN, { said: `It was slow. ${'x'.repeat(2 * LIMITS.reasonChars)}` });

  const [told = ''] = bot.model.told();
  expect(told).toContain('It was slow.');
  expect(told.match(/x+/g)?.at(-1)?.length).toBeLessThan(LIMITS.reasonChars);
});

it('hides the secret of a lost call that did not need a person, where a person repeats it in their words (T16)', async () => {
  const input = z.object({ password: z.string() });
  const bot = await inProcess({ tools: [tool('restart', { ...OPEN, input })] });
  bot.model.says(call('restart', { password: 'hunter2-hunter2' }));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'restart payments');
  await bot.restarts();

  await choose(bot, ANN, { said: 'I restarted it with hunter2-hunter2.' });

  expect(bot.model.told().join()).toContain('I restarted it with [hidden');
  expect(bot.model.told().join()).not.toContain('hunter2');
});

it('takes no choice of a person who may not decide, from a copy of the card, or about an unknown call', async () => {
  const bot = await lostCall();

  expect(await choose(bot, BEN)).toMatchObject({ type: 'not-yours', why: expect.stringMatching(/./) });
  expect(await choose(bot, ANN, { ts: '1.2' })).toEqual({ type: 'not-offered' });
  expect(await choose(bot, ANN, { n: 99 })).toEqual({ type: 'unknown' });
  expect(doubtOf(bot).standing.status).toBe('pending');
  expect(bot.posts()).toEqual([]);
});

it('refuses the id of another kind of question', async () => {
  const bot = await lostCall();
  const [asked] = bot.thread.cards();
  const { card } = doubtOf(bot);
  if (asked === undefined) throw new Error('There is no card.');

  expect(await bot.core.questions.doubt.consider(asked.id, as(ANN))).toEqual({ type: 'unknown' });
  const answered = bot.core.questions.doubt.answer(asked.id, { how: 'happened' }, { by: as(ANN), card });
  expect(await answered).toEqual({ type: 'unknown' });
});

it('takes no choice after the end of the question, even before any process has recorded that end', async () => {
  let lateMs = 0;
  const account = async () => {
    vi.advanceTimersByTime(lateMs);
    return 'person' as const;
  };
  const bot = await lostCall({ people: { account } });
  lateMs = doubtOf(bot).expiresAtMs - Date.now() + 1;

  expect(await choose(bot, ANN)).toMatchObject({ type: 'over', asks: { standing: { status: 'expired' } } });
  expect(bot.posts()).toEqual(['Done.']);
});

it('leaves a call unknown when no person reports its outcome in time, and takes no choice after that', async () => {
  const bot = await lostCall();
  const { id, expiresAtMs } = doubtOf(bot);
  await bot.core.onDue({ what: 'expiry', subject: id });
  await bot.core.onDue({ what: 'expiry', subject: approvalId(99) });
  expect(doubtOf(bot).standing.status).toBe('pending');

  await bot.passes(expiresAtMs - Date.now() + 1);

  expect(doubtOf(bot).standing.status).toBe('expired');
  expect(bot.ran()).toHaveLength(1);
  expect(bot.posts()).toEqual(['Done.']);
  expect(await choose(bot, ANN)).toMatchObject({ type: 'over' });
  expect(await bot.core.questions.doubt.consider(id, as(ANN))).toMatchObject({ type: 'over' });
});

it('says that a choice was not recorded while the store cannot be read', async () => {
  const bot = await lostCall();
  const findApproval = async () => {
    throw new Error('The store is away.');
  };
  await bot.starts({ changes: { store: { ...bot.store, isExclusive: true, findApproval } } });

  expect(await choose(bot, ANN)).toMatchObject({ type: 'failed' });
  expect(await bot.core.questions.doubt.consider(doubtOf(bot).id, as(ANN))).toMatchObject({ type: 'failed' });
  expect(bot.logged.join()).toContain('An answer to a question was not recorded.');
});
