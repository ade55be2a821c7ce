import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LIMITS } from '../../../../app/limits.ts';
import { UserId } from '../../../../app/records/index.ts';
import { secret } from '../../../../app/tools/index.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { type Bot, call, inProcess, tool } from '../../../support/in-process/index.ts';
import { HOUR_MS } from '../../../support/journal.ts';

/** A person trusts the tool in this thread for an hour. */
async function trusting(wishes: object = {}, more: Parameters<typeof tool>[1] = {}): Promise<Bot> {
  const bot = await inProcess({ tools: [tool('restart', more)], ...wishes });
  bot.model.says(call('restart', { service: 'a' }), 'First.');
  await bot.mention(ANN, 'restart a');
  expect(await bot.press(ANN, bot.card(), 'trust')).toBe('decided');
  expect(bot.ran()).toHaveLength(1);
  return bot;
}

/** Behind the entry that gives the trust, each is a use. */
async function usesWritten(bot: Bot): Promise<number> {
  const [grant] = await bot.store.journals('grant');
  if (grant === undefined) throw new Error('There is no trust.');
  return (await bot.store.read(grant)).version - 1;
}

const startsOf = async (bot: Bot) => (await bot.entries()).filter(({ type }) => type === 'call-started');

it('runs a later call on a trust without a question, tells the thread in one line, and counts each use', async () => {
  const bot = await trusting();
  bot.model.says([call('restart', { service: 'b' }, 'b'), call('restart', { service: 'c' }, 'c')], 'Second.');

  await bot.mention(ANN, 'restart b and c');
  await bot.settles();

  expect(bot.ran()).toHaveLength(3);
  expect(bot.thread.cards()).toHaveLength(1);
  expect(bot.posts()).toEqual(['First.', expect.stringContaining('without asking, 2 calls'), 'Second.']);
  const line = 'restart with any input, in this thread, for 1 hour';
  expect(lineOf(bot)).toMatchObject({ by: ANN, tool: 'restart', line, calls: [{ summary: 'Run restart.' }, {}] });
});

it('asks in place of a trust while Slack does not tell whether its giver may decide (P34, BEY-18)', async () => {
  let tells = true;
  const account = async () => (tells ? 'person' : new Promise<never>(() => {}));
  const bot = await trusting({ people: { account } });
  tells = false;
  bot.model.says(call('restart', { service: 'b' }), 'Second.');
  const asked = bot.mention(ANN, 'restart b');

  for (let step = 0; step < 9; step += 1) await bot.passes(5_000);
  await asked;

  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual([expect.any(String), 'restart pending']);
});

const lineOf = (bot: Bot) => bot.thread.posts().find(({ trusted }) => trusted !== undefined)?.trusted;
const outcomes = (bot: Bot) => lineOf(bot)?.calls.map(({ outcome }) => outcome.type);

it('shows in the line of a trust that a call runs, and then how it came out (SURF-1)', async () => {
  const bot = await trusting();
  bot.model.says([call('restart', { service: 'b' }, 'b'), call('restart', { service: 'c' }, 'c')], 'Second.');
  const held: (() => void)[] = [];
  bot.at('tool-returned', () => new Promise<void>((resolve) => void held.push(resolve)));

  await bot.mention(ANN, 'restart b and c');
  expect(outcomes(bot)).toEqual(['running', 'running']);
  held[0]?.();
  await bot.settles();
  expect(outcomes(bot)?.toSorted()).toEqual(['ran', 'running']);
  held[1]?.();
  await bot.settles();

  expect(outcomes(bot)).toEqual(['ran', 'ran']);
  expect(bot.thread.posts().filter(({ trusted }) => trusted !== undefined)).toHaveLength(1);
});

describe('a trust that ends', () => {
  const used = async (more: Parameters<typeof tool>[1] = {}): Promise<Bot> => {
    const bot = await trusting({}, more);
    bot.model.says(call('restart', { service: 'b' }), 'Second.');
    await bot.mention(ANN, 'restart b');
    return bot;
  };
  const ends = (bot: Bot) => [lineOf(bot)?.over?.by, bot.thread.cards().map((one) => 'trustEnded' in one)];

  it('leaves no button behind on its card and in the lines of other runs, when a person ends it anywhere (SURF-1)', async () => {
    const bot = await used();
    expect(ends(bot)).toEqual([undefined, [false]]);
    const [grant] = await bot.store.journals('grant');

    if (grant !== undefined) await bot.core.trust.revoke(grant, UserId.parse(BEN));

    expect(ends(bot)).toEqual([BEN, [true]]);
  });

  it('leaves none behind when its time is over (SURF-1)', async () => {
    const bot = await used();

    await bot.passes(HOUR_MS);

    expect(lineOf(bot)?.over).toBeDefined();
    expect(ends(bot)).toEqual([undefined, [true]]);
  });

  it('leaves none behind when its uses are spent (SURF-1)', async () => {
    const bot = await used({ trust: { match: 'any', scope: 'thread', forMs: HOUR_MS, uses: 1 } });

    await bot.passes(1);

    expect(lineOf(bot)).toMatchObject({ over: {}, calls: [{ outcome: { type: 'ran' } }] });
    expect(ends(bot)).toEqual([undefined, [true]]);
  });

  it('leaves none behind when its last use is written long before the call starts (SURF-1)', async () => {
    const bot = await trusting({}, { trust: { match: 'any', scope: 'thread', forMs: HOUR_MS, uses: 1 } });
    bot.model.says(call('restart', { service: 'b' }), 'Second.');
    let held = () => {};
    bot.at('trust-used', () => new Promise<void>((resolve) => (held = resolve)));
    await bot.mention(ANN, 'restart b');

    await bot.passes(1);
    held();
    await bot.settles();

    expect(lineOf(bot)).toMatchObject({ over: {}, calls: [{ outcome: { type: 'ran' } }] });
  });

  it('leaves none behind when the process that ended it died before it told any run (SURF-1)', async () => {
    const bot = await used();
    bot.diesAt('trust-taken');
    const [grant] = await bot.store.journals('grant');
    if (grant !== undefined) void bot.core.trust.revoke(grant, UserId.parse(BEN));
    await bot.settles();

    await bot.restarts();
    await bot.passes(1);

    expect(ends(bot)).toEqual([BEN, [true]]);
  });

  it('leaves none behind although Slack refused at first (SURF-1)', async () => {
    const bot = await used();
    bot.thread.breaks('amend', new Error('not now'));
    await bot.passes(HOUR_MS);
    expect(lineOf(bot)?.over).toBeUndefined();

    bot.thread.breaks('amend');
    await bot.passes(LIMITS.leaseMs);

    expect(lineOf(bot)?.over).toBeDefined();
  });
});

it('asks again after the hour of a trust is over', async () => {
  const bot = await trusting();
  await bot.passes(3_600_001);
  bot.model.says(call('restart', { service: 'b' }));

  await bot.mention(ANN, 'restart b');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending']);
});

it('asks again after a trust was revoked', async () => {
  const bot = await trusting();
  const [grant] = await bot.store.journals('grant');
  if (grant !== undefined) await bot.core.trust.revoke(grant, UserId.parse(ANN));
  bot.model.says(call('restart', { service: 'b' }));

  await bot.mention(ANN, 'restart b');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.card().tool).toBe('restart');
});

it.each([
  ['before the call is counted on it', 'call-starting'],
  ['after that and before its start', 'trust-used'],
] as const)('asks about a call whose trust a person stops %s (P19c)', async (_when, step) => {
  const bot = await trusting();
  bot.model.says(call('restart', { service: 'b' }));
  let held = () => {};
  bot.at(step, () => new Promise<void>((resolve) => (held = resolve)));
  await bot.mention(ANN, 'restart b');

  const [grant] = await bot.store.journals('grant');
  if (grant !== undefined) expect(await bot.core.trust.revoke(grant, UserId.parse(BEN))).toBe('revoked');
  held();
  await bot.settles();

  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending']);
});

it('asks about a call whose trust ends before its start, although the use was counted', async () => {
  const bot = await trusting();
  bot.model.says(call('restart', { service: 'b' }));
  let held = () => {};
  bot.at('trust-used', () => new Promise<void>((resolve) => (held = resolve)));
  await bot.mention(ANN, 'restart b');

  await bot.passes(3_600_001);
  held();
  await bot.settles();

  expect(bot.ran()).toHaveLength(1);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending']);
});

it('asks the people of a stronger rule, despite any trust', async () => {
  const bot = await trusting();
  await bot.restarts({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] })] });
  bot.model.says(call('restart', { service: 'b' }));

  await bot.mention(ANN, 'restart b');

  expect(bot.ran()).toHaveLength(1);
  expect(bot.card().rule.approvers).toEqual([BEN]);
});

it('leaves a call to the people who were asked about it when a trust for its tool comes later', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(['a', 'b', 'c'].map((service) => call('restart', { service }, service)));
  await bot.mention(ANN, 'restart all');
  const [first, , last] = bot.thread.cards();
  if (first === undefined || last === undefined) throw new Error('There are three cards.');

  await bot.press(ANN, first, 'trust');
  await bot.restarts();
  await bot.press(ANN, last, 'approve');

  expect(bot.ran()).toEqual(['restart {"service":"a"}', 'restart {"service":"c"}']);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending', 'restart approved']);
  expect(bot.thread.statuses().at(-1)).toBe('suspended');
});

it('begins a lost call on a trust again on the same use when its tool says that this is safe', async () => {
  const bot = await trusting({}, { idempotent: true });
  bot.model.says(call('restart', { service: 'b' }));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'restart b');

  await bot.restarts();

  expect(bot.ran()).toHaveLength(3);
  const grants = (await startsOf(bot)).flatMap((entry) => (entry.type === 'call-started' ? [entry.grant.type] : []));
  expect(grants).toEqual(['approval', 'trust', 'trust']);
  expect(await usesWritten(bot)).toBe(1);
});

it('tells the thread of a call on a trust whose process died before it could, while people say what became of it', async () => {
  const bot = await trusting();
  bot.model.says(call('restart', { service: 'b' }));
  bot.diesAt('call-started');
  await bot.mention(ANN, 'restart b');

  await bot.restarts();

  expect(bot.thread.doubts()).toHaveLength(1);
  expect(bot.posts()).toEqual(['First.', expect.stringContaining('without asking')]);
});

it('asks the third time when a trust covers two uses', async () => {
  const bot = await trusting({}, { trust: { match: 'any', scope: 'thread', forMs: 3_600_000, uses: 2 } });
  const calls = ['b', 'c', 'd'].map((service) => call('restart', { service }, service));
  bot.model.says(...calls);

  await bot.mention(ANN, 'restart three');

  expect(bot.ran()).toHaveLength(3);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending']);
});

it('gives a trust whose process died between the decision and the record', async () => {
  const bot = await inProcess({ tools: [tool('restart')] });
  bot.model.says(call('restart', { service: 'a' }), call('restart', { service: 'b' }, 'b'));
  await bot.mention(ANN, 'restart a');
  bot.diesAt('call-decided');
  void bot.press(ANN, bot.card(), 'trust');
  await bot.settles();
  expect(await bot.store.journals('grant')).toEqual([]);

  await bot.restarts();

  expect(bot.ran()).toHaveLength(2);
  expect(await bot.store.journals('grant')).toHaveLength(1);
});

it('gives no trust that a person stopped between the decision and the record (P19c)', async () => {
  const bot = await inProcess({ tools: [tool('restart')], shared: true });
  bot.model.says(call('restart', { service: 'a' }), call('restart', { service: 'b' }, 'b'));
  await bot.mention(ANN, 'restart a');
  const { id } = bot.card();
  bot.diesAt('call-decided');
  void bot.press(ANN, bot.card(), 'trust');
  await bot.settles();
  await bot.starts();
  const approval = await bot.core.approvals.find(id);
  if (approval?.status !== 'trusted' || approval.decision.grant === undefined) throw new Error('It is trusted.');
  expect(await bot.store.journals('grant')).toEqual([]);

  expect(await bot.core.trust.revoke(approval.decision.grant, UserId.parse(BEN), id)).toBe('revoked');
  await bot.passes(LIMITS.leaseMs);

  expect(bot.ran()).toEqual(['restart {"service":"a"}']);
  expect(bot.cards()).toEqual(['restart trusted', 'restart pending']);
  expect(bot.thread.cards()[0]).toMatchObject({ trustEnded: { by: BEN } });
});

it('offers no trust whose terms the card hides', async () => {
  const input = z.object({ service: z.string(), token: secret(z.string()) });
  const trust = { match: 'fields', fields: ['token'], scope: 'thread', forMs: 3_600_000 } as const;
  const bot = await inProcess({ tools: [tool('restart', { input, trust })] });
  bot.model.says(call('restart', { service: 'a', token: 'hunter2-hunter2' }));

  await bot.mention(ANN, 'restart a');

  expect(bot.card().trust).toBeUndefined();
});

it('begins a lost call again on its own use of a trust, although that was the last use', async () => {
  const trust = { match: 'any', scope: 'thread', forMs: HOUR_MS, uses: 1 } as const;
  const bot = await trusting({}, { idempotent: true, trust });
  bot.model.says(call('restart', { service: 'b' }));
  bot.diesAt('tool-returned');
  await bot.mention(ANN, 'restart b');
  expect(bot.ran()).toHaveLength(2);

  await bot.restarts();

  expect(bot.ran()).toHaveLength(3);
  expect(bot.thread.cards()).toHaveLength(1);
  expect(await usesWritten(bot)).toBe(1);
});
