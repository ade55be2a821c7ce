import { expect, it } from 'vitest';
import type { World } from '../parts.ts';
import { cardPress, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { doubt, everyDoubt } from '../views/doubts.ts';
import { textOf } from '../views/fits.ts';
import { everyInquiry, inquiry } from '../views/inquiries.ts';
import { ANN, APPROVAL, approved, BEN, everyState, pending, THREAD } from '../views/records.ts';

onStage();

const inState = (status: string) => everyState().find((one) => one.status === status) ?? pending();
const skipped = everyDoubt().find(({ standing }) => standing.status === 'skip') ?? doubt();
const declined = everyInquiry().find(({ standing }) => standing.status === 'declined') ?? inquiry();

type Row = readonly [
  what: string,
  world: World,
  press: ReturnType<typeof cardPress> | ReturnType<typeof submission>,
  words: string,
];

const decided = (status: string): World => ({ decide: async () => ({ type: 'decided', approval: inState(status) }) });
const counted: World = { decide: async () => ({ type: 'counted', approval: pending() }) };
const before = { type: 'already-decided', approval: approved(), repeats: true } as const;
const again: World = { decide: async () => before, decideAll: { type: 'decided', results: [before, before] } };
const both: World = {
  decideAll: { type: 'decided', results: [true, false].map(() => ({ type: 'decided', approval: approved() })) },
};
const press = (action: string, more = {}) => cardPress({ action, by: BEN, ...more });
const form = (callback: string, more = {}) => submission({ callback, by: BEN, values: {}, ...more });

/** Every press and every form of a card that can count. */
const COUNTS: readonly Row[] = [
  ['Approve', decided('approved'), press('approval_approve'), 'You approved this call'],
  ['Deny', decided('denied'), press('approval_deny'), 'You denied this call'],
  ['Trust', decided('trusted'), press('approval_trust'), 'trust later ones'],
  ['Approve that comes twice', again, press('approval_approve'), 'You already approved this call'],
  ['one yes of several', counted, press('approval_approve'), 'Your yes for this call'],
  ['Approve all', both, press('list_approve_all'), 'You approved 2 calls'],
  ['Approve all that comes twice', again, press('list_approve_all'), '2 were decided before'],
  [
    'Ask again',
    { again: { type: 'asked', approval: inState('expired') } },
    press('approval_again'),
    'the agent to ask again',
  ],
  ['Leave it alone', { choose: { type: 'answered', asks: skipped } }, press('doubt_skip'), 'You chose not to repeat'],
  [
    'Leave it alone that comes twice',
    { choose: { type: 'answered-before', asks: skipped } },
    press('doubt_skip', { by: ANN }),
    'You chose not to repeat',
  ],
  [
    'Decline that comes twice',
    { answer: { type: 'answered-before', asks: declined } },
    press('inquiry_decline', { by: ANN }),
    'You declined',
  ],
  ['Decline', { answer: { type: 'answered', asks: declined } }, press('inquiry_decline'), 'You declined'],
  ['the confirm of a guarded call', decided('approved'), form('approval_confirm'), 'You approved this call'],
  ['the confirm that comes twice', again, form('approval_confirm'), 'You already approved this call'],
  ['the confirm that is one yes of several', counted, form('approval_confirm'), 'Your yes for this call'],
  ['an edit', decided('approved'), form('approval_edit', { values: { input: '{}' } }), 'You approved this call'],
  ['an answer', decided('answered'), form('approval_answer_form', { values: { answer: 'No.' } }), 'Your answer goes'],
  [
    'a denial with a reason',
    decided('denied'),
    form('approval_deny_reason', { values: { reason: 'No.' } }),
    'You denied',
  ],
  [
    'a denial that stops the run',
    decided('denied'),
    form('approval_deny_reason', { chosen: { next: 'stop' } }),
    'The run is stopped.',
  ],
  ['the denial of all rows', both, form('list_deny_reason', { values: { reason: 'No.' } }), 'You denied 2 calls'],
  [
    'a question to another person',
    { refer: { type: 'referred', approval: pending() } },
    form('approval_refer', { values: { person: BEN } }),
    'I asked them.',
  ],
  [
    'what became of a call',
    { choose: { type: 'answered', asks: skipped } },
    form('doubt_happened_form', { values: { said: 'It is up.' } }),
    'You chose not to repeat',
  ],
  [
    'the answer to a tool server',
    { considerInquiry: { type: 'open', asks: inquiry() }, answer: { type: 'answered', asks: declined } },
    form('inquiry_form', { values: { 'field-0': 'main' } }),
    'You declined',
  ],
];

const answered = () => bot.logged.some(({ message }) => /answered|all rows|said that a call happened/.test(message));
const privately = () => [...api.responses, ...api.to('chat.postEphemeral').map(({ args }) => args)];

it.each(COUNTS)('%s is answered by the card alone when it counts (SURF-1)', async (_what, world, sent) => {
  await start(world);

  const reply = await door.press(sent);
  await expect.poll(answered).toBe(true);
  await door.slack.stop();

  expect(await reply.text()).toBe('');
  expect(privately()).toEqual([]);
});

it.each(COUNTS)(
  '%s is answered privately when Slack lets the bot change the card no more (SURF-1, SURF-3)',
  async (_what, world, sent, words) => {
    await start({ ...world, shown: false });

    await door.press(sent);
    await api.until(() => privately().length > 0);
    await door.slack.stop();

    expect(privately().map((answer) => textOf(answer))).toEqual([expect.stringContaining(words)]);
  },
);

it.each([
  ['Approve', press('approval_approve'), 'You already approved this call'],
  ['Approve all', press('list_approve_all'), '2 were decided before'],
])(
  '%s that is pressed again is answered soon while Slack takes no painting (P14, SURF-1)',
  async (_what, sent, words) => {
    await start({ ...again, shown: new Promise(() => {}) });

    await door.press(sent);
    await expect.poll(() => privately().map((answer) => textOf(answer))).toEqual([expect.stringContaining(words)]);
  },
);

it('a private answer goes to the channel when its thread takes nothing any more (SURF-3)', async () => {
  await start({ ...decided('denied'), shown: false });
  api.next('chat.postEphemeral', { type: 'json', body: { ok: false, error: 'cannot_reply_to_message' } });

  await door.press(form('approval_deny_reason', { values: { reason: 'No.' } }));
  await api.until(() => privately().length > 1);

  const [inThread, inChannel] = api.to('chat.postEphemeral').map(({ args }) => args);
  expect(inThread).toMatchObject({ user: BEN, channel: THREAD.channel, thread_ts: THREAD.ts });
  expect(inChannel).toMatchObject({ user: BEN, channel: THREAD.channel });
  expect(inChannel).not.toHaveProperty('thread_ts');
});

it.each([
  [
    'that the run could not be stopped',
    { ...decided('denied'), stopFails: true },
    form('approval_deny_reason', { chosen: { next: 'stop' } }),
    'The run could not be stopped',
  ],
  [
    'that a person is asked and not called',
    { refer: { type: 'uncalled', approval: pending() } },
    form('approval_refer', { values: { person: BEN } }),
    'did not let me mention them',
  ],
] satisfies readonly Row[])('a presser is told %s, which no card shows (P3)', async (_what, world, sent, words) => {
  await start(world);

  await door.press(sent);
  await api.until(() => privately().length > 0);

  expect(privately().map((answer) => textOf(answer))).toEqual([expect.stringContaining(words)]);
});

it.each([
  ['a denial', form('approval_deny_reason', { chosen: { next: 'stop' } }), 'You already denied this call'],
  ['a denial of all rows', form('list_deny_reason', { chosen: { next: 'stop' } }), '2 were decided before'],
] as const)(
  '%s that is sent again stops the run, because the process that took it may have died before the stop (P3)',
  async (_what, sent, words) => {
    const denied = { type: 'already-decided', approval: inState('denied'), repeats: true } as const;
    await start({ decide: async () => denied, decideAll: { type: 'decided', results: [denied, denied] } });

    const reply = textOf(await (await door.press(sent)).json());

    expect(bot.asked.stopped).toHaveLength(1);
    expect(reply).toContain(words);
    expect(reply).toContain('The run is stopped.');
  },
);

it('a person who presses Stop in the menu reads it in the thread, and nothing privately (SURF-1)', async () => {
  await start({ found: pending() });

  await door.press(press('approval_more', { option: `stop ${APPROVAL}` }));
  await expect.poll(() => bot.asked.stopped).toHaveLength(1);
  await door.slack.stop();

  expect(privately()).toEqual([]);
});
