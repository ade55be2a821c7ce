import { describe, expect, it } from 'vitest';
import { createLog } from '../../app/log.ts';
import { titleOf } from '../../app/runs/story/session.ts';
import { createRedaction } from '../../app/secrets/redaction.ts';
import { createScrubber } from '../../app/secrets/scrubber.ts';
import { inert } from '../../handlers/views/kit/text.ts';
import { growingReply } from '../../handlers/views/reply/growing.ts';
import { replyMessages, withoutPings } from '../../handlers/views/reply/reply.ts';
import { withoutSecrets } from '../../handlers/workspaces/client.ts';

/** Each makes an unfinished secret, sign or link begin again and again. */
const HOSTILE = [
  'eyJ',
  'eyJaaaaaaaa.',
  'a',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '://a:aaaa',
  '://',
  'Bearer ',
  '<',
  '<a:',
  '<a:|',
  '<@',
  '[',
  '[a](',
  '[a](https://',
  '[a]:',
  '](',
  'a\n',
  'Approved\n',
  ':a',
  '&a',
  '\n',
  '\t',
  '- ',
  '_',
  '`',
  'http://',
  '\\n',
];

const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.from('k') });
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['a line of the log', createScrubber().scrub],
  ['a sentence about a call', (text) => redaction.text(text)],
  ['an input', (text) => redaction.input({ inputSchema: {} }, { text })],
  ['a reply', replyMessages],
  ['a reply without pings', withoutPings],
  ['a reply while it is written', growingReply],
  ['a title', titleOf],
  ['a line of the Slack library', withoutSecrets],
  ['a name on a card', inert],
];

/** Time of this thread alone, and the best of several: a busy computer and the collection of garbage only add to it. */
function bestMs(read: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    read(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

const CHARS = 20_000;
/** Nothing that has begun goes on behind these. */
const ENDS = ['! end', '! > end'];
/** What takes less than this says nothing about how it grows: reading in one pass stays below it. */
const QUICK_MS = 20;
/** One pass takes twice as long, a pass for each place four times. */
const MOST_GROWTH = 2.8;

describe('text of others', () => {
  it.each(readers)('as %s takes about twice as long to read at twice the length (MF-3)', (_what, read) => {
    for (const [part, end] of HOSTILE.flatMap((one) => ENDS.map((end) => [one, end] as const))) {
      const growth = () => {
        const ofLength = (chars: number) => bestMs(read, `a${part.repeat(chars / part.length)}${end}`);
        const [once, twice] = [ofLength(CHARS), ofLength(2 * CHARS)];
        return twice < QUICK_MS ? 1 : twice / once;
      };
      const least = [growth, growth, growth].reduce(
        (best, again) => (best < MOST_GROWTH ? best : again()),
        MOST_GROWTH,
      );
      expect(least, `the growth for ${JSON.stringify(part)}`).toBeLessThan(MOST_GROWTH);
    }
  });

  it('is cut to 4 KB in each string of the log before the redaction searches the line, and the line says so (MF-3)', () => {
    const { scrub } = createScrubber();
    const searched: string[] = [];
    const log = createLog('info', (line) => searched.push(scrub(line)));
    const long = 'eyJ'.repeat(1_000_000);
    log.warn(long, { said: long, deep: { list: [long] }, error: new Error(long) });

    expect(searched[0]?.length).toBeLessThan(6 * 4_300);
    expect(searched[0]).toContain('more characters)');
  });

  it('is cut in the log before a word that crosses the limit, so that no half of a secret stays (MF-3)', () => {
    const secret = 'canary-7f3a-1234567890';
    const { scrub } = createScrubber([secret]);
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(scrub(line)));
    log.warn('long', { text: `${'word '.repeat(817)}${secret} end` });

    expect(lines[0]).toContain('word');
    expect(lines[0]).not.toContain('canary');
  });
});

describe('what reads text of others in one pass', () => {
  it('still finds a signed token that stands behind other letters (MF-3)', () => {
    const token = 'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK';

    for (const before of ['', 'n', '\\n', 'a-eyJ.', 'https://a/?t='])
      expect(createScrubber().scrub(`${before}${token} end`)).toMatch(/^[^S]*\[hidden\] end$/);
  });

  it('still takes each sign that acts out of a reply, also one inside another (MF-3)', () => {
    expect(withoutPings('<https://a<b|x> <!here> <a:<@U1|b> <!-- no --> a<b:c d|')).toBe(
      '&lt;https://a<b|x> &lt;!here> &lt;a:&lt;@U1|b> <!-- no --> a<b:c d|',
    );
  });

  it('still reads a reply out without the signs of its lists, and with the address of a link (MF-3)', () => {
    expect(replyMessages('# Done\n- see [the page](https://a.test) and _this_')[0]?.text).toBe(
      'Done see the page (https://a.test) and this',
    );
  });
});
