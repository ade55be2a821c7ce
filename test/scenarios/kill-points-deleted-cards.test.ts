import { describe, expect, it } from 'vitest';
import { cardIn } from '../support/bot.ts';
import { dyingWalk } from '../support/dying-walk.ts';
import { cardsIn, ENDS, witnessesAgree } from '../support/kill-rows.ts';

describe.concurrent('a bot that dies while it shows a deleted card again', { timeout: 180_000 }, () => {
  it.each(['card-begun:2', 'card-posted:2', 'card-recorded:2'])('B9 FK9 after %s: there is one card', async (at) => {
    const walked = await dyingWalk({
      dieAt: [at],
      onlyLastIsPressed: true,
      meanwhile: async (stage, root) => stage.world.remove(await cardIn(stage, root)),
      ends: ENDS,
    });
    witnessesAgree(walked, {});
    expect(cardsIn(walked.history.messages)).toHaveLength(1);
    const lost = walked.history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'card-lost'));
    expect(lost).toHaveLength(1);
  });
});
