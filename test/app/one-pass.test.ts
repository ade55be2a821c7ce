import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkEdit } from '../../app/approvals/edits.ts';
import { createLog, shortened } from '../../app/log.ts';
import { digestText } from '../../app/runs/gate/granted-call.ts';
import { titleOf } from '../../app/runs/story/session.ts';
import { createRedaction } from '../../app/secrets/redaction.ts';
import { createScrubber } from '../../app/secrets/scrubber.ts';
import { readableText } from '../../app/tools/built-in/web/readable-text.ts';
import { importFile } from '../../app/tools/folder/import-file.ts';
import { defineTool, definitionHash, toolTable } from '../../app/tools/index.ts';
import { isTurned } from '../../handlers/views/kit/direction.ts';
import { shownText } from '../../handlers/views/kit/input-text.ts';
import { mixedWords } from '../../handlers/views/kit/mixed-scripts.ts';
import { inert, visibleProse } from '../../handlers/views/kit/text.ts';
import { growingReply } from '../../handlers/views/reply/growing.ts';
import { withoutPings } from '../../handlers/views/reply/reply.ts';
import { sentencePage, withoutMarkup } from '../../handlers/web/page.ts';
import { withoutSecrets } from '../../handlers/workspaces/client.ts';
import { replyMessages } from '../support/drawn-at-once.ts';
import { madePatterns, patterns, patternsIn, pumpsOf } from '../support/patterns.ts';

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
  '\u0591',
  '\u05D0"',
];

const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.from('k') });

const note = defineTool({ name: 'note', description: 'Notes.', input: z.object({ text: z.string() }), run: () => '' });
const about = { tool: note.name, definition: definitionHash(note) };
const edits = { tools: toolTable([note]), digest: digestText, redaction, failed: () => () => {} };
const edited = (typed: string) => checkEdit(edits, about, '{"text":""}', typed);

/** Loads a file whose error has these words in its stack. */
async function failedImport(text: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-one-pass-'));
  const stack = JSON.stringify(`Error: ${text}\n    at ${text}`);
  writeFileSync(join(folder, 'tool.mjs'), `throw Object.assign(new Error(''), { stack: ${stack} });`);
  return importFile(join(folder, 'tool.mjs')).finally(() => rmSync(folder, { recursive: true }));
}

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['a line of the log', createScrubber().scrub],
  ['a line of the log with patterns of the deployment', hiding([/EMP-\d{6}/])],
  ['a text that is cut', shortened],
  ['a sentence about a call', (text) => redaction.text(text)],
  ['an input', (text) => redaction.input({ inputSchema: {} }, { text })],
  ['an edited input', (text) => edited(JSON.stringify({ text }))],
  ['an edited input that is no JSON', edited],
  ['the place of an error', failedImport],
  ['a reply', replyMessages],
  ['a reply without pings', withoutPings],
  ['a reply while it is written', growingReply],
  ['a title', titleOf],
  ['a line of the Slack library', withoutSecrets],
  ['a name on a card', inert],
  ['prose on a card', visibleProse],
  ['words of several scripts', mixedWords],
  ['letters from right to left', isTurned],
  ['an input on a card', shownText],
  ['a sentence on the page', withoutMarkup],
  ['a page with a sentence', (text) => sentencePage(text, text)],
  ['a page of the web', readableText],
];

function hiding(patterns: readonly RegExp[]): (text: string) => string {
  const { hide, scrub } = createScrubber();
  hide(patterns);
  return scrub;
}

/** Time of this thread alone, and the best of several: a busy computer and the collection of garbage only add to it. */
async function bestMs(read: (text: string) => unknown, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3; times += 1) {
    const before = process.threadCpuUsage();
    await read(text);
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/** The least of three measures of how many times longer twice the text takes. */
async function leastGrowth(read: (text: string) => unknown, textOf: (times: number) => string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3 && least >= MOST_GROWTH; times += 1) {
    const twice = await bestMs(read, textOf(2));
    least = Math.min(least, twice < QUICK_MS ? 1 : twice / (await bestMs(read, textOf(1))));
  }
  return least;
}

const CHARS = 20_000;
/** Nothing that has begun goes on behind these. */
const ENDS = ['! end', '! > end'];
/** What takes less than this says nothing about how it grows: reading in one pass stays below it. */
const QUICK_MS = 20;
/** One pass takes twice as long, a pass for each place four times. */
const MOST_GROWTH = 2.8;

/** What a text repeats to make the pattern read it again and again, or `undefined`. */
async function slowPump(pattern: RegExp): Promise<string | undefined> {
  const read = (text: string) => text.replace(pattern, '');
  for (const pump of [...pumpsOf(pattern), ...HOSTILE])
    for (const end of ENDS_OF_PUMPS) {
      const textOf = (times: number) => `a${pump.repeat((times * PUMPED_CHARS) / pump.length)}${end}`;
      if ((await leastGrowth(read, textOf)) >= MOST_GROWTH) return `${JSON.stringify(pump)} … ${JSON.stringify(end)}`;
    }
  return undefined;
}

const PUMPED_CHARS = 8_000;
const ENDS_OF_PUMPS = ['', '!', '\n!'];

describe('text of others', () => {
  it.each(readers)(
    'as %s takes about twice as long to read at twice the length (MF-3, EDGE-7)',
    async (_what, read) => {
      for (const [part, end] of HOSTILE.flatMap((one) => ENDS.map((end) => [one, end] as const))) {
        const growth = await leastGrowth(read, (times) => `a${part.repeat((times * CHARS) / part.length)}${end}`);
        expect(growth, `the growth for ${JSON.stringify(part)}`).toBeLessThan(MOST_GROWTH);
      }
    },
  );

  it('takes each pattern of the product about twice as long at twice the length (EDGE-7)', async () => {
    for (const { place, pattern } of patterns()) expect(await slowPump(pattern), place).toBeUndefined();
  });

  it('takes each pattern that the product puts together at its start about twice as long at twice the length (EDGE-7)', async () => {
    const made = await madePatterns();
    for (const file of ['scrubber', 'links', 'mixed-scripts'])
      expect(made.filter(({ place }) => place.includes(`/${file}.ts `)).length, file).toBeGreaterThan(0);
    for (const { place, pattern } of made) expect(await slowPump(pattern), place).toBeUndefined();
  });

  it('would be found to slow down a pattern that reads it again and again (EDGE-7)', async () => {
    for (const slow of ['/\\s*\\n\\s*/', '/<[^>]*>/', '/[.!]+$/', '/e.*$/i', '/<[@!][^>]*>/', '/^a\\d+\\.?\\d*$/']) {
      const [found] = patternsIn('planted.ts', `export const planted = ${slow};`);
      expect(found && (await slowPump(found.pattern)), slow).toBeDefined();
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
