import { configured, KEY, type Trouble, toolNamed } from './trouble.ts';

const SEARCH = toolNamed('web_search');
const CLOCK = toolNamed('current_time');

const policed = (tool: string, policy: string): readonly string[] => ['policy: {', `  ${tool}: { ${policy} },`, '},'];
const MANY_PEOPLE = Array.from({ length: 201 }, (_, at) => `'U0MANY${at}'`).join();

const SECOND_FACTOR = policed('current_time', "effect: 'guarded', approvers: ['U0BEN00001'], secondFactor: true");
const SIGN_ON = (person: string): readonly string[] => [
  "  header: 'x-forwarded-email',",
  `  people: { 'one@example.com': '${person}' },`,
];

/** Of what a deployment writes about itself. */
export const CONFIGURATION: readonly Trouble[] = [
  { what: 'the file is missing', env: { COUNTERSIGN_CONFIG: 'gone.ts' } },
  {
    what: 'the file is a folder',
    files: { 'bot/countersign.config.ts': 'export default {};\n' },
    env: { COUNTERSIGN_CONFIG: 'bot' },
  },
  {
    what: 'a syntax error',
    ofProcess: true,
    files: { 'countersign.config.ts': 'export default {\n  limits: {,\n};\n' },
  },
  { what: 'no default export', files: { 'countersign.config.ts': 'export const config = {};\n' } },
  configured('an unknown word', 'toolz: [],'),
  configured('unknown words of a section', 'times: {', '  hotMS: 1,', '  coldMS: 1,', '},'),
  { what: 'no object', files: { 'countersign.config.ts': 'export default [];\n' } },
  configured('a bad value', 'times: {', '  hotMs: -1,', '},'),
  configured('workspaces by name', "workspaces: ['acme'],"),
  configured('a tool that there is not', 'policy: {', "  restart: { effect: 'asked' },", '},'),
  configured('an approver by name', 'policy: {', "  current_time: { approvers: ['@ben'] },", '},'),
  configured('a guarded tool that no person may approve', 'policy: {', "  current_time: { effect: 'guarded' },", '},'),
  configured('an open tool without a reason', 'policy: {', "  fetch_page: { effect: 'open' },", '},'),
  configured(
    'a reminder behind the end of its question',
    'policy: {',
    '  fetch_page: { expireAfterMs: 60_000, remindAfterMs: 60_000 },',
    '},',
  ),
  configured(
    'a rule that no person could approve',
    'rules: [',
    "  { name: 'At night', tool: 'current_time', effect: 'guard' },",
    '],',
  ),
  configured('a rule for no tool', 'rules: [', "  { name: 'At night', tool: 'restart', effect: 'guard' },", '],'),
  configured(
    'two rules of one name',
    'rules: [',
    ...["  { name: 'Never', tool: 'fetch_page', effect: 'deny' },", "  { name: 'Never', effect: 'deny' },", '],'],
  ),
  configured(
    'a rule that lets a guarded tool through',
    'policy: {',
    ...["  fetch_page: { effect: 'guarded', approvers: ['U0BEN00001'] },", '},'],
    ...['rules: [', "  { name: 'Freely', tool: 'fetch_page', effect: 'allow', because: 'We want it.' },", '],'],
  ),
  configured(
    'a rule that only one requester could approve',
    'rules: [',
    "  { name: 'Ben', tool: 'fetch_page', requester: 'U0BEN00001', effect: 'guard', approvers: ['U0BEN00001'] },",
    '],',
  ),
  configured('a question to a person as guarded', ...policed('ask_person', "effect: 'guarded'")),
  configured(
    'people for an open tool',
    ...policed('fetch_page', "effect: 'open', because: 'We read.', approvers: ['U0BEN00001']"),
  ),
  configured(
    'trust in a guarded tool',
    ...policed(
      'fetch_page',
      "effect: 'guarded', approvers: ['U0BEN00001'], trust: { match: 'any', scope: 'thread', forMs: 1 }",
    ),
  ),
  configured(
    'trust in a field that the tool does not have',
    ...policed('fetch_page', "trust: { match: 'fields', fields: ['ulr'], scope: 'thread', forMs: 1_000 }"),
  ),
  configured('a second factor for a tool that is asked', ...policed('fetch_page', 'secondFactor: true')),
  configured(
    'stages beside approvers',
    ...policed('fetch_page', "approvers: ['U0BEN00001'], stages: [{ approvers: ['U0ANN00001'] }]"),
  ),
  configured('several people, and none is named', ...policed('fetch_page', 'quorum: 2')),
  configured('a requester who may not decide alone', ...policed('fetch_page', 'selfApproval: false')),
  configured('too many people', ...policed('fetch_page', `approvers: [${MANY_PEOPLE}]`)),
  configured('a call for help to no person', ...policed('fetch_page', 'expireAfterMs: 60_000, escalateAfterMs: 1_000')),
  configured('a cap for no tool', 'limits: {', '  perTool: { restart: { calls: 1 } },', '},'),
  configured('a cap in money without prices', 'limits: {', '  perRun: { cost: 1 },', '},'),
  configured('two searches', "model: { webSearch: { because: 'We read the news.' } },", 'tools: [', ...SEARCH, '],'),
  configured('two tools of one name', 'tools: [', ...CLOCK, '],'),
  configured('a run that is removed too soon', "retention: { afterMs: 1_000, folder: 'archive' },"),
  configured('a second factor without a page', ...SECOND_FACTOR),
  {
    ...configured('a second factor on an open line', ...SECOND_FACTOR, 'signOn: {', ...SIGN_ON('U0BEN00001'), '},'),
    env: { PUBLIC_URL: 'http://bot.example.com', PORT: '3000', DATA_KEY: KEY },
  },
  {
    ...configured(
      'a second factor for people without one',
      ...SECOND_FACTOR,
      'signOn: {',
      ...SIGN_ON('U0ANN00001'),
      '},',
    ),
    env: { PUBLIC_URL: 'https://bot.example.com', PORT: '3000', DATA_KEY: KEY },
  },
  { what: 'an address to listen on without a port', env: { HOST: '127.0.0.1' } },
  { what: 'a secret of a sign-on that there is not', env: { SIGN_ON_SECRET: 'a long random text' } },
  configured(
    'an approver whom Slack does not know',
    'policy: {',
    "  current_time: { effect: 'guarded', approvers: ['U0GONE0001'] },",
    '},',
  ),
];
