import { unpainted, unpaintedQuestions } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { Cards } from '../questions/index.ts';
import type { RunJournal, WorkspaceJournal } from '../recorder/index.ts';
import type { RunId } from '../records/index.ts';
import { type Store, workspaceOf } from '../store/index.ts';

export interface ReturningDeps {
  readonly store: Pick<Store, 'shards'>;
  readonly workspaces: Pick<WorkspaceJournal, 'latest'>;
  readonly journalOf: (run: RunId) => RunJournal;
  readonly cards: Pick<Cards, 'repaint'>;
  readonly log: Log;
}

/**
 * Called when the app was installed in a workspace: paints the cards of the runs that ended while Slack took nothing for it.
 * These runs owe nothing, so nothing is written, and a painting that fails is not tried again. Never rejects.
 */
export async function comeBack({ store, workspaces, journalOf, cards, log }: ReturningDeps, team: string) {
  const repaint = async (run: RunId) => {
    const journal = journalOf(run);
    const state = await journal.refresh();
    if (state === undefined || state.unheard === false) return;
    const approvals = unpainted(state).map(({ id, list = id }) => list);
    const questions = unpaintedQuestions(state).map(({ id }) => id);
    for (const id of new Set([...approvals, ...questions])) await cards.repaint(journal, id);
  };
  await orLog(log.warn, 'Cards of before this installation may show an older state.', { team }, async () => {
    for (const run of await sealedSinceInstalled(workspaces, workspaceOf(team, store.shards)))
      await orLog(log.warn, 'The cards of a run could not be painted.', { run }, () => repaint(run));
  });
}

/** The runs that came to their end since the installation before this one, newest first. */
async function sealedSinceInstalled(
  { latest }: ReturningDeps['workspaces'],
  workspace: ReturnType<typeof workspaceOf>,
): Promise<ReadonlySet<RunId>> {
  const runs = new Set<RunId>();
  let installed = 0;
  for (const entry of await latest(workspace)) {
    if (entry.type === 'installed') installed += 1;
    if (installed > 1) break;
    if (entry.type === 'run-sealed') runs.add(entry.run);
  }
  return runs;
}
