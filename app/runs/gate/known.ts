import type { RunState } from '../../journal/index.ts';
import type { RunJournal } from '../../recorder/index.ts';

/** The state of a run that is being worked on. Such a run always has a journal. */
export function known(journal: Pick<RunJournal, 'state'>): RunState {
  const state = journal.state();
  if (state === undefined) throw new Error('A run has no journal. This is a fault of the bot: report it.');
  return state;
}
