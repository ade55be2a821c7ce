import { describe, expect, it } from 'vitest';
import { defineRule, type People } from '../../../../app/authority/index.ts';
import { UserId } from '../../../../app/records/index.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { ANN, BEN, ZOE } from '../../../../sandbox/people.ts';
import { call, inProcess, OPEN, tool } from '../../../support/in-process/index.ts';

/** Ben, the only approver of `wipe`, writes in the thread while the call before it runs. */
async function steeredByItsApprover({ selfApproval }: { readonly selfApproval: boolean }) {
  const wipe = tool('wipe', { effect: 'guarded', approvers: [BEN], selfApproval });
  const bot = await inProcess({ tools: [wipe, tool('look', OPEN)] });
  bot.model.says(call('look'), call('wipe'));
  let held = () => {};
  bot.at('call-started', () => new Promise<void>((resolve) => (held = resolve)));
  await bot.mention(ANN, 'look, and then wipe payments');
  await bot.mention(BEN, 'wipe search as well');
  held();
  await bot.settles();
  return bot;
}

describe('a rule of the deployment', () => {
  it('denies a call with its reason, and asks no person', async () => {
    const rule = defineRule({ name: 'Freeze', effect: 'deny', tool: 'restart', because: 'It is the sale.' });
    const bot = await inProcess({ tools: [tool('restart')], rules: [rule] });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.thread.cards()).toEqual([]);
    expect(bot.ran()).toEqual([]);
    expect(bot.model.told()).toEqual([
      expect.stringMatching(/^restart-1: error .*"Freeze".*no person can approve it\. The reason: It is the sale\./),
    ]);
    expect((await bot.entries()).filter(({ type }) => type === 'call-judged')).toMatchObject([
      { tool: 'restart', rule: 'Freeze', would: 'deny', shadow: false },
    ]);
  });

  it('on trial is recorded once for each call, and changes nothing', async () => {
    const watching = defineRule({ name: 'Trial', effect: 'deny', tool: 'restart', shadow: true });
    const bot = await inProcess({ tools: [tool('restart')], rules: [watching] });
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    await bot.restarts();

    await bot.press(ANN, bot.card(), 'approve');
    await bot.passes(5_000);

    expect(bot.ran()).toHaveLength(1);
    expect((await bot.entries()).filter(({ type }) => type === 'call-judged')).toMatchObject([
      { rule: 'Trial', would: 'deny', shadow: true },
    ]);
  });

  it('that allows a call lets it run without a question, and its name is in the journal', async () => {
    const rule = defineRule({ name: 'Daily', effect: 'allow', tool: 'restart', because: 'It happens each day.' });
    const bot = await inProcess({ tools: [tool('restart')], rules: [rule] });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.thread.cards()).toEqual([]);
    expect((await bot.entries()).find(({ type }) => type === 'call-started')).toMatchObject({
      grant: { type: 'open', rule: 'Daily' },
    });
  });

  it('that is new while a card waits withdraws the card, and the card names that rule', async () => {
    const bot = await inProcess({ tools: [tool('restart')] });
    bot.model.says([call('restart', { service: 'a' }, 'a'), call('restart', { service: 'b' }, 'b')]);
    await bot.mention(ANN, 'restart both');
    const rule = defineRule({
      name: 'Freeze b',
      effect: 'deny',
      tool: 'restart',
      when: ({ service }) => service === 'b',
    });
    await bot.restarts({ rules: [rule] });

    const [first] = bot.thread.cards();
    if (first !== undefined) await bot.press(ANN, first, 'approve');
    await bot.passes(5_000);

    expect(bot.ran()).toEqual(['restart {"service":"a"}']);
    expect(bot.thread.cards()[1]).toMatchObject({
      status: 'cancelled',
      cause: 'The rule “Freeze b” does not allow this call any more.',
    });
  });
});

describe('a call that no person may approve', () => {
  const guarded = tool('wipe', { effect: 'guarded', approvers: [ANN] });

  it('is not asked about: the thread and the model hear why (P35)', async () => {
    const bot = await inProcess({ tools: [guarded] });
    bot.model.says(call('wipe'));

    await bot.mention(ANN, 'wipe payments');

    expect(bot.thread.cards()).toEqual([]);
    expect(bot.ran()).toEqual([]);
    const why = 'one is named, and that person asked';
    expect(bot.posts()).toEqual([WORDS.noApprover('wipe', why), 'Done.']);
    expect(bot.model.told()).toEqual([expect.stringContaining(`No person can approve this call of wipe: ${why}`)]);
  });

  const unnamed = tool('wipe', { effect: 'guarded' });
  it.each([
    ['that is guarded and names no approver', unnamed, []],
    [
      'that its server has changed',
      { ...unnamed, origin: 'ops', changed: true as const },
      [WORDS.changedTool('wipe', 'ops')],
    ],
  ])(
    'is refused when it is called, and the thread is told, where it is of a tool %s (P35)',
    async (_what, one, before) => {
      const bot = await inProcess({ tools: [one] });
      bot.model.says(call('wipe'));

      await bot.mention(ANN, 'wipe payments');

      expect([bot.thread.cards(), bot.ran()]).toEqual([[], []]);
      expect(bot.posts()).toEqual([
        ...before,
        expect.stringMatching(/^I cannot use `wipe`: .* no person may/),
        'Done.',
      ]);
    },
  );

  it('is asked about when its only approver is not the requester', async () => {
    const bot = await inProcess({ tools: [guarded] });
    bot.model.says(call('wipe'));

    await bot.mention(BEN, 'wipe payments');

    expect(bot.cards()).toEqual(['wipe pending']);
    expect(bot.posts()).toEqual([]);
  });

  it.each([
    ['guest', false],
    ['bot', false],
    ['unknown', true],
    ['person', true],
  ] as const)('is one that only its requester would decide where that is a %s: asked is %s', async (account, asked) => {
    const bot = await inProcess({ tools: [tool('restart')], people: { account: async () => account } });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.thread.cards()).toHaveLength(asked ? 1 : 0);
  });

  it('runs when it needs no approval: a guest who may decide nothing can still ask for it', async () => {
    const bot = await inProcess({ tools: [tool('look', OPEN)], people: { account: async () => 'guest' } });
    bot.model.says(call('look'));

    await bot.mention(ANN, 'look');

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['Done.']);
  });

  it('is one whose approvers have all written in the thread, because they steered it', async () => {
    const bot = await steeredByItsApprover({ selfApproval: false });

    expect(bot.thread.cards()).toEqual([]);
    expect(bot.model.told().at(-1)).toContain('one is named, and that person helped to ask for it');
    expect(bot.posts()).toEqual([WORDS.steered('wipe', 'one is named, and that person helped to ask for it'), 'Done.']);
  });

  it('is asked about when its approvers have written in the thread and its tool allows self-approval', async () => {
    const bot = await steeredByItsApprover({ selfApproval: true });

    expect(bot.cards()).toEqual(['wipe pending']);
  });

  it('is asked about while Slack does not tell whether its approvers may decide (BEY-18)', async () => {
    const bot = await inProcess({ tools: [tool('restart')], people: { account: () => new Promise(() => {}) } });
    bot.model.says(call('restart'));
    const asked = bot.mention(ANN, 'restart payments');

    for (let step = 0; step < 9; step += 1) await bot.passes(5_000);
    await asked;

    expect(bot.cards()).toEqual(['restart pending']);
    expect(bot.posts()).toEqual([]);
  });

  it('is not asked anew when its question is withdrawn: the thread and the model hear why', async () => {
    let account: 'person' | 'deactivated' = 'person';
    const bot = await inProcess({
      ...{ tools: [tool('restart')], shared: true },
      people: { account: async ({ user }) => (user === ANN ? account : 'person') },
    });
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');
    const card = bot.card();
    await bot.starts({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] })] });
    account = 'deactivated';

    // The new process takes the question back, and the one that asked it would ask by its own rules.
    expect(await bot.press(BEN, card, 'approve')).toBe('outdated');

    expect(bot.cards()).toEqual(['restart cancelled']);
    expect(bot.posts()).toEqual([
      WORDS.noApprover('restart', 'no approver is named, and the person who asked has a deactivated account'),
      'Done.',
    ]);
    expect(bot.model.told()).toEqual([expect.stringContaining('No person can approve this call of restart')]);
  });

  it('has its card withdrawn when its approvers change while it waits', async () => {
    const bot = await inProcess({ tools: [tool('wipe', { effect: 'guarded', approvers: [BEN, ZOE] })] });
    bot.model.says([call('wipe', { service: 'a' }, 'a'), call('wipe', { service: 'b' }, 'b')]);
    await bot.mention(ANN, 'wipe both');
    await bot.restarts({ tools: [guarded] });

    const [first] = bot.thread.cards();
    if (first !== undefined) await bot.press(BEN, first, 'deny');
    await bot.passes(5_000);

    expect(bot.thread.cards()[1]).toMatchObject({
      status: 'cancelled',
      cause: 'Under today’s rules, no person can approve this call: one is named, and that person asked.',
    });
    expect(bot.posts()).toContain(WORDS.noApprover('wipe', 'one is named, and that person asked'));
  });
});

it('a free tool runs without a question to the rules while other calls wait for people', async () => {
  const bot = await inProcess({ tools: [tool('restart'), tool('look', OPEN)] });
  bot.model.says([call('restart'), call('look')]);

  await bot.mention(ANN, 'restart payments and look');

  expect(bot.ran()).toEqual(['look {"service":"payments"}']);
  expect(bot.cards()).toEqual(['restart pending']);
});

it('a tool is told who steered its call: the requester and each person whose message came before it (EDGE-5, T14)', async () => {
  const told: unknown[] = [];
  const find = tool('find', { ...OPEN, run: (_input, { steeredBy }) => `${told.push(steeredBy)}` });
  const bot = await inProcess({ tools: [find] });
  bot.model.says(call('find'), call('find'));
  let held = () => {};
  bot.at('call-started', () => new Promise<void>((resolve) => (held = resolve)));
  await bot.mention(ANN, 'find Zoe');
  await bot.mention(BEN, 'and me');
  held();
  await bot.settles();
  held();
  await bot.settles();

  expect(told).toEqual([[ANN], [ANN, BEN]]);
});

it('is content with what Slack said of a group in the last hour, and asks about a channel only if its members wrote (SURF-2)', async () => {
  const asked: unknown[] = [];
  const members: People['members'] = async (_where, ...place) => {
    asked.push(place);
    return [UserId.parse(BEN)];
  };
  const bot = await inProcess({
    tools: [tool('wipe', { approvers: ['S0OPS', 'channel'], selfApproval: false })],
    people: { members },
  });
  bot.model.says(call('wipe'));

  await bot.mention(ANN, 'wipe payments');

  expect(bot.cards()).toEqual(['wipe pending']);
  expect([...new Set(asked.map((place) => JSON.stringify(place)))]).toEqual(['["S0OPS",3600000]']);
});
