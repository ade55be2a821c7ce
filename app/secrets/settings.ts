import { z } from 'zod';

/** What a deployment counts as a secret, besides the built-in names and patterns. */
export interface RedactSettings {
  /** Names of members, in any letter case and any way of joining words: `iban` or `cardNumber`. */
  readonly keys: readonly string[];
  /** Patterns of secrets, searched in every text. */
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

/** Gives `apiKey`, `api_key` and `API-Key` one name. */
export function plainName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_');
}

/** Names of members that hold secrets. Only whole words at the end of a name count: `token_count` holds no secret. */
export const SECRET_NAME =
  /(?:^|_)(?:password|passwd|passphrase|passcode|pwd|secret|secret_key|token|api_?key|access_key|private_key|signing_key|credential|credentials|authorization|cookie|pin)$/;

/**
 * Secrets that can be recognised by their form. Each pattern hides only the characters of such a secret, so that a command
 * around it stays visible. Each reads a text in one pass, so that no text stops the process.
 */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /xox[a-z]-[\w-]{8,}/g,
  ...[
    /xapp-\d-[\w-]{8,}/,
    /sk-[A-Za-z0-9_-]{16,}/,
    /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
    /(?:npm|hf|whsec|shp(?:at|ca|pa|ss)|dop_v1)_[A-Za-z0-9]{30,}/,
    /gl(?:pat|[dr]t|ptt|cbt|soat)-[\w-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?/,
    /(?<!\/)(?:GOCSPX-|ya29\.(?:[a-z]\.)?|1\/\/0)[\w-]{25,}/,
    /SG\.[\w-]{22}\.[\w-]{43}/,
  ].map(notWithinAWord),
  /(?<=\bhooks\.slack(?:-gov)?\.com\/services\/\w{1,20}\/\w{1,20}\/)\w{16,}/g,
  /gh[oprsu]_[A-Za-z0-9]{20,}/g,
  /github_pat_\w{20,}/g,
  /A(?:KIA|SIA)[0-9A-Z]{16}/g,
  /AIza[\w-]{30,}/g,
  // Only the first `eyJ` of a word can begin a signed token. Trying each `eyJ` would read the word many times.
  /eyJ(?<=(?<![\w-])(?:(?!eyJ)[\w-])*eyJ)[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g,
  // In a line of JSON the line breaks of a key are written as `\n`. Spaces count only before what reads like a line of a key.
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\r\n]|\\{1,4}[rn]|[ \t]{1,40}(?=[A-Za-z0-9+/=]{32}|[A-Za-z0-9+/=]{0,64}[\s\\rn]{0,60}-----END)){1,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  /(?<=\b[Bb]earer )[\w.~+/=-]{16,}/g,
  // A password as Base64 has digits or changes of case, and the words `basic authentication` have not.
  /(?<=\b[Aa]uthorization[\\"']{0,4}\s{0,3}[:=]\s{0,3}[\\"']{0,4}[Bb]asic )(?=[A-Za-z+/]{0,60}(?:[a-z][A-Z]|[\d=]))[A-Za-z0-9+/]{8,}={0,2}/g,
  /(?<=:\/\/[^\s:/@]{0,100}:)[A-Za-z0-9._~%+-]{4,200}(?=@)/g,
];

/** A `task-` or a `disk-` begins no secret. The end of a `\n`, a `%3D`, a `\u003e` or a colour (`[32m`) belongs to no word. */
function notWithinAWord({ source }: RegExp): RegExp {
  return new RegExp(`(?<!(?<!\\\\|%[\\dA-Fa-f]|\\\\u[\\dA-Fa-f]{3}|\\[[\\d;]{0,10})[A-Za-z0-9])${source}`, 'g');
}
