import { findBreak } from '../../../app/journal/line/line.ts';
import { BOT, TEAM } from '../../../sandbox/people.ts';
import type { StoredRun } from '../history.ts';
import { endsOf, entriesOf, keyOf } from '../read-history.ts';
import { type Rule, repeated } from './rule.ts';

export const changedMind: Rule = ({ history }) =>
  history.runs.flatMap((run) =>
    entriesOf(run, 'call-asked')
      .filter(({ approval }) => endsOf(run, approval).length > 1)
      .map(({ approval }) => `${approval} has more than one final state`),
  );

export const lostWords: Rule = ({ history, late = [] }) => {
  const inJournals = history.runs.flatMap((run) => entriesOf(run, 'person-said').map(({ key }) => key));
  const written = history.messages
    .filter(({ user }) => user !== BOT)
    .map(({ channel, ts }) => `m/${TEAM}/${channel}/${ts}`);
  const isWish = (key: string) =>
    history.messages.some(({ ts, text }) => key.endsWith(ts) && /> (stop|try again|untrust \w+)$/.test(text));
  // A stop of what was set aside before it became a run leaves what was said above it, and the thread is told.
  const left = history.messages.findLast((message) => keyOf(message)?.startsWith('abandoned/'))?.ts ?? '0';
  const isLeft = (key: string) => Number(key.split('/').at(-1)) < Number(left);
  return [
    ...repeated(inJournals).map((key) => `${key} is in a journal twice`),
    ...written
      .filter((key) => !inJournals.includes(key) && !isWish(key) && !isLeft(key))
      .map((key) => `${key} is in no journal`),
    ...history.runs.flatMap((run) => outOfOrder(run, late)),
  ];
};

/**
 * What waited together is heard in the order in which it was written. What was delivered after later messages had been
 * heard comes behind them: a journal is not rewritten. A button and a form have no time of Slack's.
 */
function outOfOrder(run: StoredRun, late: readonly string[]): readonly string[] {
  const said = entriesOf(run, 'person-said').filter(({ key }) => /\/[\d.]+$/.test(key));
  const inTime = said.filter(({ key }) => !late.includes(key));
  const together = said.map(({ atMs }) => said.filter((one) => one.atMs === atMs));
  return [inTime, ...together].some((messages) => !isSorted(messages.map(({ key }) => key)))
    ? [`the messages of ${run.run} are out of order`]
    : [];
}

const isSorted = (keys: readonly string[]): boolean => keys.join() === keys.toSorted().join();

export const rewritten: Rule = ({ history, before }) => [
  ...before.flatMap((earlier) =>
    earlier.runs.flatMap(({ run, lines }) => {
      const now = history.runs.find((candidate) => candidate.run === run)?.lines ?? [];
      return lines.every((line, at) => line === now[at]) ? [] : [`${run} is not what it was, and more`];
    }),
  ),
  ...history.runs.flatMap(({ run, lines }) =>
    findBreak(lines) === undefined ? [] : [`the chain of ${run} is broken at ${findBreak(lines)}`],
  ),
];

export const askedAgain: Rule = ({ history, cutTurns }) => {
  const turns = history.runs.flatMap((run) => entriesOf(run, 'turn-answered').map(({ turn }) => `${run.run}/${turn}`));
  const more = history.modelRequests - turns.length;
  return [
    ...repeated(turns).map((turn) => `${turn} was answered twice`),
    ...(more >= 0 && more <= cutTurns
      ? []
      : [`${history.modelRequests} requests to the model for ${turns.length} turns`]),
  ];
};
