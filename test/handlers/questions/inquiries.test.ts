import { describe, expect, it } from 'vitest';
import type { Answered, Considered } from '../../../app/questions/answering.ts';
import type { Inquiry } from '../../../app/records/index.ts';
import { inquiryCard } from '../../../handlers/questions/inquiry/card.ts';
import { TEAM } from '../../support/slack.ts';
import type { World } from '../parts.ts';
import { cardPress, MEMORY, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { textOf } from '../views/fits.ts';
import { everyInquiry, inquiry, object } from '../views/inquiries.ts';
import { ANN, APPROVAL, ZOE } from '../views/records.ts';

onStage();

const inState = (status: Inquiry['standing']['status']): Inquiry =>
  everyInquiry().find(({ standing }) => standing.status === status) ?? inquiry();
const shown = () => api.to('views.update').at(-1)?.args.view;

describe('Decline, through the signed door', () => {
  const truths: readonly (readonly [string, Answered<Inquiry>, RegExp])[] = [
    [
      'who was faster',
      { type: 'answered-before', asks: inState('answered') },
      /^<@U0ANN00001> already answered this, .*Your press changed nothing\.$/,
    ],
    ['that it was withdrawn', { type: 'over', asks: inState('withdrawn') }, /^This question was withdrawn/],
    ['that no answer came in time', { type: 'over', asks: inState('expired') }, /^Nobody answered in time/],
    [
      'who can answer',
      { type: 'not-yours', asks: inquiry(), why: '' },
      /^Only <@U0ANN00001>, who asked for this, can answer/,
    ],
    ['that it is unknown here', { type: 'unknown' }, /^I do not know this question\./],
    ['that it was not recorded, and to press again', { type: 'failed' }, /^That was not recorded/],
  ];

  it.each(truths)('a person who declines is told privately %s (P3)', async (_truth, result, sentence) => {
    await start({ answer: result });

    await door.press(cardPress({ action: 'inquiry_decline', by: ZOE }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses).toHaveLength(1);
    expect(api.responses[0]).toMatchObject({ response_type: 'ephemeral', replace_original: false });
    expect(api.responses[0]?.text).toMatch(sentence);
  });

  it('a requester who answered and then presses Decline is told so as you', async () => {
    await start({ answer: { type: 'answered-before', asks: inState('answered') } });

    await door.press(cardPress({ action: 'inquiry_decline', by: ANN }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^You already answered this, .*Your press changed nothing\.$/);
  });

  it('a press of Decline counts by its person and inquiry, and nothing else in it is believed (P35, P42)', async () => {
    await start({});

    await door.press(cardPress({ action: 'inquiry_decline', by: ZOE }));
    await door.press(cardPress({ action: 'inquiry_decline', value: 'all of them' }));
    await api.until(() => api.responses.length === 2);

    expect(bot.asked.answers).toEqual([
      { inquiry: APPROVAL, by: { user: ZOE, team: TEAM }, answer: { how: 'declined' } },
    ]);
  });
});

describe('Answer…, through the signed door', () => {
  it('Answer… opens a form at once, and draws the server’s own when there is something to answer', async () => {
    await start({ considerInquiry: { type: 'open', asks: inquiry() } });

    await door.press(cardPress({ action: 'inquiry_answer' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.open')[0]?.args.view)).toContain('One moment …');
    expect(shown()).toMatchObject({ callback_id: 'inquiry_form', private_metadata: JSON.stringify(MEMORY) });
    expect(textOf(shown())).toContain('Which branch?');
  });

  it.each<[string, Partial<Inquiry>]>([
    ['what it asks', { message: 'Log in to p\u0430ypal?' }],
    ['a field', { schema: JSON.stringify(object({ a: { type: 'string', title: 'Your p\u0430ypal name' } })) }],
    ['a hint', { schema: JSON.stringify(object({ a: { type: 'string', description: 'As on p\u0430ypal' } })) }],
    ['an option', { schema: JSON.stringify(object({ a: { type: 'string', enum: ['paypal', 'p\u0430ypal'] } })) }],
  ])(
    'the form of a tool server and its card name a word with letters of several scripts in %s (P27b, EDGE-10)',
    async (_where, changes) => {
      await start({ considerInquiry: { type: 'open', asks: inquiry(changes) } });

      await door.press(cardPress({ action: 'inquiry_answer' }));
      await api.until(() => api.to('views.update').length > 0);

      const named = 'Letters of several scripts in one word: p\u0430ypal (Cyrillic \u0430).';
      expect(textOf(shown())).toContain(named);
      expect(textOf(inquiryCard(inquiry(changes)).blocks)).toContain(named);
      expect(textOf(inquiryCard(inquiry()).blocks)).not.toContain('several scripts');
    },
  );

  it.each<[string, Considered<Inquiry>, RegExp]>([
    ['who can answer', { type: 'not-yours', asks: inquiry(), why: '' }, /Only @name U0ANN00001, who asked for this/],
    ['that it is over', { type: 'over', asks: inState('withdrawn') }, /was withdrawn/],
    [
      'that it can only be declined',
      { type: 'open', asks: inquiry({ schema: '' }) },
      /cannot be shown in Slack, so the question can only be declined/,
    ],
    ['that the store is away', { type: 'failed' }, /not recorded/],
  ])('the form of Answer… says %s, before the person types anything (P3)', async (_truth, considerInquiry, words) => {
    await start({ considerInquiry });

    await door.press(cardPress({ action: 'inquiry_answer', by: ZOE }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(shown())).toMatch(words);
    expect(JSON.stringify(shown())).not.toContain('"input"');
  });
});

describe('the form that was filled in', () => {
  const callback = 'inquiry_form';
  const open = { considerInquiry: { type: 'open', asks: inquiry() } } as const;

  it('the person who submits an answer gives it, under the server’s names, and the form closes (P35)', async () => {
    await start({ ...open, answer: { type: 'answered', asks: inState('answered') } });

    const reply = await door.press(submission({ callback, values: { 'field-0': 'main' } }));

    expect(await reply.text()).toBe('');
    expect(bot.asked.answers).toEqual([
      {
        inquiry: APPROVAL,
        by: { user: ANN, team: TEAM },
        answer: { how: 'answered', content: { branch: 'main' } },
      },
    ]);
  });

  it('the form of an inquiry takes several choices of one field', async () => {
    const schema = JSON.stringify({
      type: 'object',
      properties: { sizes: { type: 'array', items: { type: 'string', enum: ['S', 'M', 'L'] } } },
    });
    await start({
      considerInquiry: { type: 'open', asks: inquiry({ schema }) },
      answer: { type: 'answered', asks: inState('answered') },
    });

    const filled = submission({ callback, values: {} });
    const chosen = { type: 'multi_static_select', selected_options: [{ value: '0' }, { value: '2' }] };
    await door.press({ ...filled, view: { ...filled.view, state: { values: { 'field-0': { 'field-0': chosen } } } } });

    expect(bot.asked.answers[0]?.answer).toEqual({ how: 'answered', content: { sizes: ['S', 'L'] } });
  });

  it('the form of an inquiry stays open with the problem at its field, and sends nothing', async () => {
    await start(open);

    const reply = await door.press(submission({ callback, values: { 'field-0': 'x'.repeat(11) } }));

    expect(await reply.json()).toEqual({
      response_action: 'errors',
      errors: { 'field-0': 'At most 10 characters.' },
    });
    expect(bot.asked.answers).toEqual([]);
  });

  it('the form of an inquiry shows problems that only the server’s schema finds at the field as well', async () => {
    await start({ ...open, answer: { type: 'unfit', problem: 'data/branch must match format "date".' } });

    const reply = await door.press(submission({ callback, values: { 'field-0': 'main' } }));

    expect(await reply.json()).toEqual({
      response_action: 'errors',
      errors: { 'field-0': 'The tool server does not take this: data/branch must match format "date".' },
    });
  });

  it.each<[string, World, string]>([
    [
      'that it was withdrawn meanwhile',
      { considerInquiry: { type: 'over', asks: inState('withdrawn') } },
      'was withdrawn',
    ],
    ['who can answer', { considerInquiry: { type: 'not-yours', asks: inquiry(), why: '' } }, 'who asked for this'],
  ])('an answer to an inquiry that comes too late says %s (P3)', async (_what, world, words) => {
    await start(world);

    const reply = await door.press(submission({ callback, values: { 'field-0': 'main' } }));

    const answer: unknown = await reply.json();
    expect(answer).toMatchObject({ response_action: 'update' });
    expect(textOf(answer)).toContain(words);
  });

  it.each<[string, World]>([
    ['was not recorded', { ...open, answer: { type: 'failed' } }],
    ['meets a store that is away', { considerInquiry: { type: 'failed' } }],
  ])('an answer to an inquiry that %s stays in its form (P3)', async (_what, world) => {
    await start(world);

    const reply = await door.press(submission({ callback, values: { 'field-0': 'main' } }));

    expect(await reply.json()).toEqual({
      response_action: 'errors',
      errors: { 'field-0': 'That was not recorded, as far as I know. Pressing again is safe.' },
    });
  });
});
