import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { audit } from '../support/audit.ts';
import { cards, mention, openCards, reply, type Stage, says } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Presses every open card of a thread, as it comes, until the agent has said its last word; counts the presses. */
async function finish(root: SlackMessage, words: RegExp, by: string, action: string): Promise<number> {
  let presses = 0;
  for (;;) {
    const next = await stage.world.until(
      () => openCards(stage, root)[0] ?? stage.world.messages(root).find((one) => one.user !== by && says(one, words)),
      { what: `a card, or ${words}` },
    );
    if (!openCards(stage, root).includes(next)) return presses;
    await stage.world.press(by, next, action);
    presses += 1;
    await stage.world.until(() => !openCards(stage, root).some(({ ts }) => ts === next.ts));
  }
}

/** What people have to do for a task of this kind, at most. A change that costs more presses has to change this table. */
const TASKS = [
  { task: 'status', by: ANN, words: /This is what I see/, cards: 0, presses: 0 },
  { task: 'restart the payments service', by: ANN, words: /Done\. The payments/, cards: 1, presses: 1 },
  { task: 'restart everything', by: ANN, words: /All 3 services/, cards: 3, presses: 3 },
  { task: 'drop the old database', by: BEN, words: /database is gone/, cards: 1, presses: 1 },
] as const;

describe('a reference task', () => {
  it.each(TASKS)('“$task” makes $cards cards and takes $presses presses (P65, T10)', async (task) => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, task.task);

    expect(await finish(root, task.words, task.by, 'approval_approve')).toBe(task.presses);
    expect(cards(stage, root)).toHaveLength(task.cards);
  });

  it('takes no press under a trust that was given in the thread (P65, T10)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    expect(await finish(root, /Done\. The payments/, ANN, 'approval_trust')).toBe(1);

    await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
    await reply(stage, root, /Done\. The mail/);

    expect(cards(stage, root)).toHaveLength(1);
  });

  it('makes the audit, and no card, list the rule that would end the asking after the same approval twice (T10, MF-13)', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/reference-tasks.config.ts' } });
    for (const time of [1, 2]) {
      const root = await mention(stage, ANN, 'restart the payments service');
      expect(await finish(root, /Done\. The payments/, ANN, 'approval_approve'), `time ${time}`).toBe(1);
      expect(says(cards(stage, root)[0] ?? root, 'in a row')).toBe(false);
    }

    const third = await mention(stage, ANN, 'restart the payments service');
    const card = await stage.world.until(() => openCards(stage, third)[0]);

    expect(says(card, 'effect:')).toBe(false);
    await bot.kill();
    const { out } = await audit({ DATA_DIR: stage.dataDir }, 'attention');
    expect(out).toContain(`effect: 'allow', tool: 'restart_service', requester: '${ANN}'`);
  });
});
