import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { audit } from '../support/audit.ts';
import { cards, mention, openCards, type Stage, says } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { PLAYS, play, RESTART } from '../support/size/plays.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe('a reference task', () => {
  it.each(PLAYS)(
    '“$task” makes $cards cards of the size that is allowed and takes $presses presses (P65, T10, SURF-1)',
    async (task) => {
      stage = await stageOn('sqlite');
      stage.confirmsByHand();
      await stage.startBot();

      const { cards, presses, largest } = await play(stage.world, task);

      expect({ cards, presses }).toEqual({ cards: task.cards, presses: task.presses });
      expect(largest.heightPx).toBeLessThanOrEqual(task.heightPx ?? Number.POSITIVE_INFINITY);
      expect(largest.words).toBeLessThanOrEqual(task.cardWords ?? Number.POSITIVE_INFINITY);
    },
  );

  it('makes the audit, and no card, list the rule that would end the asking after the same approval twice (T10, MF-13)', async () => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/reference-tasks.config.ts' } });
    for (const time of [1, 2]) {
      const { root, presses } = await play(stage.world, RESTART);
      expect(presses, `time ${time}`).toBe(1);
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
