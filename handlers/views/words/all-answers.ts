import type { DecideAllResult, DecideResult } from '../../../app/approvals/index.ts';
import type { Approval, UserId } from '../../../app/records/index.ts';
import { type Mrkdwn, mention, mrkdwn } from '../kit/blocks.ts';
import { SHOWN } from '../kit/limits.ts';
import { ANSWERS, joinSentences, notRecorded, whoCan } from './answers.ts';
import { count, listed } from './wording.ts';

/** The answer to a press for all rows of a list card: how many it decided, and what became of the others. */
export function truthOfAll(verdict: 'approve' | 'deny', result: DecideAllResult, reader: UserId): Mrkdwn {
  switch (result.type) {
    case 'decided':
      return truthOfRows(verdict, result.results, reader);
    case 'not-offered':
      return mrkdwn`These calls cannot be approved together: one of them needs a closer look. Nothing changed; decide each by itself.`;
    case 'unknown':
      return ANSWERS.unknown;
    case 'failed':
      return notRecorded(result);
  }
}

function truthOfRows(verdict: 'approve' | 'deny', results: readonly DecideResult[], reader: UserId): Mrkdwn {
  const done = results.filter(({ type }) => type === 'decided').length;
  const counted = results.filter(({ type }) => type === 'counted').length;
  return joinSentences(
    ...(done === 0 ? [] : [decided(verdict, done, results.length)]),
    ...(counted === 0
      ? []
      : [mrkdwn`Your yes counts for ${count(counted, 'call')}, and others have to say yes as well.`]),
    ...others(results, reader),
    ...(done + counted === 0 ? [mrkdwn`Nothing changed.`] : []),
  );
}

function decided(verdict: 'approve' | 'deny', done: number, all: number): Mrkdwn {
  const of = done === all ? mrkdwn`${count(done, 'call')}` : mrkdwn`${done} of ${count(all, 'call')}`;
  if (verdict === 'approve') return mrkdwn`You approved ${of}. ${done === 1 ? 'It runs once.' : 'Each runs once.'}`;
  return mrkdwn`You denied ${of}. ${done === 1 ? 'It will not run.' : 'None of them will run.'}`;
}

/** Why the press did not decide the other rows. */
function others(results: readonly DecideResult[], reader: UserId): readonly Mrkdwn[] {
  const before = results.flatMap((one) => (one.type === 'already-decided' ? [one.approval] : []));
  const over = results.filter(({ type }) => type === 'over').length;
  const elsewhere = results.filter(
    ({ type }) => type === 'not-offered' || type === 'unconfirmed' || type === 'unfit' || type === 'unknown',
  ).length;
  const outdated = results.filter(({ type }) => type === 'outdated').length;
  const lost = results.filter(({ type }) => type === 'failed').length;
  return [
    ...(before.length === 0
      ? []
      : [mrkdwn`${were(before.length)} decided before, by ${listed(who(before, reader), 'and')}.`]),
    ...(over === 0 ? [] : [mrkdwn`${were(over)} over before, and did not run.`]),
    ...notTheirs(results),
    ...(elsewhere === 0 ? [] : [mrkdwn`${are(elsewhere)} not offered here, and not changed.`]),
    ...(outdated === 0
      ? []
      : [mrkdwn`${were(outdated)} taken back: the rules or the tool have changed since I asked.`]),
    ...(lost === 0 ? [] : [mrkdwn`${were(lost)} not recorded, as far as I know; pressing again is safe.`]),
  ];
}

/** One sentence for all rows that the same people can decide. */
function notTheirs(results: readonly DecideResult[]): readonly Mrkdwn[] {
  const refused = results.flatMap((one) => (one.type === 'not-yours' ? [one] : []));
  const all = refused.length === results.length;
  const said = new Map<string, (typeof refused)[number][]>();
  for (const one of refused) {
    const { mrkdwn: who } = whoCan(one, one.approval, 'it');
    said.set(who, [...(said.get(who) ?? []), one]);
  }
  return [...said.values()].flatMap((alike) => {
    const [first] = alike;
    const what = all && said.size === 1 ? 'these' : `${alike.length} of them`;
    return first === undefined ? [] : [whoCan(first, first.approval, what)];
  });
}

const were = (number: number): string => `${number} ${number === 1 ? 'was' : 'were'}`;
const are = (number: number): string => `${number} ${number === 1 ? 'is' : 'are'}`;

function who(approvals: readonly Approval[], reader: UserId): readonly Mrkdwn[] {
  const people = approvals.flatMap((one) => ('decision' in one ? [one.decision.by] : []));
  return [...new Set(people)].slice(0, SHOWN.deciders).map((by) => (by === reader ? mrkdwn`you` : mention(by)));
}
