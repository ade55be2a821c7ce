import nock from 'nock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { DecideResult } from '../../app/approvals/approvals.ts';
import type { Approval, UserId } from '../../app/records/index.ts';
import { signed, TEAM } from '../support/slack.ts';
import { CARD, cardPress, messageChoice, submission, viewPress } from './payloads.ts';
import { api, bot, door, onStage, start } from './stage.ts';
import { buttonTexts, textOf } from './views/fits.ts';
import { ANN, APPROVAL, approved, BEN, everyState, pending, RUN, THREAD, ZOE } from './views/records.ts';

onStage();

const inState = (status: Approval['status']): Approval =>
  everyState().find((one) => one.status === status) ?? pending();

const askedOf = (approvers: readonly UserId[]) =>
  pending({ rule: { approvers: [...approvers], selfApproval: approvers.length === 0 }, requester: ANN });

describe('a press through the signed door', () => {
  const truths: readonly (readonly [string, DecideResult, RegExp])[] = [
    [
      'who was faster',
      { type: 'already-decided', approval: inState('denied') },
      /^<@U0BEN00001> already denied this call .*Your press changed nothing\.$/,
    ],
    [
      'that no answer came in time',
      { type: 'over', approval: inState('expired') },
      /^Nobody answered in time, so this call of `restart_service` was not run\.$/,
    ],
    [
      'that it was cancelled',
      { type: 'over', approval: inState('cancelled') },
      /^This request was cancelled, so the call of `restart_service` was not run\./,
    ],
    [
      'why a person who could is refused',
      { type: 'not-yours', why: 'Guests cannot decide.', approval: askedOf([BEN]) },
      /^Guests cannot decide\. Nothing changed\.$/,
    ],
    [
      'that this is not offered',
      { type: 'not-offered', approval: pending() },
      /^This answer is not offered for this call of `restart_service` here\./,
    ],
    [
      'that the rules have changed',
      { type: 'outdated', why: 'Other people decide about it now.' },
      /^Other people decide about it now\.$/,
    ],
    [
      'what cannot be taken',
      { type: 'unfit', problem: 'Choose fewer parts.' },
      /^Choose fewer parts\. Nothing has changed\.$/,
    ],
    ['that it is unknown here', { type: 'unknown' }, /^I do not know this request\. .*Nothing was run\.$/],
    [
      'that it was not recorded, and to press again',
      { type: 'failed' },
      /^That was not recorded, as far as I know\. Pressing again is safe\.$/,
    ],
  ];

  it('a person who decided before and presses the other button is told so as you', async () => {
    await start({ decide: async () => ({ type: 'already-decided', approval: inState('denied') }) });

    await door.press(cardPress({ action: 'approval_approve', by: BEN }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^You already denied this call .*Your press changed nothing\.$/);
  });

  it.each([
    ['that it is approved', inState('approved'), /You approved this call of `restart_service`\. It runs once\./],
    [
      'what its trust covers',
      inState('trusted'),
      /trust later ones: restart_service with any input, in this thread, for 1 hour/,
    ],
    ['that it is denied', inState('denied'), /You denied this call of `restart_service`\. It will not run\./],
  ])('the full view says %s (P25)', async (_what, approval, sentence) => {
    await start({ decide: async () => ({ type: 'decided', approval }) });

    await door.press(viewPress({ action: 'approval_approve' }, 1));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update')[0]?.args.view)).toMatch(sentence);
  });

  it.each([
    [[BEN], 'Only <@U0BEN00001> can decide this. Nothing changed.'],
    [[BEN, ZOE], 'Only <@U0BEN00001> or <@U0ZOE00001> can decide this. Nothing changed.'],
    [[], 'Only <@U0ANN00001> can decide this. Nothing changed.'],
  ])('a refusal is one sentence with the people who can decide: %j (SURF-1)', async (approvers, sentence) => {
    const approval = askedOf(approvers);
    await start({ decide: async () => ({ type: 'not-yours', why: 'You are not named.', notNamed: true, approval }) });

    await door.press(cardPress({ action: 'approval_approve' }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toBe(sentence);
  });

  it('a press that is delivered five times is answered once, and a second press as well (SURF-1)', async () => {
    await start({ decide: async () => ({ type: 'over', approval: inState('expired') }) });
    const press = cardPress({ action: 'approval_approve' });

    for (let times = 0; times < 5; times += 1) await door.press(press);
    await door.press(cardPress({ action: 'approval_approve' }));
    await api.until(() => bot.asked.presses.length === 6);
    await door.slack.stop();

    expect(api.responses).toHaveLength(2);
  });

  it('a press is answered where the store cannot say whether it came before (SURF-1)', async () => {
    const once = () => Promise.reject(new Error('The store is away.'));
    await start({ once, decide: async () => ({ type: 'failed' }) });

    await door.press(cardPress({ action: 'approval_approve' }));
    await door.slack.stop();

    expect(api.responses).toHaveLength(1);
  });

  it('each result of a press that no card shows is among those that a presser is told (P3)', async () => {
    await start({});
    const unshown: Readonly<Record<Exclude<DecideResult['type'], 'decided' | 'counted' | 'unconfirmed'>, true>> = {
      ...{ 'already-decided': true, over: true, 'not-yours': true, outdated: true },
      ...{ 'not-offered': true, unfit: true, unknown: true, failed: true },
    };
    expect(new Set(truths.map(([, { type }]) => type))).toEqual(new Set(Object.keys(unshown)));
  });

  it.each(truths)('a presser is told privately %s (P3, P37)', async (_truth, result, sentence) => {
    await start({ decide: async () => result });

    const reply = await door.press(cardPress({ action: 'approval_approve' }));
    await api.until(() => api.responses.length > 0);
    await door.slack.stop();

    expect(reply.status).toBe(200);
    expect(api.responses).toHaveLength(1);
    expect(api.responses[0]).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
      thread_ts: THREAD.ts,
    });
    expect(api.responses[0]?.text).toMatch(sentence);
    expect(textOf(api.responses[0]?.blocks)).toMatch(sentence);
    // Where nothing is on record the card is looked at, and nothing else is done. A Home page of an earlier test may still arrive.
    const calls = api.calls.map(({ method }) => method);
    expect(calls.filter((method) => !['conversations.replies', 'views.publish'].includes(method))).toEqual([
      'auth.test',
    ]);
  });

  it.each([
    ['approval_approve', 'approve'],
    ['approval_deny', 'deny'],
    ['approval_trust', 'trust'],
  ])(
    'a press of %s counts by its person, place and approval, and nothing else in it is believed (P35, P42)',
    async (action, verdict) => {
      await start({ decide: async () => ({ type: 'failed' }) });

      await door.press(cardPress({ action, by: BEN }));
      await api.until(() => api.responses.length > 0);

      const by = { user: BEN, team: 'T0DEMO0001' };
      expect(bot.asked.presses).toEqual([{ approval: APPROVAL, verdict, by, from: { type: 'card', card: CARD } }]);
    },
  );

  it('a press is acknowledged before anything is decided (SURF-3)', async () => {
    let decide: (result: DecideResult) => void = () => {};
    await start({ decide: () => new Promise((resolve) => (decide = resolve)) });

    const reply = await door.press(cardPress({ action: 'approval_deny' }));

    expect(reply.status).toBe(200);
    expect(api.responses).toEqual([]);
    decide({ type: 'failed' });
    await api.until(() => api.responses.length > 0);
  });

  it('a press whose value is no id decides nothing (P42)', async () => {
    await start({});

    await door.press(cardPress({ action: 'approval_approve', value: 'approve everything' }));
    await api.until(() => api.responses.length > 0);

    expect(bot.asked.presses).toEqual([]);
    expect(api.responses[0]?.text).toMatch(/^I do not know this request/);
  });

  it('a press never changes a card that the bot does not know (P9)', async () => {
    await start({ decide: async () => ({ type: 'unknown' }) });

    await door.press(cardPress({ action: 'approval_approve' }));
    await door.slack.stop();

    expect(api.to('chat.update')).toEqual([]);
    expect(api.responses).toEqual([expect.objectContaining({ replace_original: false })]);
  });

  it.each([
    ['a press takes the buttons from a card that its own store has lost', true],
    ['a press leaves a card of another store alone, even where a run has the same name', false],
  ])('%s (FR15, P9)', async (_, lost) => {
    const claims: unknown[] = [];
    await start({
      decide: async () => ({ type: 'unknown' }),
      lost: (claim) => {
        claims.push(claim);
        return lost;
      },
    });
    const event_payload = { key: `card:${APPROVAL}`, run: RUN, firstEntry: 'e1', place: 'here' };
    const messages = [{ ts: CARD.ts, metadata: { event_type: 'countersign_post', event_payload } }];
    api.next('conversations.replies', { type: 'json', body: { messages } });

    await door.press(cardPress({ action: 'approval_approve' }));
    await door.slack.stop();

    expect(claims).toEqual([{ approval: APPROVAL, origin: { run: RUN, firstEntry: 'e1' }, place: 'here' }]);
    expect(api.responses[0]?.text).toMatch(/^I do not know this request/);
    const updates = api.to('chat.update').map(({ args }) => args);
    expect(updates).toEqual(lost ? [expect.objectContaining(CARD)] : []);
    expect(JSON.stringify(updates)).not.toContain('action_id');
  });

  it('only a form that Slack signs decides: fetching any address decides nothing (P13)', async () => {
    await start({});
    const payload = encodeURIComponent(JSON.stringify(cardPress({ action: 'approval_approve' })));

    for (const path of [`/slack/events?payload=${payload}`, `/?payload=${payload}`, `/approve/${APPROVAL}`]) {
      expect((await fetch(`${door.url}${path}`)).status).toBe(404);
    }

    expect(bot.asked.presses).toEqual([]);
  });

  it('a press adds no message to the thread, however often it is refused (P37)', async () => {
    await start({
      decide: async () => ({ type: 'not-yours', why: 'No.', approval: askedOf([BEN]) }),
    });

    for (let press = 0; press < 10; press += 1) await door.press(cardPress({ action: 'approval_approve', by: ZOE }));
    await api.until(() => api.responses.length === 10);

    expect(api.to('chat.postMessage')).toEqual([]);
  });

  it('a press whose address is used up is answered by a whisper (P14)', async () => {
    await start({ decide: async () => ({ type: 'failed' }) });
    api.refuseResponses();

    await door.press(cardPress({ action: 'approval_approve', by: BEN }));
    await api.until(() => api.to('chat.postEphemeral').length > 0);

    expect(api.to('chat.postEphemeral')[0]?.args).toMatchObject({
      channel: CARD.channel,
      user: BEN,
      thread_ts: THREAD.ts,
    });
  });

  it('a press that meets an unexpected error is answered (P3)', async () => {
    await start({
      decide: async () => {
        throw new Error('a bug');
      },
    });

    await door.press(cardPress({ action: 'approval_approve' }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^Something went wrong on my side/);
    expect(bot.logged.map(({ message }) => message)).toContain('A delivery could not be answered');
  });

  it('the log says that the person of an unexpected error could not be told, because the address is used up (SURF-1)', async () => {
    await start({
      decide: async () => {
        throw new Error('a bug');
      },
    });
    api.refuseResponses();

    await door.press(cardPress({ action: 'approval_approve' }));

    const logged = () =>
      bot.logged.some(({ message }) => message === 'A person could not be told that something failed');
    await api.until(logged);
  });

  it.each(['expired_trigger_id', 'invalid_trigger_id', 'exchanged_trigger_id'])(
    'a person whose view Slack does not open (%s) is told to press again (SURF-3)',
    async (error) => {
      await start({});
      api.next('views.open', { type: 'json', body: { ok: false, error } });

      await door.press(cardPress({ action: 'approval_view' }));
      await api.until(() => api.responses.length > 0);

      expect(api.responses[0]?.text).toBe('I could not open this in time, so nothing has changed. Please press again.');
    },
  );

  it('a person whose view cannot be opened because of the bot is told that something went wrong (SURF-3)', async () => {
    await start({});
    api.next('views.open', { type: 'json', body: { ok: false, error: 'invalid_blocks' } });

    await door.press(cardPress({ action: 'approval_view' }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^Something went wrong on my side/);
  });

  it('a press of a button that is not drawn any more is answered (P3)', async () => {
    await start({});

    const reply = await door.press(cardPress({ action: 'from_last_year' }));
    await api.until(() => api.responses.length > 0);

    expect(reply.status).toBe(200);
    expect(api.responses).toHaveLength(1);
    expect(api.responses[0]?.text).toMatch(/^This button is from an older version of me/);
    expect(bot.logged).toContainEqual({
      message: 'A delivery was not acted on',
      fields: { why: 'no row answers it', delivery: 'from_last_year' },
    });
  });

  it('a form that is not read any more says so in its place (P3)', async () => {
    await start({});

    const reply = await door.press(submission({ callback: 'from_last_year', values: { reason: 'no' } }));

    const answer: unknown = await reply.json();
    expect(answer).toMatchObject({ response_action: 'update', view: { type: 'modal' } });
    expect(textOf(answer)).toMatch(/from an older version of me, so I cannot use it\. Nothing has changed\. .*again/);
    expect(JSON.stringify(answer)).not.toContain('"submit"');
    expect(bot.logged).toContainEqual({
      message: 'A delivery was not acted on',
      fields: { why: 'no row answers it', delivery: 'from_last_year' },
    });
  });

  const { message: _, ...aboutNothing } = messageChoice('ask_about_message');
  it.each([
    ['a press in a place without such a button', viewPress({ action: 'approval_trust' }), 'A press was not acted on'],
    [
      'a press whose value is no id',
      cardPress({ action: 'approval_approve', value: 'approve everything' }),
      'A press was not acted on',
    ],
    [
      'a form with a memory that the bot did not write',
      submission({ callback: 'approval_deny_reason', values: { reason: 'no' }, memory: {} }),
      'A form was not acted on',
    ],
    ['a choice about no message', aboutNothing, 'A shortcut was not acted on'],
    [
      'a choice of trust about no message',
      { ...aboutNothing, callback_id: 'thread_trust' },
      'A shortcut was not acted on',
    ],
  ])('%s leaves one log record with its reason, and decides nothing (P8)', async (_what, payload, message) => {
    await start({});

    await door.press(payload);
    await door.slack.stop();

    expect(bot.logged.slice(1)).toEqual([{ message, fields: { why: expect.stringMatching(/\w/) } }]);
    expect(bot.asked.presses).toEqual([]);
  });

  it('a choice that the menu of a message has no more is answered (P3)', async () => {
    await start({});

    const reply = await door.press(messageChoice('from_last_year'));
    await api.until(() => api.responses.length > 0);

    expect(reply.status).toBe(200);
    expect(api.responses).toHaveLength(1);
    expect(api.responses[0]?.text).toMatch(/^This choice is from an older version of me/);
  });

  it('a choice that comes without an address is answered in a modal (P3)', async () => {
    await start({});

    const { response_url: _, ...choice } = messageChoice('from_last_year');
    const reply = await door.press({ ...choice, type: 'shortcut' });
    await api.until(() => api.to('views.open').length > 0);

    expect(reply.status).toBe(200);
    expect(textOf(api.to('views.open')[0]?.args.view)).toMatch(/This choice is from an older version of me/);
  });

  describe('where the app is not installed any more', () => {
    const words = /I am not installed in this workspace any more, so nothing was done\. Ask/;
    beforeEach(async () => {
      await start({});
      await door.event({ type: 'app_uninstalled' });
    });

    it.each([
      ['a button', cardPress({ action: 'approval_approve' })],
      ['a choice in the menu of a message', messageChoice('ask_about_message')],
    ])('%s is answered where the app is not installed any more (P3, B20)', async (_what, payload) => {
      const reply = await door.press(payload);
      await api.until(() => api.responses.length > 0);

      expect(reply.status).toBe(200);
      expect(api.responses[0]?.text).toMatch(words);
    });

    it('a form is answered in its place where the app is not installed any more (P3, B20)', async () => {
      const reply = await door.press(submission({ callback: 'approval_deny_reason', values: { reason: 'no' } }));

      const answer: unknown = await reply.json();
      expect(answer).toMatchObject({ response_action: 'update', view: { type: 'modal' } });
      expect(textOf(answer)).toMatch(words);
      expect(bot.asked.presses).toEqual([]);
    });
  });

  it.each([
    ['without a true signature', () => ({ ...signed(''), 'x-slack-signature': 'v0=00' })],
    ['with the signature of another body', () => signed('payload=%7B%7D')],
    ['with a signature that is six minutes old', (body: string) => signed(body, Math.floor(Date.now() / 1_000) - 360)],
  ])('a press %s is refused, and decides nothing (T9)', async (_how, headersFor) => {
    await start({});

    const body = new URLSearchParams({ payload: JSON.stringify(cardPress({ action: 'approval_approve' })) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...headersFor(body) };
    const reply = await fetch(`${door.url}/slack/events`, { method: 'POST', body, headers });

    expect(reply.status).toBe(401);
    expect(bot.asked.presses).toEqual([]);
  });
});

describe('the full view', () => {
  const long = pending({ input: JSON.stringify({ text: 'x'.repeat(60_000) }) });

  it('the full view opens at once and is filled afterwards', async () => {
    await start({ found: long });

    await door.press(cardPress({ action: 'approval_view' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.open')[0]?.args.view)).toContain('Fetching the input …');
    expect(api.to('views.update')[0]?.args.view_id).toBe('V0VIEW0001');
    expect(textOf(api.to('views.update')[0]?.args.view)).toContain('Page 1 of 3');
  });

  it.each(['not_found', 'hash_conflict'])(
    'the full view is left alone when it was closed or shows something newer: %s',
    async (error) => {
      await start({ found: long });
      api.next('views.update', { type: 'json', body: { ok: false, error } });

      await door.press(cardPress({ action: 'approval_view' }));
      await door.press(cardPress({ action: 'approval_view' }));
      await api.until(() => api.to('views.update').length > 1);

      expect(api.responses).toEqual([]);
    },
  );

  it('the full view turns its pages, and has Approve at the end', async () => {
    await start({ found: long });

    await door.press(viewPress({ action: 'approval_page_next' }, 1));
    await api.until(() => api.to('views.update').length > 0);

    expect(api.to('views.update')[0]?.args).toMatchObject({ view_id: 'V0VIEW0001', hash: 'h7' });
    expect(buttonTexts(api.to('views.update')[0]?.args.view)).toEqual(['Previous page', 'Approve', 'Deny']);
  });

  it('the full view offers a very long input as a file and sends it to the presser, and Approve stays at the end', async () => {
    const veryLong = pending({ input: JSON.stringify({ text: `${'x'.repeat(200_000)}end` }) });
    await start({ found: veryLong });
    api.next('conversations.open', { type: 'json', body: { ok: true, channel: { id: 'D0BEN00001' } } });
    const upload_url = 'https://files.example.com/upload';
    api.next('files.getUploadURLExternal', { type: 'json', body: { ok: true, upload_url, file_id: 'F1' } });
    let sent = '';
    nock('https://files.example.com')
      .post('/upload', (body) => {
        sent = String(body);
        return true;
      })
      .reply(200);

    await door.press(viewPress({ action: 'approval_input_file', by: BEN }, 1));
    await api.until(() => api.to('views.update').length > 0);

    expect(api.to('conversations.open')[0]?.args).toMatchObject({ users: BEN });
    expect(sent).toContain('xend');
    expect(sent).toContain(veryLong.digest.slice(0, 8));
    expect(api.to('files.completeUploadExternal')[0]?.args).toMatchObject({ channel_id: 'D0BEN00001' });
    const view = api.to('views.update')[0]?.args.view;
    expect(textOf(view)).toContain('It is in your messages with me, as a file.');
    expect(buttonTexts(view)).toEqual(['Previous page', 'Next page', 'Send me a file']);
  });

  it('the full view says so when the file could not be sent', async () => {
    await start({ found: pending({ input: JSON.stringify({ text: 'x'.repeat(200_000) }) }) });
    api.next('conversations.open', { type: 'json', body: { ok: false, error: 'user_disabled' } });

    await door.press(viewPress({ action: 'approval_input_file', by: BEN }, 1));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update')[0]?.args.view)).toContain('The file could not be sent.');
  });

  it('the full view says that the file may be sent when the last answer of Slack is lost', async () => {
    await start({ found: pending({ input: JSON.stringify({ text: 'x'.repeat(200_000) }) }) });
    api.next('conversations.open', { type: 'json', body: { ok: true, channel: { id: 'D0BEN00001' } } });
    const upload_url = 'https://files.example.com/upload';
    api.next('files.getUploadURLExternal', { type: 'json', body: { ok: true, upload_url, file_id: 'F1' } });
    nock('https://files.example.com').post('/upload').reply(200);
    api.next('files.completeUploadExternal', { type: 'lost' });

    await door.press(viewPress({ action: 'approval_input_file', by: BEN }, 1));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update')[0]?.args.view)).toContain('Look there before you press again.');
  });

  it('the full view decides from its end, and shows the outcome in place of the input (P25)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: approved() }) });

    await door.press(viewPress({ action: 'approval_approve', by: BEN }, 2));
    await api.until(() => api.to('views.update').length > 0);

    expect(bot.asked.presses[0]?.from).toEqual({ type: 'full-view' });
    expect(textOf(api.to('views.update')[0]?.args.view)).toContain('You approved this call of `restart_service`');
  });

  it.each([
    ['the request is unknown', async () => undefined, 'I do not have this request any more'],
    ['the store is away', async () => Promise.reject(new Error('away')), 'could not be fetched just now'],
  ])('the full view says so when %s (P3)', async (_when, find, sentence) => {
    await start({ find });

    await door.press(cardPress({ action: 'approval_view' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update')[0]?.args.view)).toContain(sentence);
  });
});

describe('the menu of a card', () => {
  it('the menu of a card stops the run, for every person', async () => {
    await start({ found: pending() });

    await door.press(cardPress({ action: 'approval_more', option: `stop ${APPROVAL}`, by: ZOE }));
    await api.until(() => bot.asked.stopped.length > 0);

    expect(bot.asked.stopped).toEqual([{ thread: THREAD, by: ZOE, run: RUN }]);
  });

  it('the menu of a card says so when its run is over', async () => {
    await start({ found: pending(), stop: 'nothing-runs' });

    await door.press(cardPress({ action: 'approval_more', option: `stop ${APPROVAL}` }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^The run of this card is over already/);
  });

  it('the menu of a card lists what is trusted in the thread', async () => {
    await start({ found: pending() });

    await door.press(cardPress({ action: 'approval_more', option: `trusted ${APPROVAL}` }));
    await api.until(() => api.responses.length > 0);

    expect(bot.asked.places).toEqual([{ team: THREAD.team, channel: THREAD.channel, threadTs: THREAD.ts, user: ANN }]);
    expect(api.responses[0]?.text).toMatch(/^Nothing is trusted in this thread/);
  });

  it.each([`stop ${RUN}`, 'stop', '', `drop ${APPROVAL}`])(
    'the menu of a card does nothing for the choice “%s”',
    async (option) => {
      await start({ found: pending() });

      await door.press(cardPress({ action: 'approval_more', option }));
      await api.until(() => api.responses.length > 0);

      expect(bot.asked.stopped).toEqual([]);
    },
  );
});

describe('a press for which Slack names no workspace', () => {
  const nameless = { ...cardPress({ action: 'approval_approve' }), user: { id: ANN, username: 'x', name: 'x' } };

  it('a person without a named workspace is looked up before the press is judged (MF-6, SURF-2)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: approved() }) });

    await door.press(nameless);
    await api.until(() => bot.asked.presses.length === 1);

    expect(bot.asked.presses[0]?.by).toEqual({ user: ANN, team: TEAM });
    expect(api.to('users.info')).toHaveLength(1);
  });

  it('a person belongs to no workspace, and to no foreign one, while Slack does not say (MF-6, SURF-2)', async () => {
    await start({ decide: async () => ({ type: 'failed' }) });
    api.next('users.info', { type: 'json', body: { ok: false, error: 'user_not_found' } });

    await door.press(nameless);
    await api.until(() => bot.asked.presses.length === 1);

    expect(bot.asked.presses[0]?.by).toEqual({ user: ANN, team: 'unknown' });
  });
});
