import { expect, it } from 'vitest';
import { ANN, BEN } from '../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../support/in-process/index.ts';

/** Ann has asked for a restart. */
async function asked(wishes: Partial<Parameters<typeof inProcess>[0]> = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart')], ...wishes });
  bot.model.says(call('restart', { service: 'payments' }));
  await bot.mention(ANN, 'restart payments');
  return bot;
}
const MAIL = { edit: '{"service":"mail"}' };
const isMail = (input: { service: string }) => input.service === 'mail';

it('runs what a person typed in place of the input, and keeps both in the journal (P18)', async () => {
  const bot = await asked();

  expect(await bot.press(ANN, bot.card(), 'approve', MAIL)).toBe('decided');

  expect(bot.ran()).toEqual(['restart {"service":"mail"}']);
  expect(bot.cards()).toEqual(['restart approved']);
});

/** How things stand with each service. */
const standing = (versions: Record<string, number>) =>
  tool('restart', { precondition: ({ service }) => `${service} has version ${versions[String(service)]}` });

it('runs an edited call while what it rests on stands as it did when it was edited', async () => {
  const bot = await asked({ tools: [standing({ payments: 1, mail: 1 })] });

  await bot.press(ANN, bot.card(), 'approve', MAIL);

  expect(bot.ran()).toEqual(['restart {"service":"mail"}']);
});

it('asks again about an edited call when what it rests on has changed since it was edited', async () => {
  const versions = { payments: 1, mail: 1 };
  const bot = await asked({ tools: [standing(versions)] });
  bot.diesAt('waiter-woken');
  await bot.press(ANN, bot.card(), 'approve', MAIL);
  versions.mail = 2;
  await bot.restarts();

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart approved', 'restart pending']);
});

it('runs nothing for an edit that the tool refuses, and keeps the question open (P18)', async () => {
  const bot = await asked();

  expect(await bot.press(ANN, bot.card(), 'approve', { edit: '{"service":7}' })).toBe('unfit');
  expect(await bot.press(ANN, bot.card(), 'approve', { edit: 'mail' })).toBe('unfit');

  expect(bot.ran()).toEqual([]);
  expect(bot.cards()).toEqual(['restart pending']);
});

it('runs an edited guarded call only once the person has confirmed exactly that edit (SURF-1)', async () => {
  const bot = await asked({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] })] });
  const card = bot.card();

  for (const confirms of ['', card.digest]) {
    expect(await bot.press(BEN, card, 'approve', { ...MAIL, confirms })).toBe('unconfirmed');
    expect(bot.ran()).toEqual([]);
  }

  expect(await bot.press(BEN, card, 'approve', MAIL)).toBe('decided');
  expect(bot.ran()).toEqual(['restart {"service":"mail"}']);
});

it('asks for a second press where the rules guard the call as edited (SURF-1)', async () => {
  const tools = [tool('restart', { approvers: [BEN] })];
  const rules = [{ name: 'Mail', effect: 'guard', tool: 'restart', when: isMail, approvers: [BEN] }];
  const bot = await asked({ tools, rules });

  expect(await bot.press(BEN, bot.card(), 'approve', { ...MAIL, confirms: '' })).toBe('unconfirmed');
  expect(bot.ran()).toEqual([]);
});

it('tells a person who may not decide so, whatever that person typed (P31)', async () => {
  const bot = await asked();

  expect(await bot.press(BEN, bot.card(), 'approve', { edit: 'no JSON' })).toBe('not-yours');
});

it.each<[string, object]>([
  ['denied', { effect: 'deny' }],
  ['for another person to decide', { effect: 'ask', approvers: [BEN] }],
  ['for several people to decide', { effect: 'ask', approvers: [ANN, BEN], quorum: 2 }],
])('runs no edited call that is %s by the rules for its new input (P34)', async (_, rule) => {
  const rules = [{ name: 'Mail', tool: 'restart', when: isMail, ...rule }];
  const bot = await asked({ rules });

  expect(await bot.press(ANN, bot.card(), 'approve', MAIL)).toBe('unfit');
  expect(bot.ran()).toEqual([]);
});

it('runs an edited call that is open by the rules for its new input', async () => {
  const because = 'Mail restarts itself every night.';
  const bot = await asked({ rules: [{ name: 'Mail', effect: 'allow', because, tool: 'restart', when: isMail }] });

  expect(await bot.press(ANN, bot.card(), 'approve', MAIL)).toBe('decided');
  expect(bot.ran()).toEqual(['restart {"service":"mail"}']);
});

it('takes an answer to a question of the agent, and no approval or trust for it', async () => {
  const bot = await inProcess({ tools: [] });
  bot.model.says(call('ask_person', { question: 'Which service?' }));
  await bot.mention(ANN, 'restart something');

  expect(await bot.press(ANN, bot.card(), 'approve')).toBe('not-offered');
  expect(await bot.press(ANN, bot.card(), 'trust')).toBe('not-offered');
  expect(await bot.press(ANN, bot.card(), 'answer')).toBe('not-offered');
  expect(await bot.press(ANN, bot.card(), 'answer', { answer: 'mail' })).toBe('decided');

  expect(bot.cards()).toEqual(['ask_person answered']);
  expect(bot.model.told()[0]).toContain('mail');
});

it('decides a call with a second factor on its web page alone, for exactly the call that was shown', async () => {
  const bot = await asked({
    tools: [tool('restart', { effect: 'guarded', approvers: [BEN], secondFactor: true })],
    signOn: { header: 'x-forwarded-email', people: { 'ben@example.com': BEN } },
  });
  const { digest } = bot.card();

  expect(await bot.press(BEN, bot.card(), 'approve')).toBe('not-offered');
  expect(await bot.press(BEN, bot.card(), 'approve', { from: { type: 'web', digest: 'another' } })).toBe('not-offered');
  expect(await bot.press(BEN, bot.card(), 'approve', { from: { type: 'web', digest } })).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
});
