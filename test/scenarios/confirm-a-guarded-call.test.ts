import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { confirmForm } from '../support/approving.ts';
import { aWhile, cardIn, draws, mention, openCards, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const form = (user: string): Promise<View> =>
  stage.world.until(() => confirmForm(stage.world, user), { what: `${user} is asked to confirm` });

async function asked(engine: 'sqlite' | 'redis' = 'sqlite') {
  stage = await stageOn(engine);
  stage.confirmsByHand();
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'drop the old database');
  return { bot, root, card: await cardIn(stage, root) };
}

describe.each(ENGINES)('a guarded call (%s)', (engine) => {
  it('takes two presses and one decision, and another process may take the second (SURF-1)', async () => {
    const { bot, root, card } = await asked(engine);

    await stage.world.press(BEN, card, 'approval_approve');
    const open = await form(BEN);
    expect(JSON.stringify(open.content)).toContain('Delete the database payments_old for good? This cannot be undone.');
    expect(openCards(stage, root)).toHaveLength(1);
    await bot.kill();
    await stage.startBot();
    const { result } = await stage.world.submit(BEN, open);

    expect(result).toEqual({ type: 'closed' });
    await reply(stage, root, 'The old database is gone');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

describe('a guarded call', () => {
  it('opens no form for a person who may not decide (SURF-1, P34)', async () => {
    const { card } = await asked();

    await stage.world.press(ANN, card, 'approval_approve');
    await whisper(stage, ANN, /Only .* can decide this/);
    await aWhile();

    expect(stage.world.views(ANN)).toEqual([]);
    expect(stage.world.requests.filter(({ method }) => method === 'views.open')).toEqual([]);
  });

  it('is judged again at the submit: a person who was faster has decided it (SURF-1, P35)', async () => {
    const { root, card } = await asked();

    await stage.world.press(BEN, card, 'approval_approve');
    const open = await form(BEN);
    await stage.world.press(BEN, card, 'approval_deny');
    await reply(stage, root, 'stays');
    await stage.world.submit(BEN, open);

    await stage.world.until(() => /already denied/.test(JSON.stringify(stage.world.views(BEN))));
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('whose trigger is dead is not approved, and its presser is told to press again (SURF-1)', async () => {
    const { root, card } = await asked();
    stage.world.faults.set('views.open', { type: 'platform', error: 'expired_trigger_id' });

    await stage.world.press(BEN, card, 'approval_approve');
    await whisper(stage, BEN, 'Press Approve again.');
    await stage.world.press(BEN, card, 'approval_approve');
    await stage.world.submit(BEN, await form(BEN));

    await reply(stage, root, 'The old database is gone');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('is confirmed from the list of what waits as well, in the place of its full view (SURF-1)', async () => {
    const { root } = await asked();
    await stage.world.openHome(BEN);
    const home = await stage.world.until(() => {
      const page = stage.world.home(BEN);
      return page !== undefined && draws({ blocks: page.content.blocks }, 'approval_view') ? page : undefined;
    });

    await stage.world.press(BEN, home, 'approval_view');
    const full = await stage.world.until(() =>
      stage.world.views(BEN).find(({ content }) => draws({ blocks: content.blocks }, 'approval_approve')),
    );
    await stage.world.press(BEN, full, 'approval_approve');
    await stage.world.submit(BEN, await form(BEN));

    await reply(stage, root, 'The old database is gone');
    expect(stage.world.requests.filter(({ method }) => method === 'views.open')).toHaveLength(1);
    expect(witnessed(stage)).toHaveLength(1);
  });
});
