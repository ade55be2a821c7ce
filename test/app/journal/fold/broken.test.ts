import { expect, it } from 'vitest';
import type { EntryBody } from '../../../../app/journal/facts/entries.ts';
import { approvalId, asked, fold, started, turn, user } from '../../../support/journal.ts';

const denied: EntryBody = { type: 'call-decided', approval: approvalId(), verdict: 'deny', by: user('BEN') };

it.each<[string, readonly EntryBody[]]>([
  ['starts twice', [started, started]],
  [`speaks of approval ${approvalId()}, which was never asked`, [started, denied]],
  [
    'counts a yes after the end',
    [started, turn(1, 'a'), asked(), denied, { type: 'yes-counted', approval: approvalId(), by: user('ANN') }],
  ],
  [`settles approval ${approvalId()} twice`, [started, turn(1, 'a'), asked(), denied, denied]],
  [
    'ends a call that was never started',
    [started, turn(1, 'a'), { type: 'call-finished', call: '1/a', attempt: 't1', ok: true, ms: 5, item: 1 }],
  ],
])('a run whose journal %s was changed from outside, and does not go on (T19)', (what, entries) => {
  expect(() => fold(...entries)).toThrow(`A journal ${what}. It was changed from outside.`);
});
