import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { cardIn, cards, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { ENGINES_BY_TURNS, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));

describe.each(ENGINES_BY_TURNS)('an input that is edited before it is approved (%s)', (engine) => {
  it('runs as edited, to the letter, and card and model show what really ran (P18, B14)', async () => {
    stage = await stageOn(engine);
    const first = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_more', { option: 'Edit input…' });
    const open = await form(ANN);

    const wrong = await stage.world.submit(ANN, open, { 'field-0': 'payments' });
    expect(wrong.result).toMatchObject({ type: 'errors' });
    expect(witnessed(stage, 'begun')).toEqual([]);

    // Decided in one process and run by another, which never saw the form.
    await first.kill();
    await stage.startBot();
    const submitted = await stage.world.submit(ANN, open, { 'field-0': 'mail' });
    expect(submitted.result).toEqual({ type: 'closed' });
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Ran in'));

    expect(witnessed(stage).map(({ input }) => input)).toEqual([{ service: 'mail' }]);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
    expect(cards(stage, root)).toHaveLength(1);
    const shown = stage.world.message(card) ?? card;
    expect(says(shown, `Approved with changes by <@${ANN}>`)).toBe(true);
    expect(says(shown, ' → mail')).toBe(true);
    expect(says(shown, 'Restart the mail service')).toBe(true);
    await stage.world.until(() =>
      JSON.stringify(stage.sandbox.model.requests.at(-1)).includes('What really ran, in place of what you asked for'),
    );
  });
});

describe('an input that is edited', () => {
  it('is not taken from a form that another person filled in, or after the card was decided (P57)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.press(BEN, card, 'approval_more', { option: 'Edit input…' });
    await stage.world.until(() =>
      stage.world.views(BEN).some(({ content }) => /Only .* can decide this/.test(JSON.stringify(content))),
    );
    await stage.world.press(ANN, card, 'approval_more', { option: 'Edit input…' });
    const open = await form(ANN);
    await stage.world.press(ANN, card, 'approval_deny');
    await reply(stage, root, 'Understood');

    const late = await stage.world.submit(ANN, open, { 'field-0': 'mail' });

    expect(late.result).toMatchObject({ type: 'updated' });
    expect(JSON.stringify(late.result)).toContain('already denied');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });
});
