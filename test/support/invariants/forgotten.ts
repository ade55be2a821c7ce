import type { History, StoredRun, StoredThread } from '../history.ts';
import { entriesOf, isRunning, openQuestions } from '../read-history.ts';
import type { Scheduled } from '../scheduled.ts';
import type { Rule } from './rule.ts';

/** Nothing is left at the end. At every look before, a process was due to come to each unfinished thread. */
export const forgotten: Rule = ({ history, before }) => [
  ...history.inbox.map((key) => `${key} is still in the inbox`),
  ...history.runs
    .filter((run) => isRunning(run) && openQuestions(run).length === 0)
    .map(({ run }) => `${run} has no end and waits for nobody`),
  ...[...before, history].flatMap(leftToNobody),
];

function leftToNobody({ threads, runs }: History): readonly string[] {
  return threads.flatMap((thread) => {
    const run = runs.find((one) => one.run === thread.currentRun);
    if (thread.scheduled === undefined) return [];
    if (run === undefined || !isRunning(run)) return afterTheEnd(thread, thread.scheduled, run);
    return onTheWay(run, thread, thread.scheduled);
  });
}

/** An end is not all: cards are painted, posts are paid and the workspace is told, until the run is sealed. */
function afterTheEnd(
  { thread, inbox }: StoredThread,
  { todo }: Scheduled,
  run: StoredRun | undefined,
): readonly string[] {
  if (todo.has(thread)) return [];
  const isSealed = run === undefined || entriesOf(run, 'sealed').length > 0;
  return [
    ...(inbox.length === 0 ? [] : [`${thread} has messages that no run has heard, and nobody is to look at it`]),
    ...(isSealed ? [] : [`${run?.run} is over and not sealed, and nobody is to look at it`]),
  ];
}

/** A thread whose questions people have in hand is on no list: what is said there is heard when they have answered. */
function onTheWay(run: StoredRun, { thread }: StoredThread, { todo, due }: Scheduled): readonly string[] {
  const open = openQuestions(run);
  const timeless = open.filter((question) => !due.has(`expiry:${question}`));
  return [
    ...timeless.map((question) => `${question} waits for people, and has no time at which that ends`),
    ...(todo.has(thread) || open.length > 0 ? [] : [`${run.run} is not over, and nobody is to go on with it`]),
  ];
}
