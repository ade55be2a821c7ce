import { expect, it } from 'vitest';
import type { BodyOf, EntryBody } from '../../../../app/journal/facts/entries.ts';
import { brokenPromises } from '../../../../app/keeping/audit/promises.ts';
import type { ApprovalId, QuestionEntryOf } from '../../../../app/records/index.ts';
import { approvalId, asked, grantId, HOUR_MS, OWN_RULE, started, turn, user } from '../../../support/journal.ts';

const over: EntryBody = { type: 'run-finished' };
const about = (call: string, approval = approvalId(), digest = 'd1') => asked({ call, approval, digest });
const decided = (verdict: 'approve' | 'trust' | 'deny', more: Partial<BodyOf<'call-decided'>> = {}): EntryBody => ({
  type: 'call-decided',
  approval: approvalId(),
  verdict,
  by: user('BEN'),
  ...more,
});
const withdrawn: EntryBody = { type: 'call-cancelled', approval: approvalId(), cause: 'It is late.' };
const counted: EntryBody = { type: 'yes-counted', approval: approvalId(), by: user('BEN') };
const voided: EntryBody = { type: 'rules-changed', approval: approvalId() };
const edit = { input: { text: '{}' }, digest: 'd2', summary: 'Deploy less.' } as const;

const begun = (more: Partial<BodyOf<'call-started'>> = {}): EntryBody => ({
  type: 'call-started',
  call: '1/a',
  attempt: 't1',
  tool: 'deploy',
  digest: 'd1',
  grant: { type: 'approval', approval: approvalId() },
  ...more,
});
const open = (more: Partial<BodyOf<'call-started'>> = {}) => begun({ grant: { type: 'open' }, ...more });
const trusted = begun({ grant: { type: 'trust', grant: grantId() } });
const finished = (attempt = 't1'): EntryBody => ({
  type: 'call-finished',
  call: '1/a',
  attempt,
  ok: true,
  ms: 5,
  item: 1,
});
const unknown: EntryBody = { type: 'call-unknown', call: '1/a', attempt: 't1' };
const doubted = (doubt: ApprovalId = approvalId(8)): EntryBody => ({
  type: 'doubt-asked',
  doubt,
  call: '1/a',
  tool: 'deploy',
  summary: 'Deploy.',
  digest: 'd1',
  effect: 'asked',
  rule: OWN_RULE,
  expiresAtMs: HOUR_MS,
});
const settled = (how: 'happened' | 'skip' | 'retry', more: Partial<QuestionEntryOf<'doubt', 'settled'>> = {}) =>
  ({ type: 'doubt-settled', doubt: approvalId(8), how, by: user('BEN'), ...more }) satisfies EntryBody;
const inquired = (inquiry: ApprovalId = approvalId(9)): EntryBody => ({
  type: 'inquiry-asked',
  inquiry,
  call: '1/a',
  server: 'files',
  tool: 'deploy',
  message: 'Where to?',
  schema: '{}',
  expiresAtMs: HOUR_MS,
});
const answered = (how: 'answered' | 'declined' | 'withdrawn' | 'expired', by?: string): EntryBody => ({
  type: 'inquiry-settled',
  inquiry: approvalId(9),
  how,
  ...(by === undefined ? {} : { by: user(by) }),
});

const broken = (story: readonly EntryBody[]) =>
  brokenPromises([started, turn(1, 'a', 'b'), ...story]).map(({ position, says }) => `${position - 2} ${says}`);

it.each<[string, readonly EntryBody[]]>([
  ['its approver edited and trusted', [about('1/a'), decided('trust', { edit }), begun({ digest: 'd2' }), finished()]],
  ['was asked about again under new rules', [about('1/a'), withdrawn, about('1/a', approvalId(2))]],
  ['runs on a trust while another was denied', [about('1/b'), decided('deny'), trusted, finished(), over]],
  ['is free and ended late', [open(), unknown, finished()]],
  ['repeats after an unknown end', [open(), unknown, open({ attempt: 't2', repeats: true }), finished('t2')]],
  ['a person replaced', [open(), unknown, doubted(), settled('retry', { retry: '1/a/2' }), open({ call: '1/a/2' })]],
  ['whose server got an answer', [open(), inquired(), answered('answered', 'ANN'), finished()]],
  ['whose server no longer waits', [open(), inquired(), answered('withdrawn'), finished()]],
  ['whose server got no answer in time', [open(), inquired(), answered('expired'), finished()]],
])('the audit finds nothing wrong with a call that %s (T19)', (_what, story) => {
  expect(broken(story)).toEqual([]);
});

it.each<[string, readonly EntryBody[]]>([
  // About questions
  ['asks about call 1/a after the run was over', [over, about('1/a')]],
  [`asks approval ${approvalId()} a second time`, [about('1/a'), about('1/b')]],
  ['asks about call 1/a, which has been started', [open(), about('1/a')]],
  [`settles approval ${approvalId()}, which was never asked`, [decided('deny', { edit })]],
  [`settles approval ${approvalId()} a second time`, [about('1/a'), decided('deny'), withdrawn]],
  [`counts yeses of approval ${approvalId()}, which is not open`, [about('1/a'), decided('deny'), counted]],
  [`voids approval ${approvalId()}, which has no yes`, [about('1/a'), voided]],
  [`voids approval ${approvalId()} after its call was started`, [about('1/a'), decided('approve'), begun(), voided]],
  // About starts
  ['starts call 1/a after the run was over', [over, open()]],
  ['starts call 1/a a second time', [open(), open({ attempt: 't2' })]],
  ['starts call 1/a a second time', [open(), unknown, open({ digest: 'd2', repeats: true })]],
  ['starts call 1/a a second time', [open(), unknown, open({ tool: 'delete', repeats: true })]],
  ['starts call 1/a a second time', [open(), unknown, begun({ repeats: true })]],
  ['starts call 1/a without the yes that people were asked for', [about('1/a'), withdrawn, open()]],
  ['starts call 1/a without the yes that people were asked for', [about('1/a'), trusted]],
  ['starts call 1/a without a yes', [about('1/a'), decided('deny'), begun()]],
  ['starts call 1/a without a yes', [about('1/a'), decided('approve'), voided, begun()]],
  [
    'starts call 1/a though the world was not as it was shown',
    [about('1/a'), decided('approve'), begun({ precondition: 'p' })],
  ],
  ['starts call 1/b with something else than was shown', [about('1/a'), decided('approve'), begun({ call: '1/b' })]],
  ['starts call 1/a with something else than was shown', [about('1/a'), decided('approve'), begun({ tool: 'delete' })]],
  ['starts call 1/a with something else than was shown', [about('1/a'), decided('approve', { edit }), begun()]],
  // About ends
  ['ends call 1/a, which this attempt has not started', [open(), finished('t2')]],
  ['ends call 1/a a second time', [open(), finished(), unknown]],
  ['ends call 1/a a second time', [open(), unknown, unknown]],
  ['ends call 1/a a second time', [open(), unknown, doubted(), settled('happened'), finished()]],
  ['ends the run a second time', [over, { type: 'run-stopped', cause: 'It is late.' }]],
  // About questions of begun calls
  ['asks how call 1/a ended, which is known', [open(), finished(), doubted()]],
  ['asks for call 1/a, which does not run', [open(), unknown, inquired()]],
  ['asks for call 1/a, which does not run', [open(), over, inquired()]],
  [`asks inquiry ${approvalId(9)} a second time`, [open(), inquired(), inquired()]],
  [`settles doubt ${approvalId(8)}, which was never asked`, [open(), unknown, settled('skip')]],
  [`settles doubt ${approvalId(8)} a second time`, [open(), unknown, doubted(), settled('skip'), settled('skip')]],
  [`takes an answer to ${approvalId(9)} that is not from the requester`, [open(), inquired(), answered('declined')]],
  [
    'says what became of call 1/a, which no person chose',
    [open(), unknown, doubted(), settled('retry', { by: undefined })],
  ],
  ['puts another call in the place of 1/a unasked', [open(), unknown, doubted(), settled('skip', { retry: '1/b' })]],
  ['puts another call in the place of 1/a unasked', [open(), unknown, doubted(), settled('retry')]],
  [
    'puts 1/b in the place of 1/a, and that has run',
    [open(), open({ call: '1/b' }), unknown, doubted(), settled('retry', { retry: '1/b' })],
  ],
])('the audit names an entry that %s (D1, T19)', (says, story) => {
  expect(broken(story)).toEqual([`${story.length - 1} ${says}`]);
});
