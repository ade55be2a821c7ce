import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import {
  aWhile,
  cardIn,
  cards,
  doubtIn,
  mention,
  openCards,
  reply,
  type Stage,
  says,
  witnessed,
} from '../support/bot.ts';
import { ENGINES_BY_TURNS, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe.each(ENGINES_BY_TURNS)('a bot that is killed while its card waits (%s)', (engine) => {
  it('runs the tool once and replies when it is started again and the card is pressed (P2, B3, D11, P7b)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await first.kill();
    await stage.startBot();
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(witnessed(stage)).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(1);
    // The answered turn is not asked for again.
    expect(stage.sandbox.model.requests).toHaveLength(2);
    expect(openCards(stage, root)).toEqual([]);
  });

  it('goes on from the journal after a polite stop as well, without a message to any person (P5)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    const said = stage.world.messages(root).length;

    expect(await first.stop()).toBe(0);
    expect(stage.world.messages(root)).toHaveLength(said);
    await stage.startBot();
    await stage.world.press(ANN, card, 'approval_deny');
    await reply(stage, root, 'Understood');

    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('reports an unknown outcome when it dies inside the tool, and does not run the tool again', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot({ env: { EXAMPLE_TOOL_MS: '60000' } });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => witnessed(stage, 'begun').length === 1);

    await first.kill();
    await stage.startBot();
    const asked = await doubtIn(stage, root);
    await aWhile();
    expect(says(asked, 'I do not know whether it finished')).toBe(true);
    expect(stage.sandbox.model.requests).toHaveLength(1);
    await stage.world.press(ANN, asked, 'doubt_skip');
    await reply(stage, root, 'Understood');

    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(JSON.stringify(stage.sandbox.model.requests.at(-1))).toContain('It is not known whether it finished');
    await stage.world.until(() => says(stage.world.message(card) ?? card, /unknown/i));
  });
});
