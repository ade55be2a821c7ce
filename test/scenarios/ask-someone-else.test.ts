import { afterEach, expect, it } from 'vitest';
import { ANN, BEN, ZOE } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { cardIn, mention, openCards, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const form = (user: string): Promise<View> =>
  stage.world.until(
    () => stage.world.views(user).find(({ content }) => JSON.stringify(content.blocks).includes('users_select')),
    { what: `${user} is asked whom to ask` },
  );

it.each(ENGINES)(
  'a person asked by name is called, named on the card, and needs the right to decide (%s) (P36, P34)',
  async (engine) => {
    stage = await stageOn(engine);
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);

    await stage.world.press(ANN, card, 'approval_more', { option: 'Ask someone else…' });
    const wrong = await stage.world.submit(ANN, await form(ANN), { person: ZOE });
    expect(wrong.result).toEqual({
      type: 'errors',
      errors: { person: 'This person may not decide about this call. Choose another.' },
    });
    const right = await stage.world.submit(ANN, await form(ANN), { person: BEN });
    expect(right.result).toEqual({ type: 'closed' });

    await reply(stage, root, `<@${ANN}> asks <@${BEN}> to decide about`);
    await stage.world.until(() => openCards(stage, root).some((open) => says(open, `Also asked: <@${BEN}>`)));
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(ZOE, card, 'approval_approve');
    await whisper(stage, ZOE, /Only .* can decide this/);
    await stage.world.press(BEN, card, 'approval_approve');
    await reply(stage, root, 'The old database is gone.');
    expect(witnessed(stage)).toHaveLength(1);
  },
);

it('the caller hears when a person could not be called, and calling again reaches that person, once (P36)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  const root = await mention(stage, ANN, 'drop the old database');
  const card = await cardIn(stage, root);
  const calls = () => stage.world.messages(root).filter(({ text }) => text.includes(`asks <@${BEN}> to decide`));
  const askBen = async () => {
    await stage.world.press(ANN, card, 'approval_more', { option: 'Ask someone else…' });
    return stage.world.submit(ANN, await form(ANN), { person: BEN });
  };
  stage.world.faults.set('chat.postMessage', { type: 'platform', error: 'fatal_error' }, Number.POSITIVE_INFINITY);

  await askBen();
  // Slack hears within a second that the form arrived, and the bot tries the post for longer.
  const told = await stage.world.until(
    () => stage.world.views(ANN).find((view) => JSON.stringify(view).includes('did not let me mention them')),
    { what: 'the form says so' },
  );
  await stage.world.close(ANN, told);
  expect(calls()).toEqual([]);

  stage.world.faults.clear();
  await askBen();
  await stage.world.until(() => calls().length > 0);
  expect((await askBen()).result).toEqual({ type: 'errors', errors: { person: 'This person was asked already.' } });
  expect(calls()).toHaveLength(1);
});
