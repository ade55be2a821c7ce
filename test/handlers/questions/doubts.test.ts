import { describe, expect, it } from 'vitest';
import type { Answered, Considered } from '../../../app/questions/answering.ts';
import type { Doubt } from '../../../app/records/index.ts';
import { TEAM } from '../../support/slack.ts';
import { CARD, cardPress, MEMORY, submission } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { doubt, everyDoubt } from '../views/doubts.ts';
import { textOf } from '../views/fits.ts';
import { ANN, APPROVAL, ZOE } from '../views/records.ts';

onStage();

const inState = (status: Doubt['standing']['status']): Doubt =>
  everyDoubt().find(({ standing }) => standing.status === status) ?? doubt();
const shown = () => api.to('views.update').at(-1)?.args.view;

describe('Leave it alone and Try again, through the signed door', () => {
  it.each<[string, Answered<Doubt>, RegExp]>([
    [
      'who was faster',
      { type: 'answered-before', asks: inState('happened') },
      /^<@U0ANN00001> already said that it happened, .*Your press changed nothing\.$/,
    ],
    ['that it finished', { type: 'over', asks: inState('finished') }, /^The call finished after all/],
    ['that its time is over', { type: 'over', asks: inState('expired') }, /^Nobody told me in time/],
    ['that the run is over', { type: 'over', asks: inState('withdrawn') }, /^The run has ended/],
    ['why they cannot say it', { type: 'not-yours', asks: doubt(), why: 'Not you.' }, /^Not you\. Nothing changed\.$/],
    [
      'who can say it',
      { type: 'not-yours', asks: doubt(), why: 'Not you.', notNamed: true },
      /^Only <@.*> can decide this\. Nothing changed\.$/,
    ],
    ['that a copy does not count', { type: 'not-offered' }, /^Only the buttons of the card/],
    ['that it is unknown here', { type: 'unknown' }, /^I do not know this question\./],
    ['that it was not recorded, and to press again', { type: 'failed' }, /^That was not recorded/],
  ])('a person who says what became of a call is told privately %s (P3)', async (_truth, choose, sentence) => {
    await start({ choose });

    await door.press(cardPress({ action: 'doubt_skip', by: ZOE }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses).toHaveLength(1);
    expect(api.responses[0]).toMatchObject({ response_type: 'ephemeral', replace_original: false });
    expect(api.responses[0]?.text).toMatch(sentence);
  });

  it('a person who said what became of a call and then presses another button is told so as you', async () => {
    await start({ choose: { type: 'answered-before', asks: inState('happened') } });

    await door.press(cardPress({ action: 'doubt_skip', by: ANN }));
    await api.until(() => api.responses.length > 0);

    expect(api.responses[0]?.text).toMatch(/^You already said that it happened, .*Your press changed nothing\.$/);
  });

  it('a press about a lost call counts by its person, button and card, and nothing else in it is believed (P35, P42)', async () => {
    await start({});

    await door.press(cardPress({ action: 'doubt_skip', by: ZOE }));
    await door.press(cardPress({ action: 'doubt_retry', by: ZOE }));
    await door.press(cardPress({ action: 'doubt_retry', value: 'all of them' }));
    await api.until(() => api.responses.length === 3);

    const press = { doubt: APPROVAL, by: { user: ZOE, team: TEAM }, card: CARD };
    expect(bot.asked.choices).toEqual(
      expect.arrayContaining([
        { ...press, choice: 'skip' },
        { ...press, choice: 'retry' },
      ]),
    );
    expect(bot.asked.choices).toHaveLength(2);
  });
});

describe('It happened…, through the signed door', () => {
  it('It happened… opens a form at once, and asks what came of the call when there is something to say', async () => {
    await start({ considerDoubt: { type: 'open', asks: doubt() } });

    await door.press(cardPress({ action: 'doubt_happened' }));
    await api.until(() => api.to('views.update').length > 0);

    expect(textOf(api.to('views.open')[0]?.args.view)).toContain('One moment …');
    expect(shown()).toMatchObject({ callback_id: 'doubt_happened_form', private_metadata: JSON.stringify(MEMORY) });
  });

  it.each<[string, Considered<Doubt>, RegExp]>([
    ['who can say it', { type: 'not-yours', asks: doubt(), why: 'Not you.' }, /Not you\./],
    ['that it is over', { type: 'over', asks: inState('finished') }, /The call finished after all/],
    ['that the store is away', { type: 'failed' }, /not recorded/],
  ])(
    'the form of It happened… says %s, before the person types anything (P3)',
    async (_truth, considerDoubt, words) => {
      await start({ considerDoubt });

      await door.press(cardPress({ action: 'doubt_happened', by: ZOE }));
      await api.until(() => api.to('views.update').length > 0);

      expect(textOf(shown())).toMatch(words);
      expect(JSON.stringify(shown())).not.toContain('"input"');
    },
  );

  const callback = 'doubt_happened_form';

  it.each([
    ['with what came of it', ' It is up. ', { said: 'It is up.' }],
    ['without words', null, {}],
  ] as const)(
    'the form of It happened… is submitted %s, counts for the person who submits it, and closes',
    async (_what, typed, said) => {
      await start({ choose: { type: 'answered', asks: inState('happened') } });

      const reply = await door.press(submission({ callback, values: { said: typed } }));

      expect(await reply.text()).toBe('');
      expect(bot.asked.choices).toMatchObject([{ doubt: APPROVAL, choice: 'happened', card: CARD, ...said }]);
    },
  );

  it('the form of It happened… stays open and says so when another person was faster (P3)', async () => {
    await start({ choose: { type: 'answered-before', asks: inState('skip') } });

    const reply = await door.press(submission({ callback, values: { said: 'late' } }));

    expect(await reply.text()).toMatch(/already chose to leave it alone/);
  });
});
