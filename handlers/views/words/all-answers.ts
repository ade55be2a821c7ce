import type { DecideAllResult, DecideResult } from '../../../app/approvals/index.ts';
import type { Approval } from '../../../app/records/index.ts';
import { type Mrkdwn, mention, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { cutMiddle } from '../kit/text.ts';
import { ANSWERS, joinSentences, notRecorded } from './answers.ts';
import { count, listed } from './wording.ts';

/** The answer to a press for all rows of a list card: how many it decided, and what became of the others. */
export function truthOfAll(verdict: 'approve' | 'deny', result: DecideAllResult): Mrkdwn {
  switch (result.type) {
    case 'decided':
      return joinSentences(decided(verdict, result.results), ...others(result.results));
    case 'not-offered':
      return mrkdwn`These calls cannot be approved together: one of them needs a closer look. Nothing has changed; decide each by itself.`;
    case 'unknown':
      return ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
  }
}

function decided(verdict: 'approve' | 'deny', results: readonly DecideResult[]): Mrkdwn {
  const done = results.filter(({ type }) => type === 'decided').length;
  if (done === 0) return mrkdwn`Your press changed nothing.`;
  const of =
    done === results.length ? mrkdwn`${count(done, 'call')}` : mrkdwn`${done} of ${count(results.length, 'call')}`;
  const each =
    verdict === 'approve'
      ? done === 1
        ? 'It runs once.'
        : 'Each runs once.'
      : done === 1
        ? 'It will not run.'
        : 'None of them will run.';
  return mrkdwn`You ${verdict === 'approve' ? 'approved' : 'denied'} ${of}. ${each}`;
}

/** Why the press did not decide the other rows. */
function others(results: readonly DecideResult[]): readonly Mrkdwn[] {
  const before = results.flatMap((one) => (one.type === 'already-decided' ? [one.approval] : []));
  const over = results.filter(({ type }) => type === 'over').length;
  const notTheirs = results.flatMap((one) => (one.type === 'not-yours' ? [one.why] : []));
  const elsewhere = results.filter(
    ({ type }) => type === 'not-offered' || type === 'unconfirmed' || type === 'unfit' || type === 'unknown',
  ).length;
  const outdated = results.filter(({ type }) => type === 'outdated').length;
  const lost = results.filter(({ type }) => type === 'failed').length;
  return [
    ...(before.length === 0 ? [] : [mrkdwn`${were(before.length)} decided before, by ${listed(who(before), 'and')}.`]),
    ...(over === 0 ? [] : [mrkdwn`${were(over)} over before, and did not run.`]),
    ...(notTheirs.length === 0
      ? []
      : [mrkdwn`${are(notTheirs.length)} not yours to decide: ${cutMiddle(notTheirs[0] ?? '', SHOWN.noteChars)}`]),
    ...(elsewhere === 0 ? [] : [mrkdwn`${are(elsewhere)} not offered here, and not changed.`]),
    ...(outdated === 0
      ? []
      : [mrkdwn`${were(outdated)} taken back: the rules or the tool have changed since it was asked.`]),
    ...(lost === 0 ? [] : [mrkdwn`${were(lost)} not recorded; pressing again is safe.`]),
  ];
}

const were = (number: number): string => `${number} ${number === 1 ? 'was' : 'were'}`;
const are = (number: number): string => `${number} ${number === 1 ? 'is' : 'are'}`;

function who(approvals: readonly Approval[]): readonly Mrkdwn[] {
  const people = approvals.flatMap((one) => ('decision' in one ? [one.decision.by] : []));
  return [...new Set(people)].slice(0, SHOWN.deciders).map(mention);
}
