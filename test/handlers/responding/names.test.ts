import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { namesOfChannel, withNames } from '../../../handlers/responding/names.ts';
import { messageModal } from '../../../handlers/views/forms/input-modal.ts';
import { approverName, mention, mrkdwn, plain, section } from '../../../handlers/views/kit/blocks.ts';
import { cardPress, submission } from '../payloads.ts';
import { api, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { ANN, BEN, everyState, guarded, pending } from '../views/records.ts';

onStage();

const GROUP = 'S0ONCALL01';

const called = (name: string) => ({
  type: 'json' as const,
  body: { ok: true, user: { id: BEN, profile: { real_name: name } } },
});

describe('a modal names people and mentions none (SURF-1)', () => {
  it('where a form was refused', async () => {
    const denied = everyState().find(({ status }) => status === 'denied') ?? pending();
    await start({ decide: async () => ({ type: 'already-decided', approval: denied }) });
    api.next('users.info', called('Ben <b> *x*'));

    const reply = await door.press(submission({ callback: 'approval_edit', values: { input: '{}' } }));
    const text = textOf(await reply.json());

    expect(text).toContain('@Ben &lt;b&gt; ');
    expect(text).not.toMatch(/<@|\*x\*/);
  });

  it('where a press asks for a form that is not for its person', async () => {
    await start({ consider: { type: 'not-yours', why: '', notNamed: true, approval: guarded() } });
    api.next('users.info', called('Ben'));

    await door.press(cardPress({ action: 'approval_more', option: `edit ${guarded().id}` }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update').at(-1)?.args.view)).toContain('Only @Ben can decide this. Nothing changed.');
  });

  it('where Slack does not tell a name', async () => {
    await start({});
    api.next('users.info', { type: 'json', body: { ok: false, error: 'user_not_found' } });

    const view = messageModal({ text: '', blocks: [section('who', mrkdwn`By ${mention(ANN)}.`)] });
    const client = new WebClient('xoxb-1');
    expect(textOf(await withNames(client, view))).toContain('By a person whose name Slack does not tell.');
  });

  it.each([
    ['by its name', { ok: true, usergroups: [{ id: GROUP, handle: 'on-call' }] }, 'Only @on-call can decide.'],
    ['and says that it is one where Slack does not tell', { ok: false, error: 'x' }, 'Only a user group can decide.'],
  ])('it names a user group %s', async (_how, body, says) => {
    await start({});
    api.next('usergroups.list', { type: 'json', body });

    const view = messageModal({
      text: '',
      blocks: [section('who', mrkdwn`Only ${approverName(GROUP, ANN)} can decide.`)],
    });
    expect(textOf(await withNames(new WebClient('xoxb-1'), view))).toContain(says);
  });

  it('and Slack is asked about no person who is named only in an input, however many the agent wrote into it (T20)', async () => {
    const people = Array.from({ length: 300 }, (_, at) => `<@U0NONE${at}>`).join(' ');
    await start({
      found: pending({ input: JSON.stringify({ people }), rule: { approvers: [BEN], selfApproval: true } }),
    });

    await door.press(cardPress({ action: 'approval_view' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.update').at(-1)?.args.view)).toContain('<@U0NONE7>');
    expect(api.to('users.info').filter(({ args }) => /NONE/.test(String(args.user)))).toEqual([]);
  });

  it('but what a tool or a person wrote stays as it is', async () => {
    await start({});
    const text = plain(`<@${ANN}>`, 100);
    const view = messageModal({ text: '', blocks: [{ type: 'section', block_id: 'input', text }] });

    const client = new WebClient('xoxb-1');
    expect(textOf(await withNames(client, view))).toContain(`<@${ANN}>`);
  });
});

it.each([
  ['a public channel', { name: 'general', is_private: false }, '#general'],
  ['a private channel', { name: 'plans', is_private: true }, undefined],
  ['a channel of which Slack does not say whether it is private', { name: 'plans' }, undefined],
])('a reader who may not be in %s reads only a public name (SURF-1)', async (_which, channel, name) => {
  await start({});
  api.next('conversations.info', { type: 'json', body: { ok: true, channel } });

  expect((await namesOfChannel(new WebClient('xoxb-1'), 'C1', 'outside')).get('C1')).toBe(name);
});
