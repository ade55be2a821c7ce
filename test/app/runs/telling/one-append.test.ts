import { describe, expect, it } from 'vitest';
import type { Step } from '../../../../app/step.ts';
import type { Store } from '../../../../app/store/index.ts';
import { ANN } from '../../../../sandbox/people.ts';
import { call, inProcess, tool } from '../../../support/in-process/index.ts';

const tools = [tool('restart')];
const typesIn = (entries: readonly { readonly text: string }[]): string =>
  entries.map(({ text }) => JSON.parse(text).body.type).join(' ');

/** The bot, with the kinds of entries of each append. The store calls the first append with `late` in it late. */
async function appending(wishes: { readonly shared?: boolean } = {}, late?: string) {
  const appends: string[] = [];
  let isLate = late !== undefined;
  const around = (store: Store): Store => ({
    ...store,
    append: async (request) => {
      const types = typesIn(request.entries);
      if (isLate && types.includes(`${late}`)) {
        isLate = false;
        return { type: 'late', nowMs: Date.now() };
      }
      const answer = await store.append(request);
      if (answer.type === 'ok') appends.push(types);
      return answer;
    },
  });
  return { appends, bot: await inProcess({ tools, around, ...wishes }) };
}

/** Another process goes on with what the first one left. */
async function takesOver({ bot }: Awaited<ReturnType<typeof appending>>): Promise<void> {
  await bot.restarts();
  for (let seconds = 0; seconds < 10; seconds += 1) await bot.passes(1_000);
}

describe('a question with a card of its own', () => {
  it.each([false, true])('is written together with the intent to post its card (shared store: %s)', async (shared) => {
    const { bot, appends } = await appending({ shared });
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.cards()).toEqual(['restart pending']);
    expect(appends.filter((types) => /asked|post/.test(types))).toEqual(['call-asked post-begun', 'card-posted']);
  });

  it('is written without the intent when the store took too long for it, and has one card in the end', async () => {
    const { bot, appends } = await appending({ shared: true }, 'call-asked');
    bot.model.says(call('restart'));

    await bot.mention(ANN, 'restart payments');

    expect(bot.cards()).toEqual(['restart pending']);
    expect(appends.filter((types) => /asked|post/.test(types))).toEqual(['call-asked', 'post-begun', 'card-posted']);
  });

  it.each<[string, string | undefined, Step]>([
    ['with the intent', undefined, 'call-asked'],
    ['without the intent, as earlier versions wrote it,', 'call-asked', 'call-asked'],
    ['with an intent of its own', 'call-asked', 'card-begun'],
  ])('has one card after a process died with the question written %s', async (_how, late, at) => {
    const stage = await appending({ shared: true }, late);
    const { bot } = stage;
    bot.model.says(call('restart'));
    bot.diesAt(at);
    await bot.mention(ANN, 'restart payments');
    expect(bot.cards()).toEqual([]);

    await takesOver(stage);
    expect(bot.cards()).toEqual(['restart pending']);
    await bot.press(ANN, bot.card(), 'approve');

    expect(bot.ran()).toHaveLength(1);
    expect(bot.posts()).toEqual(['Done.']);
  });
});

it('writes no intent for a card of its own where a question may become a row of a list card', async () => {
  const { bot, appends } = await appending();
  bot.model.says(['a', 'b', 'c', 'd'].map((service) => call('restart', { service }, service)));

  await bot.mention(ANN, 'restart all');
  await bot.passes(1_000);

  expect(bot.thread.lists()).toHaveLength(1);
  expect(appends.filter((types) => types.includes('call-asked'))).toEqual(Array(4).fill('call-asked'));
  expect(appends.filter((types) => types.includes('post-begun'))).toEqual(['post-begun']);
});
