import { expect, it } from 'vitest';
import { cardPress, command, submission, viewPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { pending } from '../views/records.ts';

/** Slack leaves parts of a payload out, or sends null in their place. */

onStage();

type Payload = Readonly<Record<string, unknown>>;

const without =
  (...names: readonly string[]) =>
  (payload: Payload): Payload =>
    Object.fromEntries(Object.entries(payload).filter(([name]) => !names.includes(name)));
const setNull =
  (...names: readonly string[]) =>
  (payload: Payload): Payload => ({ ...payload, ...Object.fromEntries(names.map((name) => [name, null])) });
const user = (team: object) => (payload: Payload) => ({ ...payload, user: { id: 'U0ANN00001', ...team } });

const MISSING: readonly (readonly [string, (payload: Payload) => Payload])[] = [
  ['its team is left out', without('team')],
  ['its team is null', setNull('team')],
  ['the team of its person is left out', user({})],
  ['the team of its person is null', user({ team_id: null })],
  ['the place of its button is left out', without('container')],
  ['the place of its button is null', setNull('container')],
  ['the place of its button is of a new kind', (payload) => ({ ...payload, container: { type: 'a_new_kind' } })],
];

/** Of a message alone. */
const OF_MESSAGE: readonly (readonly [string, (payload: Payload) => Payload])[] = [
  ...MISSING,
  ['its message is left out', without('message')],
  ['its message is null', setNull('message')],
  ['its view is null', setNull('view')],
  ['its message has no text and no blocks', (payload) => ({ ...payload, message: { ts: '1795251601.000200' } })],
];

it.each(OF_MESSAGE)('a press on a card counts when %s (SURF-3)', async (_what, change) => {
  await start({ found: pending() });
  await door.press(cardPress({ action: 'approval_approve' }));
  await api.until(() => bot.asked.presses.length === 1);
  await door.press(change(cardPress({ action: 'approval_approve' })));
  await api.until(() => bot.asked.presses.length === 2);

  const [whole, changed] = bot.asked.presses;
  expect(changed).toEqual(whole);
});

it.each(MISSING)('a press in a view counts when %s (SURF-3)', async (_what, change) => {
  await start({ found: pending() });
  const press = viewPress({ action: 'approval_approve' });
  await door.press(press);
  await api.until(() => bot.asked.presses.length === 1);
  await door.press(change(press));
  await api.until(() => bot.asked.presses.length === 2);

  const [whole, changed] = bot.asked.presses;
  expect(changed).toEqual(whole);
});

it.each(MISSING)('a submitted form counts when %s (SURF-3)', async (_what, change) => {
  await start({ found: pending() });
  const form = submission({
    callback: 'approval_deny_reason',
    values: { reason: 'Not now.' },
    chosen: { next: 'another_way' },
  });
  await door.press(form);
  await api.until(() => bot.asked.presses.length === 1);
  await door.press(change(form));
  await api.until(() => bot.asked.presses.length === 2);

  const [whole, changed] = bot.asked.presses;
  expect(changed).toEqual(whole);
});

it('a press whose place cannot be told is answered, and decides nothing (SURF-3)', async () => {
  await start({ found: pending() });
  await door.press(without('container', 'message')(cardPress({ action: 'approval_approve' })));
  await api.until(() => api.responses.length === 1);

  expect(bot.asked.presses).toEqual([]);
});

it.each(['thread_ts', 'subtype', 'channel_type', 'user_team', 'bot_id', 'edited'])(
  'a mention is taken when its %s is null (SURF-3)',
  async (name) => {
    await start();
    const mention = { type: 'app_mention', channel: 'C0OPS00001', user: 'U0ANN00001', ts: '1.1', text: 'hello' };
    await door.event({ ...mention, [name]: null });
    await api.until(() => bot.asked.taken.length === 1);

    expect(bot.asked.taken[0]).toMatchObject({ text: 'hello', thread: { channel: 'C0OPS00001', ts: '1.1' } });
  },
);

it('a command is answered without a text and a team (SURF-3)', async () => {
  await start();
  await door.form(without('text', 'team_id')(command('/approvals', '')));
  await api.until(() => api.responses.length + api.to('chat.postEphemeral').length > 0);

  expect(bot.asked.places).toMatchObject([{ user: 'U0ANN00001' }]);
});
