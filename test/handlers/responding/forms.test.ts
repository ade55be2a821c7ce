import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ConsiderResult, DecideResult } from '../../../app/approvals/approvals.ts';
import type { StoredTrustTerms } from '../../../app/records/index.ts';
import { CARD, cardPress, MEMORY, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { ANN, APPROVAL, approved, BEN, everyState, guarded, pending, RUN, THREAD, ZOE } from '../views/records.ts';

onStage();

const denied = everyState().find(({ status }) => status === 'denied') ?? pending();
const opened = () => api.to('views.update').at(-1)?.args.view;

/** Slack takes the answer to a form for three seconds. They pass here as soon as the bot is at work on it. */
async function patienceEnds(submitNow: () => Promise<Response>, isAtWork: () => boolean): Promise<Response> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const submitted = submitNow();
  while (!isAtWork()) await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(999);
  vi.useRealTimers();
  return submitted;
}

function decidesLater() {
  let answer: ((result: DecideResult) => void) | undefined;
  return {
    decide: () => new Promise<DecideResult>((resolve) => (answer = resolve)),
    isAsked: () => answer !== undefined,
    answer: (result: DecideResult) => answer?.(result),
  };
}

describe('a form of the card’s menu', () => {
  it('a form of the menu opens at once, and is filled when there is something to decide', async () => {
    await start({ found: pending() });

    await door.press(cardPress({ action: 'approval_more', option: `deny ${APPROVAL}` }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.open')[0]?.args.view)).toContain('One moment …');
    const memory = { ...MEMORY, run: RUN };
    expect(opened()).toMatchObject({ callback_id: 'approval_deny_reason', private_metadata: JSON.stringify(memory) });
  });

  const truths: readonly (readonly [string, ConsiderResult, RegExp])[] = [
    ['who was faster', { type: 'already-decided', approval: approved() }, /@name U0BEN00001 already approved/],
    [
      'who can decide',
      { type: 'not-yours', why: 'It is not yours.', approval: pending() },
      /It is not yours\. Nothing changed\./,
    ],
    ['that it is unknown', { type: 'unknown' }, /I do not know this request/],
    ['that the store is away', { type: 'failed' }, /not recorded/],
  ];
  it.each(truths)(
    'a form with nothing to decide says %s, before the person types anything (P3)',
    async (_truth, consider, words) => {
      await start({ consider });

      await door.press(cardPress({ action: 'approval_more', option: `deny ${APPROVAL}`, by: ZOE }));
      await api.until(() => api.to('views.update').length > 0);

      expect(textOf(opened())).toMatch(words);
      expect(JSON.stringify(opened())).not.toContain('"input"');
    },
  );
});

describe('a denial with a reason', () => {
  const callback = 'approval_deny_reason';
  const submit = (values: Readonly<Record<string, string | null>>, next = 'another', by: string = ANN) =>
    door.press(submission({ callback, values, chosen: { next }, by }));

  it('the person who submits a denial decides it, with the words as they were typed, and the form closes (P35, P62)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: denied }) });

    const reply = await submit({ reason: ' Not <!channel> before *noon*. ' }, 'another', BEN);

    expect(await reply.text()).toBe('');
    expect(bot.asked.presses).toEqual([
      {
        approval: APPROVAL,
        verdict: 'deny',
        by: { user: BEN, team: 'T0DEMO0001' },
        from: { type: 'card', card: CARD },
        reason: 'Not <!channel> before *noon*.',
      },
    ]);
    expect(bot.asked.stopped).toEqual([]);
  });

  it('a denial needs no reason', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: denied }) });

    await submit({ reason: null });

    expect(bot.asked.presses[0]).not.toHaveProperty('reason');
  });

  it('a denial stops the run as well when its form says so', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: denied }) });

    await submit({ reason: null }, 'stop', BEN);

    expect(bot.asked.stopped).toEqual([{ thread: THREAD, by: BEN, run: RUN }]);
  });

  it('a denial that is to stop a run which is over says that the run is over (T17)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: denied }), stop: 'nothing-runs' });

    await submit({ reason: null }, 'stop', BEN);
    await api.until(() => api.to('chat.postEphemeral').length > 0);

    expect(textOf(api.to('chat.postEphemeral')[0]?.args)).toContain('The run of this card is over already');
  });

  it.each<[string, DecideResult, string | null, string]>([
    ['who was faster', { type: 'already-decided', approval: approved() }, 'no', '@name U0BEN00001 already approved'],
    ['that it was not recorded', { type: 'failed' }, null, 'not recorded'],
  ])('a denial that comes too late or fails says %s, and stops nothing (P3)', async (_what, result, reason, words) => {
    await start({ decide: async () => result });

    const reply = await submit({ reason }, 'stop');

    const answer: unknown = await reply.json();
    expect(answer).toMatchObject({ response_action: 'update' });
    expect(textOf(answer)).toContain(words);
    expect(bot.asked.stopped).toEqual([]);
  });

  it.each<[string, () => Promise<DecideResult>, string]>([
    [
      'is not recorded',
      async () => ({ type: 'failed' }),
      'That was not recorded, as far as I know. Pressing again is safe.',
    ],
    [
      'meets an unexpected error',
      async () => {
        throw new Error('a bug');
      },
      'Something went wrong on my side, and it has been noted. Please try again.',
    ],
  ])('a denial that %s stays in its form, with the reason that was typed (P3)', async (_what, decide, words) => {
    await start({ decide });

    const reply = await submit({ reason: 'no' });

    expect(await reply.json()).toEqual({ response_action: 'errors', errors: { reason: words } });
    expect(bot.asked.stopped).toEqual([]);
  });

  it('a denial that is found too late not to be recorded shows its person what they wrote (P3)', async () => {
    const { decide, isAsked, answer } = decidesLater();
    await start({ decide });

    await patienceEnds(() => submit({ reason: 'Not before noon.' }), isAsked);
    answer({ type: 'failed' });
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(opened())).toMatch(/not recorded[\s\S]*You wrote[\s\S]*Not before noon\./);
  });

  it('a form is acknowledged within a second while its decision still runs, and shows the outcome later (SURF-3)', async () => {
    const { decide, isAsked, answer } = decidesLater();
    await start({ decide });

    const reply = await patienceEnds(() => submit({ reason: 'no' }), isAsked);
    expect(textOf(await reply.json())).toContain('Still working on it …');
    answer({ type: 'decided', approval: denied });
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(opened())).toContain('You denied this call');
  });

  it.each<[string, DecideResult, boolean, string]>([
    ['who was faster', { type: 'already-decided', approval: approved() }, true, '<@U0BEN00001> already approved'],
    ['what its card cannot show', { type: 'decided', approval: denied }, false, 'You denied this call'],
  ])('a person who closed the form before the decision reads %s in the thread', async (_what, result, shown, words) => {
    const { decide, isAsked, answer } = decidesLater();
    await start({ decide, shown });
    api.next('views.update', { type: 'json', body: { ok: false, error: 'not_found' } });

    await patienceEnds(() => submit({ reason: 'no' }, 'another', ZOE), isAsked);
    answer(result);
    await api.until(() => api.to('chat.postEphemeral').length > 0);

    expect(api.to('chat.postEphemeral')[0]?.args).toMatchObject({ user: ZOE, thread_ts: THREAD.ts });
    expect(textOf(api.to('chat.postEphemeral')[0]?.args)).toContain(words);
    expect(bot.logged.map(({ message }) => message)).not.toContain('A delivery could not be answered');
  });

  it('a person who closed the form before a decision that counts reads it on the card alone (SURF-1)', async () => {
    const { decide, isAsked, answer } = decidesLater();
    await start({ decide });
    api.next('views.update', { type: 'json', body: { ok: false, error: 'not_found' } });

    await patienceEnds(() => submit({ reason: 'no' }, 'another', BEN), isAsked);
    answer({ type: 'decided', approval: denied });
    await api.until(() => api.to('views.update').length > 0);
    await door.slack.stop();

    expect(api.to('chat.postEphemeral')).toEqual([]);
  });

  it('a form is acknowledged while its workspace is still looked up (B18)', async () => {
    let answer: (() => void) | undefined;
    await start(
      { decide: async () => ({ type: 'decided', approval: denied }) },
      {
        workspaces: (workspaces) => ({
          ...workspaces,
          ofDelivery: async (body) => {
            if (JSON.stringify(body ?? {}).includes(callback)) await new Promise<void>((resolve) => (answer = resolve));
            return workspaces.ofDelivery(body);
          },
        }),
      },
    );

    const reply = await patienceEnds(
      () => submit({ reason: 'no' }),
      () => answer !== undefined,
    );
    expect(textOf(await reply.json())).toContain('Still working on it …');
    expect(bot.asked.presses).toEqual([]);
    answer?.();
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(opened())).toContain('You denied this call');
  });

  it('a form whose workspace cannot be found says so in its place', async () => {
    await start(
      {},
      {
        workspaces: (workspaces) => ({
          ...workspaces,
          ofDelivery: async (body) => {
            if (JSON.stringify(body ?? {}).includes(callback)) throw new Error('the store is away');
            return workspaces.ofDelivery(body);
          },
        }),
      },
    );

    const reply = await submit({ reason: 'no' });

    expect(reply.status).toBe(200);
    expect(textOf(await reply.json())).toContain('Something went wrong on my side');
    expect(bot.logged.map(({ message }) => message)).toContain('A delivery could not be answered');
  });

  it('a form with a memory that the bot did not write decides nothing (P42)', async () => {
    await start({});

    const reply = await door.press(submission({ callback, values: { reason: 'x' }, memory: { approval: 'all' } }));

    expect(textOf(await reply.json())).toContain('could not read that press');
    expect(bot.asked.presses).toEqual([]);
  });
});

describe('an edited input', () => {
  const callback = 'approval_edit';
  const typed = '{"service": "search"}';
  const edited = everyState().find((one) => one.status === 'approved' && one.decision.edit !== undefined) ?? pending();

  it('an edited input is approved as it was typed, by the person who submits it', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: edited }) });

    const reply = await door.press(submission({ callback, values: { input: typed }, by: BEN }));

    expect(await reply.text()).toBe('');
    expect(bot.asked.presses).toEqual([
      {
        approval: APPROVAL,
        verdict: 'approve',
        by: { user: BEN, team: 'T0DEMO0001' },
        from: { type: 'card', card: CARD },
        edit: typed,
      },
    ]);
  });

  it('an edited guarded call is decided only by a second form, which says what it would do (SURF-1)', async () => {
    const edit = { input: typed, digest: 'e'.repeat(64), summary: 'Restart the search service.' };
    await start({ decide: async () => ({ type: 'unconfirmed', approval: guarded(), edit }) });

    const reply = await door.press(submission({ callback, values: { input: typed }, by: BEN }));
    const { view } = (await reply.json()) as { view: { submit: { text: string }; private_metadata: string } };

    expect(textOf(view)).toContain('Restart the search service? This cannot be undone.');
    expect(textOf(view)).toContain('search');
    expect(view.submit.text).toBe('Yes, restart');
    const memory = JSON.parse(view.private_metadata);
    await door.press(submission({ callback, values: { input: typed }, memory, by: BEN }));
    expect(bot.asked.presses.map(({ confirms }) => confirms)).toEqual([undefined, edit.digest]);
  });

  it('an edited input that cannot run is refused at its field, and the form stays open', async () => {
    await start({ decide: async () => ({ type: 'unfit', problem: 'This is not JSON.' }) });

    const reply = await door.press(submission({ callback, values: { input: '{' } }));

    expect(await reply.json()).toEqual({ response_action: 'errors', errors: { input: 'This is not JSON.' } });
  });

  it('an edited input that was refused too late for its field says why in its view (P3)', async () => {
    const { decide, isAsked, answer } = decidesLater();
    await start({ decide });

    await patienceEnds(() => door.press(submission({ callback: 'approval_edit', values: { input: '{}' } })), isAsked);
    answer({ type: 'unfit', problem: 'service: Required.' });
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(opened())).toContain(
      'I could not use what was typed. service: Required. Nothing has changed. Open the form again where you opened it.',
    );
  });

  it('an edited input that comes too late says who was faster (P3)', async () => {
    await start({ decide: async () => ({ type: 'already-decided', approval: denied }) });

    const reply = await door.press(submission({ callback, values: { input: typed } }));

    expect(textOf(await reply.json())).toContain('@name U0BEN00001 already denied');
  });
});

describe('trust on other terms', () => {
  const terms = { match: 'any', scope: 'requester', forMs: 86_400_000 } as const;
  const offer = { ...terms, line: 'restart_service with any input, whenever the same person asks, for 1 day' };
  const chosen = { match: 'any', scope: 'requester', for: '86400000' };
  const trusted = everyState().find(({ status }) => status === 'trusted') ?? pending();

  it('the choices of trust open only for people who may give it', async () => {
    await start({ found: pending(), offer: { type: 'unfit', problem: 'Only others can trust it.' } });

    await door.press(cardPress({ action: 'approval_more', option: `terms ${APPROVAL}`, by: ZOE }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(opened())).toContain('Only others can trust it. Nothing has changed.');
    expect(JSON.stringify(opened())).not.toContain('radio_buttons');
  });

  it('the choices of trust begin with the narrowest', async () => {
    await start({ found: pending(), offer: { type: 'offered', approval: pending(), offer } });

    await door.press(cardPress({ action: 'approval_more', option: `terms ${APPROVAL}` }));
    await api.until(() => api.to('views.update').length > 0);

    const initial = [...JSON.stringify(opened()).matchAll(/"initial_option":\{[^}]*\},"value":"(\w+)"/g)];
    expect(initial.map(([, value]) => value)).toEqual(['exact', 'thread', '3600000']);
  });

  it.each([
    ['any place', () => true, ['exact', 'fields', 'any', 'thread', 'channel', 'requester']],
    ['no channel', ({ scope }) => scope !== 'channel', ['exact', 'fields', 'any', 'thread', 'requester']],
    ['this input alone', ({ match }) => match === 'exact', ['exact', 'thread', 'channel', 'requester']],
  ] satisfies readonly (readonly [string, (terms: StoredTrustTerms) => boolean, readonly string[]])[])(
    'the form of trust offers what its reader may give: %s (P57)',
    async (_what, fits, offered) => {
      const found = pending({ input: '{"service":"payments","replicas":3}' });
      await start({
        found,
        offer: (asked) =>
          fits(asked) ? { type: 'offered', approval: found, offer } : { type: 'unfit', problem: 'Too wide.' },
      });

      await door.press(cardPress({ action: 'approval_more', option: `terms ${APPROVAL}` }));
      await api.until(() => api.to('views.update').length > 0);

      const values = [...JSON.stringify(opened()).matchAll(/"value":"([a-z]+)"\}/g)].map(([, value]) => value ?? '');
      expect([...new Set(values)].filter((value) => !['service', 'replicas'].includes(value))).toEqual(offered);
    },
  );

  it('the form of trust shows the line that would be stored, before any trust is given (P51)', async () => {
    await start({ offer: { type: 'offered', approval: pending(), offer } });

    const reply = await door.press(submission({ callback: 'trust_terms', values: {}, chosen }));
    const answer: unknown = await reply.json();

    expect(bot.asked.terms).toEqual([{ approval: APPROVAL, by: { user: ANN, team: 'T0DEMO0001' }, terms }]);
    expect(answer).toMatchObject({ response_action: 'update', view: { callback_id: 'trust_line' } });
    expect(textOf(answer)).toContain(offer.line);
    expect(bot.asked.presses).toEqual([]);
  });

  it('the form of trust takes the parts that have to stay the same, and never guesses which were meant (P51)', async () => {
    await start({ offer: { type: 'offered', approval: pending(), offer } });
    const parts = { parts: { parts: { type: 'checkboxes', selected_options: [{ value: 'service' }] } } };
    const sent = (match: string, more = {}) => {
      const form = submission({ callback: 'trust_terms', values: {}, chosen: { ...chosen, match } });
      return door.press({ ...form, view: { ...form.view, state: { values: { ...form.view.state.values, ...more } } } });
    };

    expect(await (await sent('fields')).json()).toMatchObject({ errors: { parts: expect.any(String) } });
    expect(await (await sent('exact', parts)).json()).toMatchObject({ errors: { parts: expect.any(String) } });
    expect(bot.asked.terms).toEqual([]);
    expect(await (await sent('fields', parts)).json()).toMatchObject({ response_action: 'update' });
    expect(bot.asked.terms).toMatchObject([{ terms: { match: 'fields', where: { service: expect.any(String) } } }]);
  });

  it('the form of trust says at the field what cannot be given', async () => {
    await start({ offer: { type: 'unfit', problem: 'Not for a whole channel.' } });

    const reply = await door.press(submission({ callback: 'trust_terms', values: {}, chosen }));

    expect(await reply.json()).toEqual({ response_action: 'errors', errors: { scope: 'Not for a whole channel.' } });
  });

  it('the form of trust gives exactly the terms whose line was shown (P54)', async () => {
    await start({ decide: async () => ({ type: 'decided', approval: trusted }) });

    const reply = await door.press(submission({ callback: 'trust_line', values: {}, memory: { ...MEMORY, terms } }));

    expect(await reply.text()).toBe('');
    expect(bot.asked.presses).toEqual([
      {
        approval: APPROVAL,
        verdict: 'trust',
        by: { user: ANN, team: 'T0DEMO0001' },
        from: { type: 'card', card: CARD },
        terms,
      },
    ]);
  });

  it('a form of trust that comes too late says who was faster (P3)', async () => {
    await start({ decide: async () => ({ type: 'already-decided', approval: approved() }) });

    const reply = await door.press(submission({ callback: 'trust_line', values: {}, memory: { ...MEMORY, terms } }));

    expect(textOf(await reply.json())).toContain('@name U0BEN00001 already approved');
  });

  it.each([
    ['has no terms', MEMORY],
    ['has terms that no form offers', { ...MEMORY, terms: { ...terms, scope: 'everywhere' } }],
  ])('a form of trust gives no trust when it %s (P42)', async (_what, memory) => {
    await start({});

    await door.press(submission({ callback: 'trust_line', values: {}, memory }));

    expect(bot.asked.presses).toEqual([]);
  });
});
