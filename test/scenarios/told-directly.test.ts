import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, directChannel, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { cardIn, draws, mention, reply, type Stage, says } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const env = { COUNTERSIGN_CONFIG: 'test/scenarios/copies.config.ts' };

/** The bot's direct message to a person, in its current state. */
const copiesOf = (user: string): readonly SlackMessage[] =>
  stage.world
    .channel(directChannel(user))
    .filter(({ user: by, metadata }) => by === BOT && JSON.stringify(metadata ?? {}).includes('countersign_direct'));

const waits = (message: SlackMessage): boolean => says(message, 'your decision') && says(message, 'View and decide');
const isToldTo = async (user: string): Promise<SlackMessage> =>
  stage.world.until(() => copiesOf(user).find(waits), { what: `${user} is told` });
const becomes = (user: string, words: RegExp | string): Promise<SlackMessage> =>
  stage.world.until(() => copiesOf(user).find((message) => says(message, words)), {
    what: `what ${user} was told says ${words}`,
  });

/** Reads all of it where they were told, and decides there. */
async function decidesFrom(user: string, copy: SlackMessage, action: string): Promise<void> {
  await stage.world.press(user, copy, 'approval_view');
  const view = await stage.world.until((): View | undefined =>
    stage.world.views(user).find(({ content }) => JSON.stringify(content).includes(action)),
  );
  await stage.world.press(user, view, action);
}

describe.each(ENGINES)('the direct copies of a question (%s)', (engine) => {
  it('say who decided at once, in each conversation and after a restart (P14)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await cardIn(stage, root);
    const copy = await isToldTo(BEN);
    await isToldTo(ZOE);
    await first.kill();
    await stage.startBot({ env });

    await decidesFrom(BEN, copy, 'approval_deny');
    await reply(stage, root, 'stays');

    for (const user of [BEN, ZOE]) {
      const settled = await becomes(user, `Denied by <@${BEN}>`);
      expect(copiesOf(user)).toHaveLength(1);
      expect(waits(settled)).toBe(false);
      expect(says(settled, 'Go to the card') && draws(settled, 'approval_view')).toBe(true);
      expect(says(settled, 'payments_old')).toBe(false);
    }
  });

  it('are painted by the next process when the one that took the decision died (P14)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot({ env, dieAt: 'call-decided' });
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await cardIn(stage, root);
    await decidesFrom(BEN, await isToldTo(BEN), 'approval_deny');
    await first.gone;
    await stage.startBot({ env });

    await becomes(BEN, `Denied by <@${BEN}>`);
    await becomes(ZOE, `Denied by <@${BEN}>`);
  });
});

describe('the direct copies of a question', () => {
  it('say so as well when they were reminders and the question expired (P61)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    await cardIn(stage, await mention(stage, ANN, 'hostile'));

    await isToldTo(ANN);
    const expired = await becomes(ANN, 'Nobody answered by');
    expect(waits(expired)).toBe(false);
    expect(copiesOf(ANN)).toHaveLength(1);
  });

  it('show the outcome of each row of a card with many calls (P14)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the fleet', directChannel(ANN));
    await cardIn(stage, root);
    await stage.world.until(() => copiesOf(BEN).filter(waits).length === 4);

    await stage.world.say(ANN, root.channel, 'stop', { thread: root });
    await stage.world.until(() => copiesOf(BEN).filter((one) => says(one, 'Cancelled by')).length === 4);
    expect(copiesOf(BEN).filter(waits)).toEqual([]);
  });

  it('cause no trouble when one of them was deleted (P14)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await cardIn(stage, root);
    const copy = await isToldTo(BEN);
    stage.world.remove(await isToldTo(ZOE));

    await decidesFrom(BEN, copy, 'approval_deny');
    await becomes(BEN, `Denied by <@${BEN}>`);
    await reply(stage, root, 'stays');
    await stage.world.until(() => stage.world.session(root).status === 'active');
    expect(copiesOf(ZOE)).toEqual([]);
  });
});

describe.each(ENGINES)('stages of approvers (%s) (P57)', (engine) => {
  it('are told directly when their stage begins, once, and read who decides now', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service', directChannel(ANN));
    await cardIn(stage, root);
    const copy = await isToldTo(BEN);
    expect(copiesOf(ZOE)).toEqual([]);

    await decidesFrom(BEN, copy, 'approval_approve');
    await becomes(BEN, 'You approved.');
    const turn = await isToldTo(ZOE);
    await first.kill();
    await stage.startBot({ env });

    await decidesFrom(ZOE, turn, 'approval_approve');
    await reply(stage, root, 'Done.');
    await becomes(BEN, `Approved by <@${BEN}> and <@${ZOE}>`);
    await becomes(ZOE, `Approved by <@${BEN}> and <@${ZOE}>`);
    expect([...copiesOf(BEN), ...copiesOf(ZOE)]).toHaveLength(2);
  });
});
