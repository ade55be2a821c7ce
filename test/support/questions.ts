import type { EntryBody } from '../../app/journal/facts/entries.ts';
import { approvalId, asked, HOUR_MS, OWN_RULE, started, turn } from './journal.ts';

const begin = (call: string): EntryBody => ({
  type: 'call-started',
  call,
  attempt: call,
  tool: 'deploy',
  digest: 'd1',
  grant: { type: 'open' },
});

/** One question of each kind, each with an id of its own: an approval, what became of a call, and one of a tool server. */
export const QUESTIONS: readonly EntryBody[] = [
  started,
  turn(1, 'a', 'b', 'c'),
  asked({ approval: approvalId(1) }),
  begin('1/b'),
  { type: 'call-unknown', call: '1/b', attempt: '1/b' },
  {
    type: 'doubt-asked',
    doubt: approvalId(2),
    call: '1/b',
    tool: 'deploy',
    summary: 'Deploy.',
    digest: 'd1',
    effect: 'asked',
    rule: OWN_RULE,
    expiresAtMs: HOUR_MS,
  },
  begin('1/c'),
  {
    type: 'inquiry-asked',
    inquiry: approvalId(3),
    call: '1/c',
    server: 'notes',
    tool: 'notes__ask',
    message: 'Which branch?',
    schema: '{}',
    expiresAtMs: HOUR_MS,
  },
];
