import { afterEach, describe, expect, it } from 'vitest';
import { ANN, ZOE } from '../../sandbox/people.ts';
import { aWhile, cardIn, cards, draws, mention, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe('after a decision', () => {
  it('one press below a call that ran on trust ends the trust, and the card stops offering it (P53)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_trust');
    await stage.world.until(() => draws(stage.world.message(card) ?? card, 'trust_end'));
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    const line = await reply(stage, root, 'without asking');

    await stage.world.press(ZOE, line, 'trust_end_line');
    await stage.world.until(() => !draws(stage.world.message(line) ?? line, 'trust_end_line'));
    await stage.world.until(() => !draws(stage.world.message(card) ?? card, 'trust_end'));
    expect(says(stage.world.message(card) ?? card, `Trust ended by <@${ZOE}>`)).toBe(true);
    expect(stage.world.ephemerals(ZOE)).toEqual([]);
    await reply(stage, root, 'The search service was restarted');
    await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
    await cardIn(stage, root);
    expect(witnessed(stage)).toHaveLength(2);
  });

  it('one press asks again after nobody answered: the requester alone gets a new card, once (P61)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/forgetful.config.ts' } });
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await stage.world.until(() => cards(stage, root)[0]);
    await stage.world.until(() => draws(stage.world.message(card) ?? card, 'approval_again'));

    await stage.world.press(ZOE, card, 'approval_again');
    await whisper(stage, ZOE, 'can ask again');
    await stage.world.press(ANN, card, 'approval_again');
    await stage.world.until(() => says(stage.world.message(card) ?? card, `Asked again by <@${ANN}>`));
    await stage.world.press(ANN, card, 'approval_again', { forged: true, value: idOn(card) });
    await whisper(stage, ANN, 'asked again already');

    await stage.world.until(() => cards(stage, root).length === 2);
    await aWhile();
    expect(cards(stage, root)).toHaveLength(2);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});

const idOn = (card: { readonly blocks: readonly unknown[] }): string =>
  /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
