import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, ZOE } from '../../sandbox/people.ts';
import { aWhile, cardIn, cards, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const under = (name: string) => ({ env: { COUNTERSIGN_CONFIG: `test/support/${name}.config.ts` } });
const YES = 'approval_approve';

describe.each(ENGINES)('rules that become stricter while a card waits (%s)', (engine) => {
  it('take no approval on the old card: a new one asks the two people who decide now (P34, P44)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot(under('lenient'));
    const root = await mention(stage, ANN, 'drop the old database');
    const old = await cardIn(stage, root);
    await first.kill();

    await stage.startBot(under('ruled'));
    await stage.world.press(BEN, old, YES, { forged: true });
    const card = await stage.world.until(() => openCards(stage, root).find((one) => says(one, '0 of 2')));
    expect(card.ts).not.toBe(old.ts);
    const replaced = await stage.world.until(() => {
      const now = stage.world.message(old);
      return now !== undefined && says(now, `p${card.ts.replace('.', '')}`) ? now : undefined;
    });
    expect(says(replaced, 'Replaced')).toBe(true);
    expect(says(replaced, 'The rules for this call have changed')).toBe(true);
    expect(says(replaced, 'Go to the newer card')).toBe(true);
    expect(openCards(stage, root)).toHaveLength(1);
    await stage.world.press(BEN, card, YES);
    await stage.world.until(() => says(stage.world.message(card) ?? card, '1 of 2'));
    await aWhile();
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(ZOE, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(2);
  });

  it('withdraw the question when they deny the call now, and the agent hears which rule', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot(under('lenient'));
    const root = await mention(stage, ANN, 'restart the mail service');
    const card = await cardIn(stage, root);
    await first.kill();

    await stage.startBot(under('ruled'));
    await stage.world.press(ANN, card, YES, { forged: true });
    await reply(stage, root, 'Understood');

    // The card says what has changed, whether the press or the resumed run was faster.
    const end = stage.world.message(card) ?? card;
    expect(says(end, /Mail stays up|The rules for this call have changed/)).toBe(true);
    expect(openCards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});
