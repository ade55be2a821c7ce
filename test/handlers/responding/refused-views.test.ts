import nock from 'nock';
import { describe, expect, it } from 'vitest';
import { TEAM } from '../../support/slack.ts';
import { cardPress, viewPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { ANN, APPROVAL, approved, pending } from '../views/records.ts';

/** Slack sends an address for the answer with a press on a message alone, so a press elsewhere is answered where it was made. */

onStage();

const refuse = (error: string) => ({ type: 'json', body: { ok: false, error } }) as const;
const NOT_OPENED = 'I could not open this in time, so nothing has changed. Please press again.';
const BROKEN = 'Something went wrong on my side, and it has been noted. Please try again.';

const homePress = (action: string) => ({
  type: 'block_actions',
  user: { id: ANN, team_id: TEAM },
  team: { id: TEAM },
  container: { type: 'view', view_id: 'V0HOME0001' },
  view: { id: 'V0HOME0001', hash: 'h', type: 'home', callback_id: '', private_metadata: '' },
  trigger_id: '1.2.trigger',
  actions: [{ type: 'button', action_id: action, block_id: 'b', action_ts: '1.1', value: APPROVAL }],
});
const home = () => textOf(api.to('views.publish').at(-1)?.args.view);
const view = () => textOf(api.to('views.update').at(-1)?.args.view);

describe('a press that Slack lets the bot answer with no view', () => {
  it.each([
    ['expired_trigger_id', NOT_OPENED],
    ['exchanged_trigger_id', NOT_OPENED],
    ['ratelimited', NOT_OPENED],
    ['invalid_blocks', BROKEN],
    ['view_too_large', BROKEN],
  ])(
    'a press on the Home page whose view Slack refuses with %s is answered on the page (SURF-3)',
    async (code, words) => {
      await start({ found: pending() });
      api.next('views.open', refuse(code), refuse(code));

      await door.press(homePress('approval_view'));
      await api.until(() => api.to('views.publish').length > 0);

      expect(home()).toContain(words);
    },
  );

  it.each(['view_too_large', 'invalid_blocks', 'missing_scope'])(
    'a page that cannot be turned because Slack refuses it with %s says so in the view (SURF-3)',
    async (code) => {
      await start({ found: pending({ input: JSON.stringify({ text: 'x'.repeat(60_000) }) }) });
      api.next('views.update', refuse(code));

      await door.press(viewPress({ action: 'approval_page_next' }));
      await api.until(() => api.to('views.update').length > 1);

      expect(view()).toContain(BROKEN);
    },
  );

  it('a press in a view that meets an unexpected error is answered in the view (P3)', async () => {
    await start({
      decide: async () => {
        throw new Error('a bug');
      },
    });

    await door.press(viewPress({ action: 'approval_approve' }));
    await api.until(() => bot.logged.some(({ message }) => message === 'A delivery could not be answered'));

    expect(view()).toContain(BROKEN);
  });

  it('a decision whose answer Slack refuses is not followed by words that it failed (P3)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: approved() }) });
    api.next('views.update', refuse('missing_scope'));

    await door.press(viewPress({ action: 'approval_approve' }));
    await api.until(() => bot.logged.some(({ message }) => message === 'A delivery could not be answered'));

    expect(api.to('views.update')).toHaveLength(1);
  });
});

describe('a view that is open and cannot be filled', () => {
  const presses = [
    ['a card', cardPress({ action: 'approval_view' })],
    ['the Home page', homePress('approval_view')],
  ] as const;
  it.each(presses)('a view that %s opened says so, and does not wait for ever (SURF-3)', async (_where, press) => {
    await start({ found: pending() });
    api.next('views.update', refuse('view_too_large'));

    await door.press(press);
    await api.until(() => api.to('views.update').length > 1);

    expect(view()).toContain(BROKEN);
    expect(api.responses).toEqual([]);
  });
});

it('a view that its reader closes before the file is sent is no error of the bot (SURF-3)', async () => {
  await start({ found: pending() });
  api.next('conversations.open', refuse('user_disabled'));
  api.next('views.update', refuse('not_found'));

  await door.press(viewPress({ action: 'approval_input_file' }));
  await api.until(() => bot.logged.some(({ message }) => message.startsWith('A view was closed')));

  expect(bot.logged.map(({ message }) => message)).not.toContain('A delivery could not be answered');
});

it.each([
  ['waits', pending(), true],
  ['is decided', approved(), false],
  ['is a question of the agent', pending({ tool: 'ask_person', wants: { choices: [] } }), false],
  ['is decided outside of Slack', pending({ secondFactor: true }), false],
] as const)(
  'the view says where Approve is, after its input was sent as a file, only if the call has one: it %s',
  async (_what, found, has) => {
    await start({ found });
    api.next('conversations.open', { type: 'json', body: { ok: true, channel: { id: 'D0ANN00001' } } });
    const upload_url = 'https://files.example.com/upload';
    api.next('files.getUploadURLExternal', { type: 'json', body: { ok: true, upload_url, file_id: 'F1' } });
    nock('https://files.example.com').post('/upload').reply(200);

    await door.press(viewPress({ action: 'approval_input_file' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(view()).toContain('It is in your messages with me, as a file.');
    expect(view().includes('Approve is on the last page here.')).toBe(has);
  },
);

describe('a button of an older version', () => {
  const OLD = 'This button is from an older version of me and does nothing now.';

  it('a button of an older version in a view is answered in the view (P3)', async () => {
    await start();

    await door.press(viewPress({ action: 'from_last_year' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(api.to('views.update')[0]?.args.view_id).toBe('V0VIEW0001');
    expect(view()).toContain(OLD);
  });

  it('a button of an older version in a view that its reader closes is no error of the bot (SURF-3)', async () => {
    await start();
    api.next('views.update', refuse('not_found'));

    await door.press(viewPress({ action: 'from_last_year' }));
    await api.until(() => bot.logged.some(({ message }) => message.startsWith('A view was closed')));

    expect(bot.logged.map(({ message }) => message)).not.toContain('A delivery could not be answered');
  });

  it('a button of a card that stands on the Home page is answered above the page (P3)', async () => {
    await start();

    await door.press(homePress('approval_approve'));
    await api.until(() => api.to('views.publish').length + api.to('views.open').length > 0);

    expect(JSON.stringify([...api.to('views.publish'), ...api.to('views.open')])).toContain(
      'could not read that press',
    );
  });

  it('a button of an older version on the Home page is answered in a view above the page (P3)', async () => {
    await start();

    await door.press(homePress('from_last_year'));
    await api.until(() => api.to('views.open').length > 0);

    expect(textOf(api.to('views.open')[0]?.args.view)).toContain(OLD);
  });
});
