import { afterEach, describe, expect, it } from 'vitest';
import { call, text } from '../../sandbox/model/answer.ts';
import type { Conversation } from '../../sandbox/model/conversation.ts';
import { ANN, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import {
  aWhile,
  cardIn,
  cards,
  mention,
  openCards,
  openStage,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Four calls that one press may approve together, and one guarded call. */
const withGuarded: Conversation = {
  example: 'clean up',
  begins: (said) => /\bclean up\b/.test(said),
  play: ({ results }) => {
    if (results.length > 0) return `Heard of ${results.length}.`;
    const restarts = ['payments', 'search', 'mail'].map((service) => call('restart_service', { service }));
    return { content: [text('I will clean up.'), ...restarts, call('drop_database', { database: 'payments_old' })] };
  },
};

/** The ids of the rows that can still be decided, in their order. */
const rowsOf = (card: SlackMessage): readonly string[] =>
  parts(stage.world.message(card)?.blocks ?? []).flatMap((part) =>
    part.action_id === 'approval_deny' ? [String(part.value)] : [],
  );
const services = () => witnessed(stage).map(({ input }) => (input as { readonly service: string }).service);
const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));
const decisions = async (root: SlackMessage) =>
  (await historyOf(stage, root)).runs.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.type === 'call-decided' ? [[entry.verdict, entry.by] as const] : [])),
  );

async function fleet(): Promise<{ readonly root: SlackMessage; readonly card: SlackMessage }> {
  const root = await mention(stage, ANN, 'restart the fleet');
  return { root, card: await cardIn(stage, root) };
}

describe('four calls of one turn', () => {
  it('share one card, and each row decides its own call and no other (P24, P15)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    const { root, card } = await fleet();
    const [payments = '', search = '', billing = '', mail = ''] = rowsOf(card);

    await stage.world.press(ANN, card, 'approval_approve', { value: billing });
    await stage.world.press(ANN, card, 'approval_deny', { value: payments });
    await stage.world.press(ANN, card, 'approval_approve', { value: mail });
    await stage.world.press(ANN, card, 'approval_deny', { value: search });
    await reply(stage, root, 'The fleet: 2 of 4');

    expect(cards(stage, root)).toHaveLength(1);
    expect(services().sort()).toEqual(['billing', 'mail']);
    const last = await stage.world.until(() => {
      const now = stage.world.message(card);
      return now !== undefined && says(now, 'Nothing waits here any more') && !says(now, /Not started|Started\./)
        ? now
        : undefined;
    });
    expect(says(last, /Approve|Deny all/)).toBe(says(last, /Approved by/));
    expect(openCards(stage, root)).toEqual([]);
    await bot.kill();
  });

  it('are all approved by one press, each recorded by itself and run once, and earlier decisions stay (P44)', async () => {
    stage = await openStage();
    const bot = await stage.startBot();
    const { root, card } = await fleet();
    const [, search = ''] = rowsOf(card);
    await stage.world.press(ANN, card, 'approval_deny', { value: search });
    await stage.world.until(() => rowsOf(card).length === 3);

    const both = [1, 2].map(() => stage.world.press(ANN, card, 'list_approve_all'));
    await Promise.all(both);
    await reply(stage, root, 'The fleet: 3 of 4');

    expect(services().sort()).toEqual(['billing', 'mail', 'payments']);
    await bot.kill();
    expect(stage.world.ephemerals(ANN)).toEqual([]);
    expect((await decisions(root)).sort()).toEqual([
      ['approve', ANN],
      ['approve', ANN],
      ['approve', ANN],
      ['deny', ANN],
    ]);
  });

  it('are all denied with one reason, which the agent gets for each (P62)', async () => {
    stage = await openStage();
    await stage.startBot();
    const { root, card } = await fleet();

    await stage.world.press(ANN, card, 'list_deny_all');
    await stage.world.submit(ANN, await form(ANN), { reason: 'Not while people are buying.' });
    await reply(stage, root, 'The fleet: 0 of 4');

    expect(witnessed(stage, 'begun')).toEqual([]);
    const heard = stage.sandbox.model.requests.at(-1)?.results ?? [];
    expect(heard.filter((result) => result.text.includes('Not while people are buying.'))).toHaveLength(4);
  });

  it('are decided by no person without the right, and such a press is answered privately (P3, P37)', async () => {
    stage = await openStage();
    await stage.startBot();
    const { root, card } = await fleet();
    const said = stage.world.messages(root).length;

    await stage.world.press(ZOE, card, 'list_approve_all');
    await whisper(stage, ZOE, /Only .* can decide these\. Nothing changed\./);

    expect(rowsOf(card)).toHaveLength(4);
    expect(stage.world.messages(root)).toHaveLength(said);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('are withdrawn together when a person stops the run (B6)', async () => {
    stage = await openStage();
    await stage.startBot();
    const { root, card } = await fleet();

    await stage.world.press(ANN, card, 'approval_more', { option: 'Stop this run' });
    await reply(stage, root, 'Stopped.');
    await stage.world.until(() => rowsOf(card).length === 0);

    expect(says(stage.world.message(card) ?? card, `Cancelled by <@${ANN}>`)).toBe(true);
    await stage.world.press(ANN, card, 'list_approve_all', { forged: true, value: rowsOf(card)[0] ?? '' });
    await aWhile(300);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('expire together, and none of them ran (B4)', async () => {
    stage = await openStage();
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' } });
    const root = await mention(stage, ANN, 'restart the fleet');
    await reply(stage, root, 'The fleet: 0 of 4');

    await stage.world.until(() => cards(stage, root).some((card) => says(card, '*4. Expired*')));
    expect(openCards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

describe('a card with a guarded call on it', () => {
  it('has no button that approves all calls, and a forged press approves none (P39)', async () => {
    stage = await openStage({ sandbox: { conversations: [withGuarded] } });
    await stage.startBot();
    const root = await mention(stage, ANN, 'clean up');
    const card = await cardIn(stage, root);
    const list = parts(card.blocks).find((part) => part.action_id === 'list_deny_all')?.value;

    await expect(stage.world.press(ANN, card, 'list_approve_all')).rejects.toThrow('not drawn');
    await stage.world.press(ANN, card, 'list_approve_all', { forged: true, value: String(list) });
    await whisper(stage, ANN, 'These calls cannot be approved together');

    expect(rowsOf(card)).toHaveLength(4);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

describe.each(ENGINES)('a card with many calls whose bot is killed (%s)', (engine) => {
  it('is the same card after the restart, and one press approves what waits on it (P2, B3)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const { root, card } = await fleet();

    await first.kill();
    await stage.startBot();
    await stage.world.press(ANN, card, 'list_approve_all');
    await reply(stage, root, 'The fleet: 4 of 4');

    expect(cards(stage, root)).toHaveLength(1);
    expect(services().sort()).toEqual(['billing', 'mail', 'payments', 'search']);
  });
});

describe('two replicas and two people', () => {
  it('take one decision for each row, and the card shows all of them (P4, P12, B1)', async () => {
    stage = await stageOn('redis');
    const bots = [await stage.startBot(), await stage.startBot()];
    const { root, card } = await fleet();
    const ids = rowsOf(card);

    await Promise.all([
      stage.world.press(ANN, card, 'list_approve_all'),
      ...ids.map((value) => stage.world.press(ANN, card, 'approval_deny', { value, forged: true })),
    ]);
    await reply(stage, root, /The fleet: \d of 4/);
    await stage.world.until(() => {
      const now = stage.world.message(card) ?? card;
      return says(now, 'Nothing waits here any more') && !says(now, /Not started|Started\./);
    });
    await Promise.all(bots.map((bot) => bot.kill()));

    const taken = await decisions(root);
    expect(taken).toHaveLength(4);
    const approved = taken.filter(([verdict]) => verdict === 'approve').length;
    expect(witnessed(stage)).toHaveLength(approved);
    expect(JSON.stringify(stage.world.message(card)?.blocks).split('Approved by').length - 1).toBe(approved);
  });
});
