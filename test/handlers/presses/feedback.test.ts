import { describe, expect, it } from 'vitest';
import { replyMessages } from '../../support/drawn-at-once.ts';
import { CARD, cardPress } from '../payloads.ts';
import { api, bot, door, onStage, start } from '../stage.ts';
import { expectToFit } from '../views/fits.ts';
import { BEN } from '../views/records.ts';

onStage();

const RUN = `00r${'x'.repeat(22)}`;
const opinion = (value: string) => cardPress({ action: 'reply_opinion', value, by: BEN });

describe('a press about an answer', () => {
  it('an opinion is kept with its person, and only this person is told', async () => {
    await start();

    await door.press(opinion(`bad ${RUN} 2`));
    await api.until(() => api.responses.length > 0);

    expect(bot.asked.opinions).toEqual([{ run: RUN, turn: 2, opinion: 'bad', by: BEN, card: CARD }]);
    expect(api.responses[0]).toMatchObject({ response_type: 'ephemeral', replace_original: false });
    expect(JSON.stringify(api.responses[0])).toContain('is saved');
  });

  it.each([
    ['unknown', /do not know this answer/],
    ['full', /was not saved/],
    ['failed', /was not recorded/],
  ] as const)('a press about an answer says so when its result is %s (P3)', async (feedback, words) => {
    await start({ feedback });

    await door.press(opinion(`good ${RUN} 1`));
    await api.until(() => api.responses.length > 0);

    expect(JSON.stringify(api.responses[0])).toMatch(words);
  });

  it.each(['', 'good', `maybe ${RUN} 1`, `good ${RUN} 0`, 'good x 1', `good ${RUN} 1 more`])(
    'a press about an answer that carries “%s” records nothing (P42)',
    async (value) => {
      await start();

      await door.press(opinion(value));
      await api.until(() => api.responses.length > 0);

      expect(bot.asked.opinions).toEqual([]);
      expect(JSON.stringify(api.responses[0])).toContain('nothing was recorded');
    },
  );
});

describe('the buttons below an answer', () => {
  it('the buttons for an opinion stand below the last part of an answer, and fit', () => {
    const messages = replyMessages('word '.repeat(5_000), { opinion: { run: RUN, turn: 3 } });

    for (const message of messages) expectToFit(message);
    expect(messages.map(({ blocks }) => blocks.some(({ type }) => type === 'context_actions'))).toEqual([
      ...messages.slice(1).map(() => false),
      true,
    ]);
  });
});
