import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../support/payload-limits.ts';
import { SLACK_PX } from '../../support/size/metrics.ts';
import { sizeOf } from '../../support/size/size.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } }) as const;
const button = (text: string) => ({ type: 'button', text: { type: 'plain_text', text } }) as const;
const rich = (...elements: { type: string; elements: { type: string }[] }[]) =>
  ({ type: 'rich_text', elements }) as never;
const letters = (text: string) => ({ type: 'text', text });

describe('the measure of a card', () => {
  it('the numbers of Slack stay what they are (SURF-1)', () => {
    expect(SLACK_PX).toEqual({
      ...{ message: 640, beside: 84, button: 28, gap: 8, divider: 1, frame: 8, bar: 16, buttonSide: 12, menu: 36 },
      ...{ text: { size: 15, line: 22 }, context: { size: 12, line: 18 }, code: { size: 12, line: 18 } },
      ...{ letter: 0.5, fixed: 0.6 },
    });
  });

  it('the height of blocks is that of their lines, with a gap between two blocks (SURF-1)', () => {
    expect(sizeOf([section('one line')]).heightPx).toBe(22);
    expect(sizeOf([section('one line'), section('x '.repeat(50))]).heightPx).toBe(22 + 8 + 44);
    expect(sizeOf([{ type: 'context', elements: [{ type: 'mrkdwn', text: 'small' }] }]).heightPx).toBe(18);
    expect(sizeOf([{ type: 'actions', elements: [button('Approve'), button('Deny')] }]).heightPx).toBe(28);
    expect(sizeOf([{ type: 'actions', elements: Array.from({ length: 9 }, () => button('Approve')) }]).heightPx).toBe(
      28 + 8 + 28,
    );
    expect(sizeOf([rich({ type: 'rich_text_preformatted', elements: [letters('a\nb')] })]).heightPx).toBe(2 * 18 + 16);
    expect(
      sizeOf([rich(...['a', 'b'].map((text) => ({ type: 'rich_text_section', elements: [letters(text)] })))]).heightPx,
    ).toBe(44);
  });

  it('the words of a card are those that people read, names and times for their mark-up (SURF-1)', () => {
    expect(sizeOf([section(':lock: *Asked* by <@U0ANN00001> · until <!date^1^{time}|x>')]).words).toBe(9);
    expect(sizeOf([{ type: 'actions', elements: [button('Deny'), button('Ask again')] }]).words).toBe(3);
  });
});

describe('the second judge of what bots send', () => {
  const sent = (method: string, given: object) => ({ method, arguments: { ...given } });

  it('the second judge finds what is wrong in a message, in a view and in blocks that were sent as text (SURF-1)', () => {
    const blocks = [section('x'.repeat(3_001))];
    const title = { type: 'plain_text', text: 'x'.repeat(25) };
    const view = { type: 'modal', title, close: { type: 'plain_text', text: 'x' }, blocks: [section('x')] };

    expect(
      violationsOf([sent('chat.postMessage', { text: 'x', blocks: [section('x')] }), sent('auth.test', {})]),
    ).toEqual([]);
    expect(violationsOf([sent('chat.postMessage', { text: 'x', blocks })])).toHaveLength(1);
    expect(violationsOf([sent('chat.update', { text: 'x', blocks: JSON.stringify(blocks) })])).toHaveLength(1);
    expect(violationsOf([sent('views.open', { view: JSON.stringify(view) })])).toHaveLength(1);
    expect(violationsOf([sent('chat.answer', { response_action: 'update', view })])).toHaveLength(1);
  });
});
