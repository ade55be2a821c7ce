import { afterEach, describe, expect, it } from 'vitest';
import { ANN, ZOE } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { aWhile, cardIn, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));

describe('a refusal with a reason', () => {
  it('reaches the model with the person’s words, quoted, and is shown on the card (P62)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
    const submitted = await stage.world.submit(ANN, await form(ANN), { reason: 'Not before "noon".' });
    await reply(stage, root, 'Understood');

    // A form that is answered late stays open and says so.
    await stage.world.until(() => stage.world.views(ANN).every(({ content }) => content.submit === undefined));
    expect(submitted.result.type).not.toBe('errors');
    expect(JSON.stringify(stage.sandbox.model.requests.at(-1))).toContain('Not before \\\\\\"noon');
    await stage.world.until(() => says(stage.world.message(card) ?? card, '“Not before \\"noon\\".”'));
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('stops the run when the approver chose that', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart everything');
    const card = await cardIn(stage, root, 2);

    await stage.world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
    await stage.world.submit(ANN, await form(ANN), { next: 'Stop the run' });
    await reply(stage, root, 'Stopped');
    await aWhile();

    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('is refused politely when another person was faster, and opens for no person without the right (P3, B5)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);

    await stage.world.press(ZOE, card, 'approval_more', { option: 'Deny with a reason…' });
    await stage.world.until(() =>
      stage.world.views(ZOE).some(({ content }) => /Only .* can decide this/.test(JSON.stringify(content))),
    );
    await stage.world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
    const open = await form(ANN);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'Done.');
    const submitted = await stage.world.submit(ANN, open, { reason: 'too late' });

    expect(submitted.result).toMatchObject({ type: 'updated' });
    // A form that is answered late says first that its decision is under way.
    await stage.world.until(() => JSON.stringify(stage.world.views(ANN)).includes('already approved'));
    expect(witnessed(stage)).toHaveLength(1);
  });
});
