import { breaking, type Sabotage } from './breaking.ts';

const FILES = 'handlers/thread/files.ts';
const PINS = 'app/tools/mcp/pins.ts';
const CAPS = 'app/authority/caps-config.ts';

export const OF_EDGES: readonly Sabotage[] = [
  ...breaking(
    'The bot’s token goes to no address but those of files that Slack hosts',
    [
      'any path at the origin of the API counts',
      FILES,
      'return url.origin === URL.parse(slackApiUrl)?.origin && /^\\/files-(?:pri|tmb)\\//.test(url.pathname);',
      'return url.origin === URL.parse(slackApiUrl)?.origin;',
    ],
    ['a path of the API counts', FILES, " || url.password !== '' || namesApi(url)", " || url.password !== ''"],
    [
      'an external file counts',
      'handlers/payloads/message-files.ts',
      "return (mode === 'hosted' || mode === 'snippet') && is_external !== true;",
      'return mode !== is_external;',
    ],
    ['a redirect is followed', FILES, "redirect: 'manual'", "redirect: 'follow'"],
  ),
  ...breaking(
    'A tool that its server changed is guarded on every replica, until an operator allows it',
    [
      'a changed tool counts as pinned',
      PINS,
      "const standing = pin.allowed.hash === hash ? 'as-pinned' : 'changed';",
      "const standing = 'as-pinned';",
    ],
    ['what was seen last counts as allowed', PINS, 'allowed: before.allowed, changes', 'allowed, changes'],
  ),
  ...breaking(
    'Behind a sign-on, the page for decisions is open to the proxy alone',
    [
      'the port is open to other machines',
      'app/config/second-factor.ts',
      "return host ?? (signOn === undefined ? undefined : '127.0.0.1');",
      'return host;',
    ],
    [
      'the secret of the sign-on is not compared',
      'handlers/web/door.ts',
      'const isFromSignOn = signOn.secret === undefined || equal(headerOf(request, SECRET_HEADER), signOn.secret);',
      'const isFromSignOn = true;',
    ],
  ),
  ...breaking(
    'No run calls tools, asks people or uses the model without an end',
    ['calls have no cap', CAPS, 'calls: whole.default(LIMITS.callsPerRun)', 'calls: whole.optional()'],
    ['questions have no cap', CAPS, 'cards: whole.default(LIMITS.cardsPerRun)', 'cards: whole.optional()'],
    ['tokens have no cap', CAPS, 'tokens: whole.default(LIMITS.tokensPerRun)', 'tokens: whole.optional()'],
  ),
  ...breaking('A word with letters of several scripts is named where people decide', [
    'it is named nowhere',
    'handlers/views/card/call.ts',
    'mixed === undefined ? []',
    'mixed !== null ? []',
  ]),
];
