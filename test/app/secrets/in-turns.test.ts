import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import type { Json } from '../../../interventions/index.ts';

const redaction = createRedaction({ settings: { keys: [], patterns: [/EMP-\d{6}/] }, key: Buffer.from('k') });
const plain = { inputSchema: {} };
const many = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));

/** How many turns of the event loop other work has while this is searched. */
async function turnsOf(search: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  const over = search().finally(() => {
    isOver = true;
  });
  setImmediate(count);
  await over;
  return turns;
}

const TOKENS = many(4_900, (at) => `xoxb-1234567890-${at}`);

it.each<[string, number, Json]>([
  ['signed tokens', 15, { text: 'eyJaaaaaaaa.'.repeat(75_000) }],
  ['private keys', 15, { text: '-----BEGIN PRIVATE KEY-----\n'.repeat(30_000) }],
  ['tokens in a list', 5, { tokens: TOKENS }],
  ['named secrets', 2, Object.fromEntries(many(4_900, (at) => [`the${at}_password`, `v${at}`]))],
])(
  'a large input of %s gives other work its turns while it is searched, and hides the same (EDGE-7)',
  async (_, least, input) => {
    const turns = await turnsOf(() => redaction.inTurns.input(plain, input));

    expect(turns).toBeGreaterThanOrEqual(least);
    expect(isDeepStrictEqual(await redaction.inTurns.input(plain, input), redaction.input(plain, input))).toBe(true);
  },
);

it('a long text beside many secrets gives other work its turns, and hides each of them (EDGE-7)', async () => {
  const { hidden } = redaction.input(plain, { tokens: TOKENS });
  const said = TOKENS.slice(0, 3_000).join(' ');

  expect(await turnsOf(() => redaction.inTurns.text(said, hidden))).toBeGreaterThan(20);
  const shown = await redaction.inTurns.text(said, hidden);
  expect(shown === redaction.text(said, hidden)).toBe(true);
  expect(shown.includes('xoxb-')).toBe(false);
});

it('an input and a text of the usual size are searched in one turn (EDGE-7)', async () => {
  const input = { password: 'canary-7f3a', notes: many(50, (at) => `note ${at} with xoxb-1234567890-${at}`) };
  const { hidden } = redaction.input(plain, input);

  expect(await turnsOf(() => redaction.inTurns.input(plain, input))).toBe(0);
  expect(await turnsOf(() => redaction.inTurns.text('canary-7f3a '.repeat(100), hidden))).toBe(0);
});

it('other work that searches meanwhile finds all of its own secrets (EDGE-7)', async () => {
  const one = { text: 'eyJaaaaaaaa.'.repeat(75_000) };
  const other = { text: 'xoxb-1234567890 '.repeat(50_000) };
  const both = await Promise.all([redaction.inTurns.input(plain, one), redaction.inTurns.input(plain, other)]);

  expect(isDeepStrictEqual(both, [redaction.input(plain, one), redaction.input(plain, other)])).toBe(true);
});

it('equal secrets whose sign holds the secret again are hidden once each in a text (EDGE-7)', () => {
  const input = { all: many(2_000, (at) => ({ pin: at < 500 ? `1${at}-secret` : '0000000000' })) };
  const { hidden } = redaction.input(plain, input);

  expect(hidden).toHaveLength(2_000);
  expect(redaction.text('0000000000 '.repeat(10), hidden)).toBe('[hidden 0000000000] '.repeat(10));
});

it('a text with thousands of secrets hides each of them, and learns as many for the log as an input (EDGE-7)', () => {
  const found: string[] = [];
  const settings = { keys: [], patterns: [] };
  const counting = createRedaction({ settings, key: Buffer.from('k'), found: (one) => found.push(one) });

  const shown = counting.text(TOKENS.join(' '));

  expect(shown.includes('xoxb-')).toBe(false);
  expect(shown.match(/\[hidden /g)).toHaveLength(4_900);
  expect(found).toHaveLength(500);
});

it('whatever is searched in turns looks like what is searched at once (EDGE-7)', async () => {
  const secret = fc.constantFrom('xoxb-1234567890', 'eyJhbGciOi.eyJzdWIiOi.SflKxwRJ', 'EMP-123456', 'EMP-123456;', '');
  const text = fc.array(fc.oneof(secret, fc.string()), { maxLength: 9 }).map((parts) => parts.join(' '));
  const input = fc.record({ password: text, note: text, deep: fc.array(fc.record({ token: text, by: text })) });
  await fc.assert(
    fc.asyncProperty(input, text, async (given, words) => {
      const atOnce = redaction.input(plain, given);
      expect(await redaction.inTurns.input(plain, given)).toEqual(atOnce);
      expect(await redaction.inTurns.text(words, atOnce.hidden)).toBe(redaction.text(words, atOnce.hidden));
    }),
  );
});
