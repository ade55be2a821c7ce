import { afterEach, describe, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { HOSTILE } from '../../sandbox/model/hostile.ts';
import { ANN } from '../../sandbox/people.ts';
import type { View } from '../../sandbox/records.ts';
import { draws, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** `<!channel>`, a link with a false label, back-ticks, bidi overrides, control characters and 100 KB of text. */
const askForIt = async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  stage.sandbox.model.next({ content: [call('run_report', { query: HOSTILE })] });
  const root = await mention(stage, ANN, 'hostile');
  const card = await stage.world.until(() => openCards(stage, root)[0], { what: 'the card' });
  return { root, card };
};

const topView = (): View => {
  const view = stage.world.views(ANN).at(-1);
  if (view === undefined) throw new Error('No view is open.');
  return view;
};

/** The view opens empty and is filled when its input has been read. */
const endReached = async (): Promise<boolean> => {
  const drawn = (action: string) => draws({ blocks: topView().content.blocks }, action);
  await stage.world.until(() => drawn('approval_page_next') || drawn('approval_approve'));
  return drawn('approval_approve');
};

describe('a hostile input', () => {
  it('makes a harmless card within Slack’s limits that says what it hides, without Approve (P25, P27, B11, T2)', async () => {
    const { card } = await askForIt();

    expect(says(card, /more characters|characters (?:are )?(?:not shown|hidden)/i)).toBe(true);
    expect(draws(card, 'approval_approve')).toBe(false);
    expect(draws(card, 'approval_trust')).toBe(false);
    expect(draws(card, 'approval_deny')).toBe(true);
    const interpreted = JSON.stringify(card.blocks.filter((block) => JSON.stringify(block).includes('"mrkdwn"')));
    expect(interpreted).not.toContain('<!channel>');
    expect(interpreted).not.toContain('<https://evil');
    expect(JSON.stringify(card)).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B-\u200D\uFEFF]/);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('has a word named on the card that looks like another, and is written in two scripts (P27b, EDGE-10)', async () => {
    const { card } = await askForIt();

    expect(says(card, 'Letters of several scripts in one word: p\u0430yments (Cyrillic \u0430).')).toBe(true);
  });

  it('can be read to its end, where Approve is, and then runs to the letter (P25)', async () => {
    const { root, card } = await askForIt();

    await stage.world.press(ANN, card, 'approval_approve', { forged: true, value: idOf(card) });
    await stage.world.press(ANN, card, 'approval_view');
    await stage.world.until(() => stage.world.views(ANN).length > 0);
    let pages = 1;
    for (; !(await endReached()); pages += 1) {
      expect(pages).toBeLessThan(100);
      const before = topView();
      await stage.world.press(ANN, before, 'approval_page_next');
      await stage.world.until(() => topView().hash !== before.hash);
    }
    expect(pages).toBeGreaterThan(1);
    expect(witnessed(stage, 'begun')).toEqual([]);

    await stage.world.press(ANN, topView(), 'approval_approve');
    await reply(stage, root, /Done|report/);
    await stage.world.until(() => witnessed(stage).length === 1);

    expect(witnessed(stage)).toMatchObject([{ tool: 'run_report', input: { characters: HOSTILE.length } }]);
    await stage.world.until(() => openCards(stage, root).length === 0);
  });
});

function idOf({ blocks }: { readonly blocks: readonly unknown[] }): string {
  return /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(blocks))?.[1] ?? '';
}
