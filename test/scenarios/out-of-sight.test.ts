import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, DEACTIVATED, directChannel, GUEST, OUTSIDER, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { aWhile, cardIn, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { entriesOf, writtenLater } from '../support/read-history.ts';

let stage: Stage;
afterEach(() => stage?.close());

const env = { COUNTERSIGN_CONFIG: 'test/scenarios/out-of-sight.config.ts' };

/** The direct message from which a person can decide. */
const toldTo = (user: string): readonly SlackMessage[] =>
  stage.world
    .channel(directChannel(user))
    .filter((message) => says(message, 'your decision') && says(message, 'View and decide'));

const fullView = (user: string): Promise<View> =>
  stage.world.until(() =>
    stage.world.views(user).find(({ content }) => JSON.stringify(content).includes('approval_approve')),
  );

describe.each(ENGINES)('an approver who does not see the card (%s) (P36)', (engine) => {
  it('is told at once in a direct message, reads the whole question there and decides', async () => {
    stage = await stageOn(engine);
    await stage.startBot({ env });
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    const card = await cardIn(stage, root);

    const told = await stage.world.until(() => toldTo(BEN)[0], { what: 'Ben is told' });
    expect(says(told, 'payments_old')).toBe(false);
    await stage.world.press(BEN, told, 'approval_view');
    await stage.world.press(BEN, await fullView(BEN), 'approval_approve');

    await reply(stage, root, 'Done.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, `By <@${BEN}>. Ran`));
    expect(witnessed(stage)).toHaveLength(1);
  });

  // One death each: a thread in which processes died twice is set aside.
  it.each([
    ['before', 'call-asked'],
    ['after', 'people-told'],
  ])('is told once, even when the bot dies %s the message', async (_when, dieAt) => {
    stage = await stageOn(engine);
    const dying = await stage.startBot({ env, dieAt });
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await dying.gone;
    await stage.startBot({ env });
    await cardIn(stage, root);
    await stage.world.until(() => toldTo(BEN).length > 0, { what: 'Ben is told' });
    await aWhile(6_000);

    expect(toldTo(BEN)).toHaveLength(1);
  });
});

describe('direct messages about a question (P36)', () => {
  it('reach no person without the right to decide, and no member of a group', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await stage.world.until(() => toldTo(BEN).length === 1);
    await aWhile();

    for (const user of [ANN, ZOE, GUEST, OUTSIDER, DEACTIVATED]) expect(toldTo(user)).toEqual([]);
  });

  it('skip approvers who see the card, until the reminder', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, root);
    const told = () => [...toldTo(ANN), ...toldTo(ZOE)];
    await stage.world.until(() => [ANN, ZOE].every((user) => toldTo(user).length > 0));

    await bot.kill();
    const { runs } = await historyOf(stage, root);
    const [asked] = runs.flatMap((run) => entriesOf(run, 'call-asked'));
    const remindAtMs = asked?.remindAtMs ?? Number.POSITIVE_INFINITY;
    expect(told().filter(({ ts }) => Number(ts) * 1_000 < remindAtMs)).toEqual([]);
    expect(told()).toHaveLength(2);
  });

  it('are not sent about a call that was answered before', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service', directChannel(ANN));
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
    await reply(stage, root, 'Understood');
    await aWhile(4_000);

    await bot.kill();
    const { runs } = await historyOf(stage, root);
    expect(writtenLater(toldTo(ZOE), runs)).toEqual([]);
  });
});
