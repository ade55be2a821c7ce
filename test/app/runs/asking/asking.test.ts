import { expect, it } from 'vitest';
import { testClock } from '../../../../app/clock.ts';
import { decideStop } from '../../../../app/journal/index.ts';
import { LIMITS } from '../../../../app/limits.ts';
import { silentLog } from '../../../../app/log.ts';
import { createWaiting } from '../../../../app/questions/index.ts';
import { openRunJournal } from '../../../../app/recorder/run-journal.ts';
import { askPeople } from '../../../../app/runs/asking/asking.ts';
import { WORDS } from '../../../../app/runs/telling/words.ts';
import { ANN, BEN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';
import { approvalId, OWN_RULE, runId, started, turn } from '../../../support/journal.ts';
import { createModelStore } from '../../../support/model-store.ts';

const tools = [tool('restart')];

it('calls the named approvers to a question only after they had time to answer it on the card', async () => {
  const elsewhere = { isInChannel: async ({ user }: { readonly user: string }) => user !== BEN };
  const bot = await inProcess({ tools: [tool('wipe', { effect: 'guarded', approvers: [BEN] })], people: elsewhere });
  bot.model.says(call('wipe'));
  await bot.mention(ANN, 'wipe payments');

  await bot.passes(LIMITS.noticeAfterMs - 1);
  expect(bot.thread.calls()).not.toContain('remind notice');
  await bot.passes(1);

  expect(bot.thread.calls()).toContain('remind notice');
});

it('shows on the card that a call is approved before the call begins, even when the process of the press died', async () => {
  const seen: (readonly string[])[] = [];
  const run = () => {
    seen.push(bot.cards());
    return 'done';
  };
  const bot = await inProcess({ tools: [tool('restart', { run })], shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.starts();
  bot.diesAt('call-decided');

  const pressed = bot.press(ANN, bot.card(), 'approve');
  await bot.settles();
  expect(seen).toEqual([]);
  await bot.waits(500);

  expect(seen).toEqual([['restart approved']]);
  void pressed;
});

it('begins an approved call without its painting while the rate of Slack leaves no room for it', async () => {
  const bot = await inProcess({ tools });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  bot.thread.holdsPaintings();

  void bot.press(ANN, bot.card(), 'approve');
  await bot.settles();

  expect(bot.cards()).toEqual(['restart pending']);
  expect(bot.ran()).toHaveLength(1);
});

it('asks a waiting call anew when another process withdrew its card under new rules', async () => {
  const bot = await inProcess({ tools, shared: true });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.starts({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] })] });

  await bot.press(ANN, bot.card(), 'approve');

  expect(bot.cards()).toEqual(['restart cancelled', 'restart pending']);
  expect(bot.ran()).toEqual([]);
});

it('leaves a question to the process that asked it anew under new rules, and shows so on the card before it', async () => {
  const wipe = tool('wipe', { preview: () => new Promise<never>(() => {}) });
  const bot = await inProcess({ tools: [...tools, wipe], shared: true });
  bot.model.says([call('restart'), call('wipe')]);
  await bot.mention(ANN, 'restart and wipe payments');
  expect(bot.cards()).toEqual(['restart pending']);

  await bot.starts({ tools: [tool('restart', { effect: 'guarded', approvers: [BEN] }), wipe] });
  await bot.passes(LIMITS.leaseMs);

  expect(bot.cards()).toEqual(['restart cancelled', 'restart pending']);
  expect(bot.card().rule.approvers).toEqual([BEN]);
});

it('stores an input that is too long for an entry, so that people see all of it', async () => {
  const bot = await inProcess({ tools });
  const service = 'x'.repeat(LIMITS.inlineInputChars);
  bot.model.says(call('restart', { service }));

  await bot.mention(ANN, 'restart payments');

  expect(bot.card().input).toBe(JSON.stringify({ service }));
});

it('does not report a posted card as missing when the question is withdrawn after a restart', async () => {
  const bot = await inProcess({ tools });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { id } = bot.card();
  await bot.restarts();

  await bot.core.approvals.cancel(id, 'It cannot be answered.');
  await bot.passes(LIMITS.leaseMs);

  expect(bot.posts()).toEqual(['Done.']);
  expect(bot.model.told().join()).not.toContain(WORDS.unseen);
});

it('looks once at what a call would do, and not again when a process finds the question already asked', async () => {
  let looks = 0;
  const preview = () => `look ${++looks}`;
  const bot = await inProcess({ tools: [tool('restart', { preview })] });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  await bot.restarts();

  bot.diesAt('waiter-woken');
  await bot.press(ANN, bot.card(), 'approve');
  await bot.restarts();

  expect(bot.ran()).toHaveLength(1);
  expect(looks).toBe(1);
});

it.each(['call-asked', 'card-posted'] as const)(
  'cancels a question whose run is stopped while its card is on its way, at %s',
  async (step) => {
    const bot = await inProcess({ tools });
    let goOn = (): void => expect.unreachable('No process stands at this step.');
    bot.at(step, () => new Promise<void>((resolve) => (goOn = resolve)));
    bot.model.says(call('restart'));
    await bot.mention(ANN, 'restart payments');

    await bot.stop(ANN);
    goOn();
    await bot.settles();

    expect(bot.posts()).toEqual([WORDS.stoppedWaiting]);
    expect(bot.cards()).not.toContain('restart pending');
    expect(await bot.standing()).toBe('idle');
  },
);

it('shows on a card that is shown again that its run was stopped while it was on its way', async () => {
  const bot = await inProcess({ tools });
  bot.model.says(call('restart'));
  await bot.mention(ANN, 'restart payments');
  const { id, card } = bot.card();
  if (card === undefined) throw new Error('The question has no card.');
  let goOn = (): void => {};
  bot.at('card-begun', () => new Promise<void>((resolve) => (goOn = resolve)));
  bot.thread.loses(card);
  void bot.core.approvals.cardDeleted(id, card);
  await bot.settles();

  await bot.stop(ANN);
  goOn();
  await bot.settles();

  expect(bot.cards()).not.toContain('restart pending');
});

it('asks no person about a call whose run another process stopped while the question was made', async () => {
  const store = createModelStore(testClock(1_000));
  let ids = 0;
  const open = () => openRunJournal({ store, entryId: () => `id-${++ids}`, elapsed: () => 1_000 }, runId());
  const [journal, other] = [open(), open()];
  await journal.commit(() => ({ entries: [started, turn(1, 'a')], items: ['{}'], result: undefined }));
  const unreached = async () => expect.unreachable();
  const deps = {
    surface: { postCard: unreached, status: unreached, takeBack: unreached, paintingHeld: unreached },
    listing: { listOf: unreached, show: unreached },
    cards: {
      ...{ settle: unreached, settleAnswered: unreached, repaint: unreached },
      ...{ takeBack: unreached, isShown: unreached },
    },
    waiting: createWaiting({ log: silentLog }),
    by: 'one',
    newQuestionId: () => approvalId(),
    describe: async () => {
      await other.refresh();
      await other.commit((state) =>
        state === undefined ? expect.unreachable() : decideStop(state, { cause: 'Enough.' }),
      );
      const asked = { definition: 'd', policy: 'p', effect: 'asked' as const, summary: 'S.', rule: OWN_RULE };
      return { type: 'described' as const, needed: true, lifetimeMs: 1_000, deadlines: {}, input: '{}', asked };
    },
    grantTrust: unreached,
    log: silentLog,
    step: () => {},
  };
  const toolUse = { type: 'toolUse', toolUseId: 'a', name: 'restart', input: {} } as const;

  const answer = await askPeople(deps, journal, { toolUse, digest: 'd', signal: new AbortController().signal });

  expect(answer).toEqual({ decision: 'cancelled', comment: WORDS.runStopped, unseen: false });
});
