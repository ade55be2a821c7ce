import { describe, expect, it } from 'vitest';
import { BOT, openDoor, TEAM } from '../../support/slack.ts';
import { parts } from '../parts.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { trust } from '../views/homes.ts';
import { ANN, pending, THREAD } from '../views/records.ts';

onStage();

const TS = '1795251650.000300';
const mention = { type: 'app_mention', channel: THREAD.channel, user: ANN, ts: TS, text: `<@${BOT}> restart payments` };
const said = {
  type: 'message',
  channel_type: 'channel',
  channel: THREAD.channel,
  user: ANN,
  ts: TS,
  text: 'and billing?',
};
const inThread = { ...said, thread_ts: THREAD.ts };
const direct = { ...said, channel: 'D0ANN00001', channel_type: 'im' };
const reasons = () =>
  bot.logged.filter(({ message }) => message === 'A delivery was not acted on').map(({ fields }) => fields.why);

describe('a message', () => {
  it('a message is stored before it is acknowledged', async () => {
    let store: (() => void) | undefined;
    const order: string[] = [];
    await start({
      take: async () => {
        await new Promise<void>((resolve) => (store = resolve));
        order.push('stored');
        return 'taken';
      },
    });

    const reply = door.event(mention).then(() => order.push('acknowledged'));
    await api.until(() => store !== undefined);
    expect(order).toEqual([]);
    store?.();
    await reply;

    expect(order).toEqual(['stored', 'acknowledged']);
  });

  it('a message that could not be stored is not acknowledged, so that Slack sends it again', async () => {
    let away = true;
    const taken: string[] = [];
    await start({
      take: async ({ text }) => {
        if (away) throw new Error('the store is away');
        taken.push(text);
        return 'taken';
      },
    });

    expect((await door.event(mention)).status).toBe(500);
    away = false;
    expect((await door.event(mention, 1)).status).toBe(200);

    expect(taken).toEqual(['restart payments']);
  });

  it('a message that mentions the bot begins a thread', async () => {
    await start();

    await door.event(mention);

    const thread = { team: TEAM, channel: THREAD.channel, ts: TS };
    expect(bot.asked.taken).toEqual([{ thread, user: ANN, ts: TS, text: 'restart payments' }]);
  });

  it('a message that arrives as a mention, as a message and again is one message (FS2)', async () => {
    await start();

    await Promise.all([door.event(mention), door.event({ ...mention, type: 'message', channel_type: 'channel' })]);
    await door.event(mention, 1);

    expect(bot.asked.taken).toHaveLength(1);
    expect(reasons()).toEqual(['a message that was taken before', 'a message that was taken before']);
  });

  it('a message in a thread of the bot needs no mention', async () => {
    await start({ knows: true });

    await door.event(inThread);

    expect(bot.asked.taken.map(({ thread, text }) => [thread, text])).toEqual([[THREAD, 'and billing?']]);
  });

  it('each direct message begins a thread, without a mention', async () => {
    await start();

    await door.event(direct);

    expect(bot.asked.taken.map(({ thread }) => thread)).toEqual([{ team: TEAM, channel: 'D0ANN00001', ts: TS }]);
  });

  it('a message is taken with its files', async () => {
    await start({ knows: true });

    await door.event({ ...inThread, subtype: 'file_share', files: [{ id: 'F1' }] });

    expect(bot.asked.taken).toHaveLength(1);
  });

  it('a message is taken with what its writer forwarded, also without a word of the writer (EDGE-9)', async () => {
    await start();
    const shared = {
      is_share: true,
      author_id: 'U0BEN00001',
      text: 'mail is &lt;down&gt;',
      files: [
        { id: 'F1', name: 'log.txt', mode: 'hosted', url_private: 'https://files.slack.com/files-pri/T1-F1/log.txt' },
      ],
    };
    const block = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'CPU is high' }] }],
    };
    const ofApp = { is_share: true, author_id: 'B0MON00001', message_blocks: [{ message: { blocks: [block] } }] };
    const unfurled = { is_msg_unfurl: true, text: 'a page' };

    await door.event({ ...direct, text: '', attachments: [shared, ofApp, unfurled, 5] });

    expect(bot.asked.taken[0]?.forwarded).toEqual([
      { by: 'U0BEN00001', text: 'mail is <down>', files: ['log.txt'] },
      { text: 'CPU is high' },
    ]);
  });

  it('a message that its writer forwarded is read without what its author had forwarded, whose author does not count (EDGE-5, T7)', async () => {
    await start();
    const block = { type: 'section', text: { type: 'mrkdwn', text: 'CPU is high' } };
    const inner = { is_share: true, author_id: 'U0ZOE00001', text: 'drop the old database' };
    const outer = { is_share: true, message_blocks: [{ message: { blocks: [block], attachments: [inner] } }] };

    await door.event({ ...direct, attachments: [outer] });

    expect(bot.asked.taken[0]?.forwarded).toEqual([{ text: 'CPU is high' }]);
  });

  it('the author of a forwarded message counts as one who wrote to the agent, unless the bot wrote it (EDGE-5, T7)', async () => {
    await start();
    const authors = ['U0BEN00001', 'U0BEN00001', BOT, 'B0MON00001'];
    const attachments = authors.map((author_id) => ({ is_share: true, author_id, text: 'drop the old database' }));

    await door.event({ ...direct, text: 'please do', attachments });

    expect(bot.asked.taken[0]?.alsoSteeredBy).toEqual(['U0BEN00001']);
  });

  it('a reply that was also sent to the channel is taken', async () => {
    await start({ knows: true });

    await door.event({ ...inThread, subtype: 'thread_broadcast', root: { ts: THREAD.ts, text: 'mail is down' } });

    expect(bot.asked.taken.map(({ thread, text }) => [thread, text])).toEqual([[THREAD, 'and billing?']]);
  });

  it('a message reaches the agent as it was written', async () => {
    await start();

    await door.event({ ...mention, text: `<@${BOT}>: is 1 &lt; 2 &amp;&amp; <@U0BEN00001> here?` });

    expect(bot.asked.taken[0]?.text).toBe('is 1 < 2 && <@U0BEN00001> here?');
  });

  it('a message in a shared channel names the workspace of its author', async () => {
    await start();

    await door.event({ ...mention, user_team: 'T0OTHER001' });

    expect(bot.asked.taken[0]).toMatchObject({ thread: { team: TEAM }, userTeam: 'T0OTHER001' });
  });

  it.each([
    ['a message of a thread that is not the bot’s', inThread, 'a message of a thread that is not ours'],
    ['a message that does not address the bot', said, 'a message that is not for us'],
    [
      'an edited message',
      { type: 'message', subtype: 'message_changed', channel: THREAD.channel, ts: TS, message: inThread },
      'a message of the kind message_changed',
    ],
    [
      'a deleted message',
      { type: 'message', subtype: 'message_deleted', channel: THREAD.channel, ts: TS },
      'a message of the kind message_deleted',
    ],
    ['a message that says who joined', { ...said, subtype: 'channel_join' }, 'a message of the kind channel_join'],
    ['a message that became a mention by editing', { ...mention, edited: { user: ANN, ts: TS } }, 'an edited message'],
    ['a message of another bot', { ...mention, bot_id: 'B0OTHER001' }, 'a message of a bot'],
    ['a message of the bot itself', { ...inThread, user: BOT }, 'a message of our own'],
    ['a message without an author', { ...mention, user: undefined }, 'a message without channel, author or time'],
    ['a message of an unknown shape', { ...mention, ts: 5 }, 'an event of an unknown shape'],
    ['an event without an answer', { type: 'reaction_added', user: ANN }, 'no row answers the event reaction_added'],
  ])('%s leaves one log record with its reason, and does nothing else (P8)', async (_which, event, why) => {
    await start();

    const reply = await door.event(event);

    expect(reply.status).toBe(200);
    expect(bot.asked.taken).toEqual([]);
    expect(reasons()).toEqual([why]);
    expect(api.calls.map(({ method }) => method)).toEqual(['auth.test']);
  });

  const workflow = { ...mention, subtype: 'bot_message', bot_id: 'B0WORKFLOW', username: 'Morning check' };
  it.each([
    ['a workflow', { ...workflow, user: undefined }, 'a message of the kind bot_message'],
    ['a workflow that has a user of its own', workflow, 'a message of the kind bot_message'],
    ['a workflow without a subtype', { ...mention, bot_id: 'B0WORKFLOW' }, 'a message of a bot'],
  ])('a message of %s starts nothing where bots may not ask (SURF-2)', async (_whose, event, why) => {
    await start();
    await door.event(event);

    expect(bot.asked.taken).toEqual([]);
    expect(reasons()).toEqual([why]);
  });

  it('a message of a workflow that mentions the bot begins a thread where bots may ask (SURF-2)', async () => {
    await start({ botsMayAsk: true });
    await door.event({ ...workflow, text: 'Nobody is mentioned.', type: 'message', channel_type: 'channel' });
    expect(bot.asked.taken).toEqual([]);
    await door.event(workflow);

    expect(bot.asked.taken.map(({ text }) => text)).toEqual(['restart payments']);
  });

  it('a message that a person writes with /me reaches the agent like any other', async () => {
    await start({ knows: true });

    await door.event({ ...inThread, subtype: 'me_message', text: 'wants billing as well' });

    expect(bot.asked.taken.map(({ text }) => text)).toEqual(['wants billing as well']);
  });

  it('the text of a message is never written to the log', async () => {
    await start({ knows: true });

    await door.event(inThread);
    await door.event(said);

    expect(JSON.stringify(bot.logged)).not.toContain('billing');
  });
});

describe('a message while a request is pending', () => {
  it.each(['yes', 'approve', 'LGTM', 'approved!'])(
    'the message “%s” beside a pending request is kept for the agent and decides nothing (P28)',
    async (text) => {
      await start({ knows: true, standing: 'waiting' });

      await door.event({ ...inThread, text });
      await api.until(() => api.to('chat.postEphemeral').length > 0);

      expect(bot.asked.presses).toEqual([]);
      expect(bot.asked.taken.map((message) => message.text)).toEqual([text]);
      const told = api.to('chat.postEphemeral').map((call) => call.args);
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ channel: THREAD.channel, user: ANN, thread_ts: THREAD.ts });
      expect(told[0]?.text).toMatch(/I have kept your message for the agent\. It decides nothing/);
      expect(api.to('chat.postMessage')).toEqual([]);
    },
  );

  it('the writer of a message beside a pending request is told once that only buttons decide, however often it is delivered (P28)', async () => {
    await start({ knows: true, standing: 'waiting' });

    await door.event({ ...inThread, text: 'yes' });
    await door.event({ ...inThread, text: 'yes' }, 1);
    await door.slack.stop();

    expect(api.to('chat.postEphemeral')).toHaveLength(1);
  });

  it('the writer of a message is told nothing while the agent only works', async () => {
    await start({ knows: true, standing: 'working' });

    await door.event(inThread);
    await door.slack.stop();

    expect(api.to('chat.postEphemeral')).toEqual([]);
  });
});

describe('a message that arrives while the agent is busy', () => {
  it.each(['working', 'waiting'] as const)('a message is marked as kept while the agent is %s', async (standing) => {
    await start({ knows: true, standing, keeps: true });

    await door.event(inThread);
    await door.slack.stop();

    expect(api.to('reactions.add').map(({ args }) => args)).toEqual([
      { channel: THREAD.channel, timestamp: TS, name: 'eyes' },
    ]);
  });

  it.each([
    ['the agent reads it already', { standing: 'working', keeps: false }],
    ['nothing runs, and it begins a run', { standing: 'idle', keeps: true }],
  ] as const)('a message is not marked when %s', async (_why, world) => {
    await start({ knows: true, ...world });

    await door.event(inThread);
    await door.slack.stop();

    expect(api.to('reactions.add')).toEqual([]);
  });

  it.each([
    ['a rate limit', { type: 'status', status: 429, headers: { 'retry-after': '60' } }],
    ['a missing scope', { type: 'json', body: { ok: false, error: 'missing_scope' } }],
  ] as const)(
    'a message is kept when its mark meets %s, and its writer is still told about the card',
    async (_w, reply) => {
      await start({ knows: true, standing: 'waiting', keeps: true });
      api.next('reactions.add', reply);

      await door.event(inThread);
      await door.slack.stop();

      expect(bot.asked.taken).toHaveLength(1);
      expect(api.to('chat.postEphemeral')).toHaveLength(1);
    },
  );
});

describe('words for the bot itself', () => {
  const spoken = (text: string) => ({ ...mention, thread_ts: THREAD.ts, text: `<@${BOT}> ${text}` });

  it.each([
    ['trusted', /^Nothing is trusted in this thread/],
    ['help', /^Mention me and say what you need/],
    ['', /^Mention me and say what you need/],
    ['untrust all', /^Nothing is trusted here\./],
  ])('words for the bot itself are answered in the thread: “%s”', async (text, sentence) => {
    await start();

    await door.event(spoken(text));
    await door.slack.stop();

    expect(bot.asked.taken).toEqual([]);
    expect(api.to('chat.postMessage').map(({ args }) => args)).toHaveLength(1);
    expect(api.to('chat.postMessage')[0]?.args).toMatchObject({ channel: THREAD.channel, thread_ts: THREAD.ts });
    expect(textOf(api.to('chat.postMessage')[0]?.args.blocks)).toMatch(sentence);
  });

  it.each([
    ['trust restart_service', /^Not trusted\. There is no such tool\./, 'There is no such tool.'],
    ['trust restart_service for ever', /^I do not understand “for” here\./, 'I do not understand “for” here.'],
    ['stop', /^Nothing is running in this thread\./, 'nothing runs'],
  ])(
    'the refusal of “%s” is shown to its writer alone, and the log has the reason (P37)',
    async (text, sentence, why) => {
      await start({ stop: 'nothing-runs' });

      await door.event(spoken(text));
      await door.slack.stop();

      expect(api.to('chat.postMessage')).toEqual([]);
      expect(api.to('chat.postEphemeral').map(({ args }) => args)).toMatchObject([{ user: ANN, thread_ts: THREAD.ts }]);
      expect(textOf(api.to('chat.postEphemeral')[0]?.args.blocks)).toMatch(sentence);
      expect(bot.logged).toContainEqual({
        message: 'Words were not acted on',
        fields: expect.objectContaining({ by: ANN, why }),
      });
    },
  );

  it('the word approvals lists what waits for its writer, and shows it to no other person', async () => {
    await start({ waiting: { approvals: [pending()], doubts: [], more: 0 } });

    await door.event(spoken('approvals'));
    await door.slack.stop();

    expect(bot.asked.places).toEqual([{ user: ANN, team: TEAM }]);
    expect(api.to('chat.postMessage')).toEqual([]);
    expect(api.to('chat.postEphemeral')[0]?.args).toMatchObject({ user: ANN, thread_ts: THREAD.ts });
    expect(textOf(api.to('chat.postEphemeral')[0]?.args.blocks)).toContain('Waiting for you');
  });

  it.each(['stop', 'STOP!'])('the word “%s” stops the run, which then says so itself', async (text) => {
    await start();

    await door.event(spoken(text));
    await door.slack.stop();

    expect(bot.asked.stopped).toHaveLength(1);
    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('the word stop stops the run also with a file, and other words with a file are for the agent', async () => {
    await start();
    const withFile = { subtype: 'file_share', files: [{ id: 'F1' }] };

    await door.event({ ...spoken('stop'), ...withFile });
    await door.event({ ...spoken('usage'), ...withFile, ts: '1800000000.000900' });

    expect(bot.asked.stopped).toHaveLength(1);
    expect(bot.asked.taken.map(({ text }) => text)).toEqual(['usage']);
  });

  it('the word stop stops the run before it is acknowledged or marked as seen, so that no crash loses it', async () => {
    await start({ once: () => Promise.reject(new Error('the process dies here')) });

    const { status } = await door.event(spoken('stop'));

    expect(bot.asked.stopped).toHaveLength(1);
    expect(status).toBe(500);
  });

  it('the word stop is marked as seen before it stops a run that is set aside, so that the next process need not end of it (EDGE-7)', async () => {
    await start({ standing: 'aside', once: () => Promise.reject(new Error('the process dies here')) });

    const { status } = await door.event(spoken('stop'));

    expect(bot.asked.stopped).toHaveLength(0);
    expect(status).toBe(500);
  });

  it('the words try again are for the agent, unless its run is set aside (EDGE-7)', async () => {
    await start({ standing: 'working' });
    await door.event(spoken('try again'));
    expect(bot.asked.taken).toHaveLength(1);
  });

  it('the words try again are answered by the delivery that was first, and the other one says nothing (EDGE-7)', async () => {
    await start({ standing: 'aside', tryAgain: { type: 'seen' } });

    await door.event(spoken('try again'));
    await door.slack.stop();

    expect([bot.asked.taken, api.to('chat.postEphemeral')]).toEqual([[], []]);
    expect(reasons()).toEqual(['words that were answered before']);
  });

  it('the words try again are refused to a person without the right, who hears whose word counts (EDGE-7)', async () => {
    await start({ standing: 'aside', tryAgain: { type: 'refused', requester: ANN } });

    await door.event(spoken('try again'));
    await door.slack.stop();

    expect(bot.asked.taken).toEqual([]);
    expect(textOf(api.to('chat.postEphemeral')[0]?.args.blocks)).toContain(`<@${ANN}>, who asked for this`);
  });

  it('the word untrust takes trust away before it is acknowledged or marked as seen, so that no crash leaves it standing', async () => {
    await start({ trusts: [trust()], once: () => Promise.reject(new Error('the process dies here')) });

    const { status } = await door.event(spoken('untrust restart_service'));

    expect(bot.asked.revoked).toHaveLength(1);
    expect(status).toBe(500);
  });

  it('the word trust is carried out before it is acknowledged or marked as seen, so that no crash loses it (T11)', async () => {
    await start({
      give: { type: 'given', trust: trust() },
      once: () => Promise.reject(new Error('the process dies here')),
    });

    const { status } = await door.event(spoken('trust restart_service'));

    expect(bot.asked.wishes).toHaveLength(1);
    expect(status).toBe(500);
  });

  it('trust whose writer writes untrust while it is given is ended by the next delivery, if the process dies before its last look (T11)', async () => {
    let dies = true;
    const give = async () => {
      if (dies) await door.event({ ...spoken('untrust restart_service'), ts: '1800000000.000900' });
      if (dies) throw new Error('the process dies here');
      return { type: 'given', trust: trust() } as const;
    };
    await start({ give });
    await door.event(spoken('trust restart_service'));
    dies = false;
    await door.event(spoken('trust restart_service'), 1);
    await door.slack.stop();

    expect(bot.asked.endedWords).toEqual([{ by: ANN, delivery: `${THREAD.channel}:${mention.ts}` }]);
    expect(
      api
        .to('chat.postEphemeral')
        .map(({ args }) => textOf(args.blocks))
        .at(-1),
    ).toMatch(/You wrote untrust after it/);
  });

  it('trust that was given and answered is neither refused nor ended where Slack does not say who its writer is when it delivers the words again (T11)', async () => {
    await start({ give: { type: 'given', trust: trust() } });
    await door.event(spoken('trust restart_service'));
    api.next('users.info', { type: 'json', body: { ok: false, error: 'internal_error' } });
    await door.event({ ...spoken('trust restart_service'), type: 'message', channel_type: 'channel' });
    await door.slack.stop();

    expect(api.to('chat.postMessage')).toHaveLength(1);
    expect([...api.to('chat.postEphemeral'), ...bot.asked.endedWords]).toEqual([]);
  });

  it('words for the bot itself are answered once, however often they are delivered', async () => {
    await start();

    await Promise.all([
      door.event(spoken('trusted')),
      door.event({ ...spoken('trusted'), type: 'message', channel_type: 'channel' }),
    ]);
    await door.event(spoken('trusted'), 1);
    await door.slack.stop();

    expect(api.to('chat.postMessage')).toHaveLength(1);
  });

  it('words of trust that counted are never answered as if they had failed, when the thread takes no answer (SURF-5)', async () => {
    await start({ give: { type: 'given', trust: trust() } });
    api.next('chat.postMessage', { type: 'json', body: { ok: false, error: 'restricted_action' } });

    await door.event(spoken('trust restart_service'));
    await api.until(() => bot.logged.some(({ message }) => /could not be (?:told|answered)/.test(message)));

    expect(bot.logged.map(({ message }) => message)).not.toContain('A delivery could not be answered');
    expect(api.to('chat.postEphemeral')).toEqual([]);
  });

  it('words of trust cover later calls of the thread they are said in', async () => {
    await start();

    await door.event(spoken('trust restart_service'));
    await door.slack.stop();

    expect(bot.asked.wishes).toEqual([
      {
        tool: 'restart_service',
        scope: 'thread',
        forMs: 3_600_000,
        thread: THREAD,
        by: ANN,
        delivery: expect.any(String),
      },
    ]);
  });

  it('words without a mention of the bot are for the agent', async () => {
    await start({ knows: true });

    await door.event({ ...inThread, text: 'stop' });

    expect(bot.asked.taken.map(({ text }) => text)).toEqual(['stop']);
    expect(bot.asked.stopped).toEqual([]);
  });
});

describe('the native Stop', () => {
  const stopped = {
    type: 'agent_session_stopped',
    channel: THREAD.channel,
    thread_ts: THREAD.ts,
    user: ANN,
    streaming_message_ts: [],
  };

  it.each([
    [{}, {}],
    [{ event_ts: null }, {}],
    [{ event_ts: '1700000005.000000' }, { said: '1700000006' }],
  ])('the Stop of Slack with %j stops what began in its thread, until a second later (T17)', async (more, said) => {
    await start();

    await door.event({ ...stopped, ...more });
    await door.slack.stop();

    expect(bot.asked.stopped).toEqual([{ thread: THREAD, by: ANN, ...said }]);
  });
});

describe('the door', () => {
  it('the door is healthy while it answers, and ready while it takes deliveries', async () => {
    await start();

    expect((await fetch(`${door.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${door.url}/readyz`)).status).toBe(200);
  });

  it('the door is not ready when the store is not', async () => {
    await start({}, { ready: async () => Promise.reject(new Error('away')) });

    expect((await fetch(`${door.url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${door.url}/readyz`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toMatch(/^not ready\nThe store cannot be used/);
  });

  it('the page of readiness says what is not as it should be (FR14)', async () => {
    await start({}, { ready: async () => ['Redis keeps no append-only file.'] });

    expect(await (await fetch(`${door.url}/readyz`)).text()).toBe('ready\nRedis keeps no append-only file.\n');
  });

  it('the door stops only when every delivery in hand is answered', async () => {
    let answer: () => void = () => {};
    await start({
      decide: () => new Promise((resolve) => (answer = () => resolve({ type: 'failed' }))),
    });
    const { cardPress } = await import('../payloads.ts');
    await door.press(cardPress({ action: 'approval_deny' }));

    let done = false;
    const stopping = door.slack.stop().then(() => (done = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toBe(false);
    answer();
    await stopping;

    expect(api.responses).toHaveLength(1);
  });

  it('the bot does not start when Slack refuses its token', async () => {
    await start();
    api.next('auth.test', { type: 'json', body: { ok: false, error: 'invalid_auth' } });

    await expect(openDoor(parts())).rejects.toThrow('invalid_auth');
  });
});
