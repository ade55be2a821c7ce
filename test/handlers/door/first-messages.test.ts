import { describe, expect, it } from 'vitest';
import { BOT } from '../../support/slack.ts';
import type { World } from '../parts.ts';
import { cardPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { ANN, THREAD } from '../views/records.ts';

onStage();

const mention = (text: string) => ({
  ...{ type: 'app_mention', channel: THREAD.channel, user: ANN, ts: '1795251650.000300' },
  text: `<@${BOT}> ${text}`,
});
const told = () => api.to('chat.postEphemeral').map(({ args }) => args);
const broken = async () => {
  throw new Error('the store is away');
};

describe('a private answer to a message that begins a thread stands in the channel, because Slack shows none in a thread without a reply', () => {
  it.each<[string, string, World, RegExp]>([
    ['what waits', 'approvals', {}, /^Nothing waits for you/],
    ['what was used', 'usage', {}, /^The model has not answered/],
    ['that nothing runs', 'stop', { stop: 'nothing-runs' }, /^Nothing is running/],
    ['why a tool is not trusted', 'trust restart_service', {}, /^Not trusted/],
    ['that only members may ask', 'restart payments', { mayAsk: 'no' }, /only from full members/],
    ['that it is not stored', 'restart payments', { take: broken }, /could not save your message/],
    ['that something failed', 'approvals', { waitingFails: true }, /went wrong on my side/],
  ])('and says %s (SURF-5)', async (_what, text, world, sentence) => {
    await start(world);

    await door.event(mention(text));
    await api.until(() => told().length > 0);

    expect(told()[0]).toMatchObject({ channel: THREAD.channel, user: ANN });
    expect(told()[0]).not.toHaveProperty('thread_ts');
    expect(textOf(told()[0]?.blocks)).toMatch(sentence);
  });

  it('and so does the answer to a press on a message that stands in no thread (SURF-5)', async () => {
    await start({});
    const { container, message, ...press } = cardPress({ action: 'approval_approve' });
    const alone = { ...Object(message), thread_ts: undefined };

    await door.press({ ...press, message: alone, container: { ...Object(container), thread_ts: undefined } });
    await api.until(() => api.responses.length > 0);

    expect(bot.asked.presses).toHaveLength(1);
    expect(api.responses[0]).not.toHaveProperty('thread_ts');
  });
});
