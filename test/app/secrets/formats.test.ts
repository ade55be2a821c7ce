import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import { createScrubber } from '../../../app/secrets/scrubber.ts';

const redaction = createRedaction({ settings: { keys: [], patterns: [] }, key: Buffer.from('k') });
const some = (chars: number): string => 'a1B2c3D4e5'.repeat(chars).slice(0, chars);
/** A body of a key, with what its lines are joined by in place of a line break. */
const key = (join: string): string =>
  ['-----BEGIN RSA PRIVATE KEY-----', some(64), some(20), '-----END RSA PRIVATE KEY-----'].join(join);

/** Each text before a secret, the secret, and the text behind it. Written in parts, so that no scanner takes one for real. */
const SECRETS: readonly (readonly [string, string, string, string?])[] = [
  ['a live key of Stripe', '', `sk_${'live'}_${some(24)}`],
  ['a restricted key of Stripe', '', `rk_${'test'}_${some(24)}`],
  ['a secret of a webhook', '', `whsec_${some(32)}`],
  ['a token of npm', '', `npm_${some(36)}`],
  ['a token of Hugging Face', '', `hf_${some(34)}`],
  ['a token of Shopify', '', `shpat_${some(32)}`],
  ['a token of DigitalOcean', '', `dop_v1_${some(64)}`],
  ['a token of GitLab', '', `glpat-${some(20)}`],
  ['a routable token of GitLab', '', `glpat-${some(27)}.01.0a1b2c3d4`],
  ['a token of a GitLab runner', '', `glrt-${some(20)}`],
  ['a key of Google', '', `AIza${some(35)}`],
  ['an access token of Google', '', `ya29.a0${some(60)}`],
  ['a refresh token of Google', '', `1//0${some(60)}`],
  ['a client secret of Google', '', `GOCSPX-${some(28)}`],
  ['a key of SendGrid', '', `SG.${some(22)}.${some(43)}`],
  ['an app-level token of Slack', '', `xapp-1-A0${some(9)}-1234567890-${some(64)}`],
  ['the end of a Slack webhook', 'https://hooks.slack.com/services/T00000000/B00000000/', some(24)],
  ['a key of OpenAI', 'KEY=', `sk-proj-${some(40)}`],
  ['a key of OpenAI behind an escaped line break', 'keys:\\n', `sk-proj-${some(40)}`],
  ['a key behind an encoded sign of an address', 'token%3D', `sk-proj-${some(40)}`],
  ['a key behind an encoded blank', 'Bearer%20', `sk-ant-api03-${some(40)}`],
  ['a key behind a sign that JSON writes out', '\\u003ckey\\u003e', `sk-proj-${some(40)}`],
  ['a key in a colour of a terminal', '\u001b[1;32m', `sk-proj-${some(40)}`],
  ['a token in a colour that JSON writes out', '\\u001b[32m', `glpat-${some(20)}`],
  ['a private key in one line', '', key(' ')],
  ['a private key that is indented, as in YAML', 'tls.key: |\n    ', key('\n    ')],
  ['a private key with escaped line breaks', '', key('\\n')],
  ['a private key of PGP', '', key('\n').replaceAll('RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
  ['a JSON web token', '', `eyJ${some(20)}.eyJ${some(20)}.${some(43)}`],
  ['a password in a header', "curl -H 'Authorization: Basic ", 'dXNlcjpwYXNz', "'"],
  ['a password in a header of JSON', '"authorization":"basic ', 'dXNlcjpwYXNzd29yZA==', '"'],
];

describe('a secret of a well-known form (T16)', () => {
  it.each(SECRETS)(
    'is hidden in a text and in a log, and the text around it is shown: %s',
    (_what, before = '', secret = '', after = '') => {
      const [shown] = /\[hidden [^\]]+\]/.exec(redaction.text(`use ${before}${secret}${after} now`)) ?? [];

      expect(shown).toContain(`: ${secret.length} characters, `);
      expect(redaction.text(`use ${before}${secret}${after} now`)).toBe(`use ${before}${shown}${after} now`);
      expect(createScrubber().scrub(`use ${before}${secret}${after} now`)).not.toContain(secret.slice(-10));
    },
  );

  it.each([
    'task-management-system-v2',
    'desk-worker-deployment-7d4f8',
    'linuxapp-frontend-deployment',
    'fluxapp-1-frontend-deployment',
    'glrt-detector-of-signals',
    'npm_config_registry_of_the_company',
    'npm_lifecycle_script',
    'hf_transformers_and_their_embeddings',
    'pk_live and sk_test_mode',
    'Authorization: basic auth',
    'Authorization: Basic authentication is required',
    'basic internationalization',
    'glossary-of-all-our-terms',
    'SG.payments.production',
    'https://hooks.slack.com/services/',
    'https://host/1//0/index.html',
    'the header -----BEGIN PRIVATE KEY----- reboot the host with internationalization',
  ])('is none of the ordinary words %s', (text) => {
    expect(redaction.text(text)).toBe(text);
  });
});

it('a text of a million characters that almost are secrets is searched in one pass (T20)', () => {
  const whole = SECRETS.map(([, before, secret]) => `${before}${secret}`);
  const begun = whole.flatMap((text) => [text.slice(0, 3), text.slice(0, 12)]);
  const endless = whole.map((text) => text.slice(0, -1) + 'a'.repeat(500_000));

  for (const text of [...begun.map((half) => half.repeat(1_000_000 / half.length)), ...endless])
    expect(redaction.text(text)).not.toBe('');
}, 60_000); // One pass through all of them takes a second or two, and one from each beginning of a secret takes hours.
