import { entriesOf } from './journal.ts';
import type { Step, World } from './world.ts';

/** The promises that this step breaks, one sentence each. */
export function whatIsBroken({ world, broken }: Step): readonly string[] {
  const entry = world.journal.entry;
  const usurped =
    (entry.type === 'call-decided' || entry.type === 'doubt-settled') && entry.by?.startsWith('stranger') === true
      ? [`${entry.by} decided, and may not.`]
      : [];
  return [
    ...(broken === undefined ? [] : [broken]),
    ...world.journal.broken,
    ...usurped,
    ...tooFew(world),
    ...toldWrongly(world),
  ];
}

/** Counts different people from the entries themselves, without those whose yes was dropped. */
function tooFew({ journal }: World): readonly string[] {
  const { entry } = journal;
  if (entry.type !== 'call-decided' || entry.verdict !== 'approve') return [];
  const givers = new Set<string>();
  for (const one of entriesOf(journal)) {
    if (one.type === 'yes-counted' && one.approval === entry.approval) givers.add(one.by);
    if (one.type === 'yes-dropped' && one.approval === entry.approval) givers.delete(one.by);
  }
  givers.add(entry.by);
  const { quorum = 1 } = journal.state.approvals.get(entry.approval)?.rule ?? {};
  return givers.size < quorum ? [`${givers.size} of ${quorum} people have said yes, and it counts as decided.`] : [];
}

/** A process itself tells the model only of calls that do not run. What became of a begun call, people say. */
function toldWrongly({ journal: { entry, before } }: World): readonly string[] {
  if (entry.type !== 'call-answered' || !entry.id.startsWith('R')) return [];
  const begun = before?.state.calls.get(entry.call)?.execution.type !== 'none';
  return begun ? [`The model is told that call ${entry.call} does not run, and it was begun.`] : [];
}

/**
 * Nothing may be left over where no step is possible any more: the run is over or waits for a person, each started call
 * has an end, a call that was not allowed did not run and the model knows, and no replica waits for an answer.
 */
export function whatIsForgotten({ journal, ran, actors }: World): readonly string[] {
  const { state } = journal;
  const questions = [...state.approvals.values(), ...state.questions.values()];
  const waits = questions.some(({ standing }) => standing.status === 'pending');
  const entries = entriesOf(journal);
  const told = [...state.calls].flatMap(([call, { execution, answer, retriedAs }]) => [
    ...(execution.type === 'started'
      ? [`Call ${call} was started, and the journal never says what became of it.`]
      : []),
    ...(state.status.type === 'finished' && answer === undefined && retriedAs === undefined
      ? [`The model never heard of call ${call}.`]
      : []),
    ...(execution.type === 'unknown' && !entries.some((entry) => entry.type === 'call-started' && entry.call === call)
      ? [`Call ${call} is unknown, and was never started.`]
      : []),
    ...(execution.type === 'none' && ran.some((one) => one.call === call) ? [`Call ${call} ran without a word.`] : []),
  ]);
  const stuck = actors.filter(({ sent }) => sent !== undefined).map(({ name }) => `${name} waits for ever.`);
  const over = state.status.type !== 'running' || waits ? [] : ['The run never ends, and waits for no person.'];
  return [...told, ...stuck, ...over];
}
