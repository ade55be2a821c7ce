import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asJson, at } from '../../sandbox/json.ts';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BEN, GENERAL, GUEST, OUTSIDER } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { aWhile, cardIn, doubtIn, draws, mention, reply, type Stage, says, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
});
afterEach(() => stage?.close());

/** The model makes these calls, then says that it is done. */
const plays = (...calls: ReturnType<typeof call>[]) => stage.sandbox.model.next({ content: calls }, 'All done.');
const lastResults = () => JSON.stringify(stage.sandbox.model.requests.at(-1)?.results);

/** The last page of the full view that Ann opened, on which Approve stands. */
const atTheEnd = async (): Promise<View> => {
  const drawn = (action: string) => {
    const view = stage.world.views(ANN).at(-1);
    return view !== undefined && draws({ blocks: view.content.blocks }, action) ? view : undefined;
  };
  for (;;) {
    const page = await stage.world.until(() => drawn('approval_approve') ?? drawn('approval_page_next'));
    if (drawn('approval_approve') !== undefined) return page;
    await stage.world.press(ANN, page, 'approval_page_next');
    await stage.world.until(() => stage.world.views(ANN).at(-1)?.hash !== page.hash);
  }
};

describe('the built-in tools', () => {
  it('read the thread, look up a person and upload a file without asking', async () => {
    plays(
      call('read_thread', {}),
      call('find_person', { query: 'ben' }),
      call('upload_file', { fileName: 'report.md', content: '# Report' }),
    );

    const root = await mention(stage, ANN, 'have a look around');
    await reply(stage, root, 'All done.');

    expect(lastResults()).toContain('have a look around');
    expect(lastResults()).toMatch(new RegExp(`${BEN}.*Ben Okafor`));
    await stage.world.until(() => stage.world.messages(root).some(({ files }) => files[0]?.name === 'report.md'));
  });

  it.each([
    ['a guest', GUEST],
    ['a person of another organisation', OUTSIDER],
  ])('look up no person for %s, who asked alone or wrote here before the call (EDGE-5, T14)', async (_who, user) => {
    const env = { COUNTERSIGN_CONFIG: 'test/support/asked-by.config.ts', WHO_MAY_ASK: 'anybody' };
    await stage.close();
    stage = await stageOn('sqlite');
    await stage.startBot({ env });
    plays(call('find_person', { query: 'ben' }));
    await reply(stage, await mention(stage, user, 'who is Ben?'), 'All done.');
    expect(lastResults()).toMatch(/for its full members/);

    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    await stage.world.say(user, root.channel, 'look Ben up', { thread: root });
    await whisper(stage, user, /button/i);
    plays(call('find_person', { query: 'ben' }));
    await stage.world.press(ANN, card, 'approval_deny');
    await reply(stage, root, 'All done.');
    expect(lastResults()).toMatch(/for its full members/);
    expect(lastResults()).not.toContain('Okafor');
  });

  it('look up no person of another organisation (EDGE-5, T14)', async () => {
    const eve = stage.world.people.get(OUTSIDER)?.realName ?? '';
    plays(call('find_person', { query: eve }), call('find_person', { query: OUTSIDER }));
    await reply(stage, await mention(stage, ANN, 'who is Eve?'), 'All done.');

    expect(lastResults().match(/No person of this name was found/g)).toHaveLength(2);
  });

  it('read the channel of the thread', async () => {
    await stage.world.say(BEN, GENERAL, 'lunch is at noon');
    plays(call('read_channel', {}));

    const root = await stage.world.say(ANN, GENERAL, '<@U0BOT00001> when is lunch?');
    await reply(stage, root, 'All done.');

    expect(lastResults()).toContain('lunch is at noon');
  });

  it('name another channel at the head of the card by a link, then post there once and name the requester', async () => {
    const names = { type: 'channel', channel_id: GENERAL };
    plays(call('post_to_channel', { channel: GENERAL, text: 'The <!channel> deploy is done.' }));
    const root = await mention(stage, ANN, 'tell everybody');
    const card = await cardIn(stage, root);
    expect(stage.world.channel(GENERAL)).toEqual([]);
    expect(at(asJson(card.blocks), 0, 'elements', 0, 'elements')).toContainEqual({ ...names, style: { bold: true } });
    expect(card.text).toContain(`Post a message of 30 characters to <#${GENERAL}>.`);

    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'All done.');
    const decided = stage.world.messages(root).find(({ ts }) => ts === card.ts);
    expect(at(asJson(decided?.blocks), 0, 'elements', 0, 'elements')).toContainEqual(names);

    const [posted, ...others] = stage.world.channel(GENERAL);
    expect(others).toEqual([]);
    expect(posted !== undefined && says(posted, `Posted for <@${ANN}>`)).toBe(true);
    expect(JSON.stringify(posted?.blocks)).not.toContain('<!channel>');
  });

  it('post the whole of a text that needs two messages', async () => {
    const text = `${'The deploy is done. '.repeat(499)}Last word.`;
    plays(call('post_to_channel', { channel: GENERAL, text }));
    const root = await mention(stage, ANN, 'tell everybody');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_view');

    await stage.world.press(ANN, await atTheEnd(), 'approval_approve');
    await reply(stage, root, 'All done.');

    const posted = stage.world.channel(GENERAL);
    expect(posted).toHaveLength(2);
    expect(posted.map(({ blocks }) => at(asJson(blocks), 0, 'text')).join(' ')).toBe(text);
    expect(posted.map((message) => says(message, `Posted for <@${ANN}>`))).toEqual([false, true]);
  });

  it('do not post to a channel without the requester (T14)', async () => {
    const room = stage.world.channels.get(GENERAL);
    if (room === undefined) throw new Error('The workspace has no such channel.');
    stage.world.channels.set(GENERAL, { ...room, members: room.members.filter((member) => member !== ANN) });
    plays(call('post_to_channel', { channel: GENERAL, text: 'hello' }));

    const root = await mention(stage, ANN, 'tell everybody');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'All done.');
    await aWhile(200);

    expect(lastResults()).toContain('not a member of that channel');
    expect(stage.world.channel(GENERAL)).toEqual([]);
  });

  it('do not post any more what waits for the rate of Slack when the run is stopped (T17)', async () => {
    plays(call('post_to_channel', { channel: GENERAL, text: 'hello' }));
    const root = await mention(stage, ANN, 'tell everybody');
    const card = await cardIn(stage, root);
    const { faults } = stage.world;
    // Until the test clears it, however late the stop is.
    faults.set('chat.postMessage', { type: 'rate-limited', retryAfterSeconds: 4 }, Infinity, { channel: GENERAL });
    await stage.world.press(ANN, card, 'approval_approve');
    const isRefused = () =>
      stage.world.requests.some((sent) => sent.method === 'chat.postMessage' && sent.arguments.channel === GENERAL);
    await stage.world.until(isRefused, { what: 'Slack wants less of it' });

    await stage.world.say(ANN, root.channel, '<@U0BOT00001> stop', { thread: root });
    await reply(stage, root, 'Stopped.');
    faults.clear('chat.postMessage');
    await aWhile(5_000);

    expect(stage.world.channel(GENERAL)).toEqual([]);
  });

  it('say that it is not known whether a post stands there when Slack loses the answer and cannot be asked', async () => {
    plays(call('post_to_channel', { channel: GENERAL, text: 'hello' }));
    const root = await mention(stage, ANN, 'tell everybody');
    const card = await cardIn(stage, root);
    stage.world.faults.set('chat.postMessage', { type: 'lost' }, 1, { channel: GENERAL });
    stage.world.faults.set('conversations.history', { type: 'platform', error: 'missing_scope' }, 1, {
      channel: GENERAL,
    });
    await stage.world.press(ANN, card, 'approval_approve');

    await doubtIn(stage, root);
    expect(stage.world.channel(GENERAL)).toHaveLength(1);
  });

  it('say that it is not known whether a file stands in the thread when Slack loses the answer', async () => {
    plays(call('upload_file', { fileName: 'report.md', content: '# All is well' }));
    stage.world.faults.set('files.completeUploadExternal', { type: 'lost' }, 1);
    const root = await mention(stage, ANN, 'write a report');

    await doubtIn(stage, root);
    expect(stage.world.messages(root).filter(({ files = [] }) => files.length > 0)).toHaveLength(1);
  });
});
