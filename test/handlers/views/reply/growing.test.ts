import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growingReply, growingTasks } from '../../../../handlers/views/reply/growing.ts';
import { runsOf } from '../../../support/amount.ts';
import { replyMessages } from '../../../support/drawn-at-once.ts';
import { hostileText, textUpTo } from '../hostile.ts';

/** What the first message of an answer shows, once all of it is there. */
function whole(text: string): string {
  const [first] = replyMessages(text)[0]?.blocks ?? [];
  return first?.type === 'markdown' ? first.text : '';
}

describe('an answer while it is written', () => {
  it.each([
    ['a mention', 'Ask <!chan', 'Ask'],
    ['a link under another name', 'See <https://evil.test|https:', 'See'],
    ['a link that begins with another sign', 'See <https:<|', 'See'],
    ['a link in Markdown', 'See [the docs](https://a.exam', 'See'],
    ['a picture', 'See !', 'See'],
    ['the address of a link', 'See a]', 'See a'],
    ['an address with letters beyond ASCII', 'See a](b\u00E4', 'See a'],
    ['the head of a card', 'Done.\n\n:lock: **Approval nee', 'Done.'],
    ['a sign before the head of a card', 'Done.\n:lo', 'Done.'],
    ['a head, in the line below one', 'Approval needed\n ·', '> Approval needed'],
    ['half a character', 'Done \uD83D', 'Done'],
    ['white space', 'Done. \n', 'Done.'],
  ])('a growing answer holds back what may become %s', (_what, text, shown) => {
    expect(growingReply(text)).toBe(shown);
  });

  it('a growing answer shows a sign that stays one', () => {
    expect(growingReply('is 1 < 2 so')).toBe('is 1 < 2 so');
    expect(growingReply('ask <!channel> now')).toBe('ask &lt;!channel> now');
  });

  it('a growing answer reads no more of a long text than fills its first message (EDGE-7)', () => {
    expect(growingReply('漢字漢字漢字漢字\n'.repeat(3_000)).length).toBeGreaterThan(8_000);
    // The title of the link is left out, so all that is shown stands behind a text that is too long to be read.
    const long = `[a](https://a.test "${'b'.repeat(30_000)}")`;
    expect(growingReply(`${long} and more`)).toBe(growingReply(`${long} and other words`));
  });

  it('a growing answer never shows anything that later words change, wherever it is cut (P27, EDGE-9)', () => {
    const signs = fc.array(
      fc.constantFrom(
        ...['<', '!', '@', 'U1', '#', 'https:', '//a.b', '|', '>', ' ', 'here', '\u{1F600}', '[', ']', '(', ')', '\n'],
        ...[
          '](',
          '[a](https://a.b)',
          ':lock:',
          '**',
          'Approv',
          'ed',
          'al needed',
          ' · ',
          '&',
          ';',
          '\r',
          '"',
          '](\u00E4',
          '.b',
        ],
      ),
    );
    const texts = fc.oneof(
      hostileText,
      textUpTo(2_000),
      signs.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, fc.nat(), (text, cut) => {
        const part = text.slice(0, cut % (text.length + 1));
        fc.pre(text.length < 8_000);
        expect(whole(text).startsWith(growingReply(part))).toBe(true);
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('a growing answer stops where its first message ends', () => {
    const text = Array.from({ length: 60 }, (_, at) => `${at} ${'word '.repeat(60)}`.trim()).join('\n\n');

    expect(replyMessages(text).length).toBeGreaterThan(1);
    expect(replyMessages(text)[0]?.blocks[0]).toEqual({ type: 'markdown', text: growingReply(text) });
  });
});

describe('a call while it runs', () => {
  it('the line of a running call names the tool and its purpose, within Slack’s limits, with nothing hidden', () => {
    const calls = [
      { id: 'a', tool: 'x'.repeat(500), summary: `see\u202E${'y'.repeat(900)}`, status: 'failed' as const },
    ];

    const [task] = growingTasks(calls);

    expect(task?.status).toBe('error');
    expect(task?.title.length).toBeLessThanOrEqual(100);
    expect(task?.details?.length).toBeLessThanOrEqual(256);
    expect(task?.details).toContain('\\u{202E}');
  });

  it('a step of a growing answer shows where a link goes, and mentions no person (EDGE-9, T15)', () => {
    const summary = 'Restart [payments](https://evil.example) for <!channel>.';
    const [task] = growingTasks([{ id: 'c1', tool: 'restart', summary, status: 'running' }]);

    expect(task?.details).toBe('Restart payments (https://evil.example) for &lt;!channel>.');
  });
});
