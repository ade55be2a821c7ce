import { Reminder, threadKey } from '../../records/index.ts';
import type { DueItem, RunRemains } from '../../store/index.ts';
import type { RunState } from '../fold/state.ts';
import { listsOf, unheardLists } from './effects.ts';

/** All that the store keeps of a run besides its journal and its items, so that its removal is complete. */
export function remainsOf(state: RunState): RunRemains {
  const { run, thread, version } = state;
  const ids = [...state.approvals.keys(), ...state.questions.keys()];
  const lists = new Set([...state.approvals.values()].flatMap(({ list }) => list ?? []));
  const times = ids.flatMap((subject) =>
    (['expiry', ...Reminder.options] as const).map((what): DueItem => ({ what, subject })),
  );
  return {
    run,
    version,
    thread: threadKey(thread),
    approvals: [...ids, ...lists],
    due: [{ what: 'retention', subject: run }, ...times],
    members: [
      ...[...state.approvals.keys()].flatMap((id) => listsOf(state, id).map((index) => ({ index, member: id }))),
      ...unheardLists(state).map((index) => ({ index, member: run })),
    ],
  };
}
