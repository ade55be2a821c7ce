import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { cardIn, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

const view = (user: string, callback: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.callback_id === callback));

describe('trust on other terms', () => {
  it('is stored under the line that was shown, and covers what that line says and no more (P51, P52, P53)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.press(BEN, card, 'approval_more', { option: 'Trust on other terms…' });
    await stage.world.until(() =>
      stage.world.views(BEN).some(({ content }) => /Only .* can decide this/.test(JSON.stringify(content))),
    );
    await stage.world.press(ANN, card, 'approval_more', { option: 'Trust on other terms…' });

    // No approvers are named for this tool, so no person can trust it for a whole channel.
    expect(JSON.stringify((await view(ANN, 'trust_terms')).content.blocks)).not.toContain('In this channel');
    await stage.world.submit(ANN, await view(ANN, 'trust_terms'), { scope: 'Whenever the same person asks' });
    const line = `restart_service with service payments, whenever the same person asks, for 1 hour`;
    const shown = await view(ANN, 'trust_line');
    expect(JSON.stringify(shown.content.blocks)).toContain(line);
    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.submit(ANN, shown);
    await reply(stage, root, 'Done.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, `Trusted: ${line}`));

    await stage.world.say(ANN, root.channel, '<@U0BOT00001> trusted', { thread: root });
    await reply(stage, root, line);
    const elsewhere = await mention(stage, ANN, 'restart the payments service');
    await reply(stage, elsewhere, 'without asking');
    await reply(stage, elsewhere, 'Done.');
    const other = await mention(stage, ANN, 'restart the search service');
    await cardIn(stage, other);
    const somebody = await mention(stage, BEN, 'restart the payments service');
    await cardIn(stage, somebody);
    expect(witnessed(stage)).toHaveLength(2);
  });

  it('covers calls in which the chosen parts are the same, and no others (P51, P53)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/several-parts.config.ts' } });
    const match = 'If the parts chosen below are the same';
    const trust = async (root: SlackMessage, parts: readonly string[]) => {
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_more', { option: 'Trust on other terms…' });
      await stage.world.submit(ANN, await view(ANN, 'trust_terms'), { match, parts });
      const shown = await view(ANN, 'trust_line');
      await stage.world.submit(ANN, shown);
      await reply(stage, root, 'Done.');
      return JSON.stringify(shown.content.blocks);
    };
    const root = await mention(stage, ANN, 'restart the payments service');
    expect(await trust(root, ['service "payments"'])).toContain(
      `restart_service with service payments and anything else, in this thread, for 1 hour`,
    );
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    await trust(root, ['how "gently"']);
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    await reply(stage, root, 'without asking');
    await stage.world.until(() => witnessed(stage).length === 3);
  });

  it.each([
    ['Only with the same input', 'In this thread', 'For one hour', `service payments, in this thread, for 1 hour`],
    ['With any input', 'In this thread', 'For one day', 'any input, in this thread, for 1 day'],
    [
      'Only with the same input',
      'Whenever the same person asks',
      'For seven days',
      `service payments, whenever the same person asks, for 7 days`,
    ],
    [
      'With any input',
      'Whenever the same person asks',
      'For 30 days',
      'any input, whenever the same person asks, for 30 days',
    ],
  ])(
    'with the choices “%s”, “%s”, “%s” is shown, stored and listed as one line, which names its input (P54, MF-13)',
    async (match, scope, span, words) => {
      stage = await stageOn('sqlite');
      await stage.startBot();
      const root = await mention(stage, ANN, 'restart the payments service');
      const card = await cardIn(stage, root);
      await stage.world.press(ANN, card, 'approval_more', { option: 'Trust on other terms…' });

      await stage.world.submit(ANN, await view(ANN, 'trust_terms'), { match, scope, for: span });
      const shown = await view(ANN, 'trust_line');
      expect(JSON.stringify(shown.content.blocks)).toContain(`restart_service with ${words}`);
      await stage.world.submit(ANN, shown);

      await stage.world.until(() => says(stage.world.message(card) ?? card, `Trusted: restart_service with ${words}`));
      await stage.world.say(ANN, root.channel, '<@U0BOT00001> trusted', { thread: root });
      await reply(stage, root, `restart_service with ${words}`);
    },
  );
});
