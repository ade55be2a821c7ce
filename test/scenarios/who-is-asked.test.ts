import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, DEACTIVATED, GUEST, ON_CALL, OTHER_BOT, ZOE } from '../../sandbox/people.ts';
import { aWhile, cardIn, cards, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

interface Named {
  readonly approvers: readonly string[];
  readonly quorum?: number;
}

async function start(policy: Readonly<Record<string, Named>>): Promise<void> {
  stage = await stageOn('sqlite');
  const env = {
    COUNTERSIGN_CONFIG: 'test/scenarios/who-is-asked.config.ts',
    WHO_IS_ASKED: JSON.stringify({ drop_database: { approvers: [BEN] }, ...policy }),
  };
  await stage.startBot({ env });
}

describe('a call that no living person could decide', () => {
  it.each<[string, Named, string]>([
    ['two are named, and one of them asked', { approvers: [ANN, BEN], quorum: 2 }, 'and one of them asked'],
    ['the only approver left', { approvers: [DEACTIVATED] }, 'one is named, and that person has a deactivated account'],
    ['the only approver is a bot', { approvers: [OTHER_BOT] }, 'one is named, and that person is a bot'],
    ['Slack knows no such person', { approvers: ['U0GONE0001'] }, 'that person is not known to Slack'],
    ['Slack knows no such group', { approvers: ['S0GONE0001'] }, 'no user group that is named has a member'],
    [
      'one left and one is a guest',
      { approvers: [DEACTIVATED, GUEST] },
      'two are named, and one of them has a deactivated account, and one of them is a guest',
    ],
  ])('is not asked, and the thread hears at once why: %s (SURF-2)', async (_why, named, words) => {
    await start({ drop_database: named });
    const root = await mention(stage, ANN, 'drop the old database');

    const told = await reply(stage, root, 'no person may give it here');
    expect(says(told, words)).toBe(true);
    await aWhile();
    expect(cards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('is one of a group whose only member asked, and is asked when another person joins the group (SURF-2)', async () => {
    await start({ drop_database: { approvers: [ON_CALL] } });
    await reply(stage, await mention(stage, BEN, 'drop the old database'), 'one is named, and that person asked');

    const group = stage.world.groups.get(ON_CALL);
    if (group === undefined) throw new Error('There is no group.');
    stage.world.groups.set(ON_CALL, { ...group, members: [BEN, ZOE] });
    // What Slack said of the group is remembered for five seconds.
    await aWhile(5_500);
    await cardIn(stage, await mention(stage, BEN, 'drop the old database'));
  });

  it('is asked when one of its approvers is alive (SURF-2)', async () => {
    await start({ drop_database: { approvers: [DEACTIVATED, 'U0GONE0001', BEN] } });
    const root = await mention(stage, ANN, 'drop the old database');

    await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

it('a guest who asks for what only they could decide is told at once that a guest does not decide (SURF-2)', async () => {
  await start({});
  const root = await mention(stage, GUEST, 'restart the payments service');

  const told = await reply(stage, root, 'no person may give it here');
  expect(says(told, 'no approver is named, and the person who asked is a guest')).toBe(true);
  expect(cards(stage, root)).toEqual([]);
});
