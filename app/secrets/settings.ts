import { z } from 'zod';

/** What a deployment adds to what is always taken for a secret. */
export interface RedactSettings {
  /** Names of members, in any letter case and any way of joining words: `iban` or `cardNumber`. */
  readonly keys: readonly string[];
  /** What a secret looks like, wherever it stands. */
  readonly patterns: readonly RegExp[];
}

export const RedactSettingsSchema = z.strictObject({
  keys: z
    .array(z.string('must be the name of a member').trim().min(1, 'must be the name of a member'), 'must be a list')
    .default([]),
  patterns: z
    .array(
      z
        .instanceof(RegExp, { error: 'must be a regular expression, such as /EMP-\\d{6}/' })
        .refine((pattern) => !new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(''), {
          error: 'fits the empty text, so it would hide nothing and everything',
        }),
      'must be a list of regular expressions',
    )
    .default([]),
});

/** `apiKey`, `api_key` and `API-Key` are one name. */
export function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}

/** Members that hold secrets by their very name. A count of tokens is none, so whole words count, at the end of the name. */
export const SECRET_NAME =
  /(?:^|_)(?:password|passwd|passphrase|passcode|pwd|secret|secret_key|token|api_?key|access_key|private_key|signing_key|credential|credentials|authorization|cookie|pin)$/;

/**
 * Secrets that say so themselves. Each pattern hides only characters that such a secret is made of: a command stays
 * visible wherever it stands. Each reads a text in one pass, so that no text stops the process.
 */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /xox[a-z]-[\w-]{8,}/g,
  /xapp-[\w-]{8,}/g,
  /sk-[A-Za-z0-9_-]{16,}/g,
  /gh[oprsu]_[A-Za-z0-9]{20,}/g,
  /github_pat_\w{20,}/g,
  /glpat-[\w-]{16,}/g,
  /A(?:KIA|SIA)[0-9A-Z]{16}/g,
  /AIza[\w-]{30,}/g,
  // Only the first `eyJ` of a word can begin a signed token. Trying each one would read the word again and again.
  /eyJ(?<=(?<![\w-])(?:(?!eyJ)[\w-])*eyJ)[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  // In a line of JSON the line breaks of a key are written as `\n`.
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\r\n]|\\{1,4}[rn]){1,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  /(?<=\b[Bb]earer )[\w.~+/=-]{16,}/g,
  /(?<=:\/\/[^\s:/@]{1,100}:)[A-Za-z0-9._~%+-]{4,200}(?=@)/g,
];
