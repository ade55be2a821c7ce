import { describe, expect, it } from 'vitest';
import type { DecideResult } from '../../../app/approvals/approvals.ts';
import { CARD, cardPress, MEMORY, submission, viewPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { APPROVAL, approved, BEN, guarded, RUN } from '../views/records.ts';

onStage();

const asked = guarded();
const unconfirmed: DecideResult = { type: 'unconfirmed', approval: asked };
const by = { user: BEN, team: 'T0DEMO0001' };
const views = () => [...api.to('views.open'), ...api.to('views.update')];
const memory = { ...MEMORY, run: RUN, confirms: asked.digest };

describe('Approve on a guarded call', () => {
  it('a press on its card opens a form that says what will be done, and nothing is decided (SURF-1)', async () => {
    await start({ decide: async () => unconfirmed });

    await door.press(cardPress({ action: 'approval_approve', by: BEN }));
    await api.until(() => views().length > 0);
    await door.slack.stop();

    const { view } = api.to('views.open')[0]?.args ?? {};
    expect(textOf(view)).toContain('Restart the payments service? This cannot be undone.');
    expect(view).toMatchObject({ callback_id: 'approval_confirm', private_metadata: JSON.stringify(memory) });
    expect(bot.asked.presses).toEqual([
      { approval: APPROVAL, verdict: 'approve', by, from: { type: 'card', card: CARD } },
    ]);
    expect(api.responses).toEqual([]);
  });

  it('a person who may not decide gets no form, and is told why (SURF-1, P34)', async () => {
    await start({ decide: async () => ({ type: 'not-yours', why: 'It is not yours.', approval: asked }) });

    await door.press(cardPress({ action: 'approval_approve' }));
    await api.until(() => api.responses.length > 0);
    await door.slack.stop();

    expect(api.responses[0]?.text).toMatch(/It is not yours/);
    expect(views()).toEqual([]);
  });

  it.each(['expired_trigger_id', 'invalid_trigger_id'])(
    'a presser whose form could not be opened (%s) is told privately to press again (SURF-1)',
    async (error) => {
      await start({ decide: async () => unconfirmed });
      api.next('views.open', { type: 'json', body: { ok: false, error } });

      await door.press(cardPress({ action: 'approval_approve', by: BEN }));
      await api.until(() => api.responses.length > 0);

      expect(api.responses[0]).toMatchObject({
        response_type: 'ephemeral',
        text: expect.stringMatching(/Press Approve again/),
      });
    },
  );

  it('a presser whose form Slack can never take is not told to press again, and the log has an error (SURF-3)', async () => {
    await start({ decide: async () => unconfirmed });
    api.next('views.open', { type: 'json', body: { ok: false, error: 'invalid_blocks' } });

    await door.press(cardPress({ action: 'approval_approve', by: BEN }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^Something went wrong on my side/);
    expect(bot.logged.map(({ message }) => message)).toContain('A delivery could not be answered');
  });

  it('a press at the end of the full view puts the form in its place, where no trigger can die (SURF-1)', async () => {
    await start({ decide: async () => unconfirmed });

    await door.press(viewPress({ action: 'approval_approve', by: BEN }));
    await api.until(() => views().length > 0);

    expect(api.to('views.open')).toEqual([]);
    const { args } = api.to('views.update')[0] ?? { args: {} };
    expect(args).toMatchObject({ view_id: 'V0VIEW0001', view: { callback_id: 'approval_confirm' } });
    expect(JSON.parse(String((args as { view: { private_metadata: string } }).view.private_metadata))).toMatchObject({
      listed: true,
    });
  });

  it('the form decides at its submit with the digest that it showed, as a press on its card (SURF-1)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: approved() }) });

    await door.press(submission({ callback: 'approval_confirm', values: {}, memory, by: BEN }));

    const from = { type: 'card', card: CARD };
    expect(bot.asked.presses).toEqual([
      { approval: APPROVAL, run: RUN, verdict: 'approve', by, from, confirms: asked.digest },
    ]);
  });

  it('the form from a full view decides as a press in that view, and answers in its place (SURF-1)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: approved() }) });

    const values = { callback: 'approval_confirm', values: {}, memory: { ...memory, listed: true }, by: BEN };
    const reply = await door.press(submission(values));

    expect(bot.asked.presses[0]).toMatchObject({ from: { type: 'full-view' }, confirms: asked.digest });
    expect(await reply.text()).toContain('You approved this call');
  });
});
