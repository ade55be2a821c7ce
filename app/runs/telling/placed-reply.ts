import type { BodyOf, RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { AtStep } from '../../step.ts';
import { ifNotRefused, type Surface } from '../../surface.ts';

/** Later than this, a process that takes the run over may have looked for the reply already. */
const LONGEST_STILL_MS = LIMITS.postPatienceMs / 2;

export interface PlaceDeps {
  readonly surface: Pick<Surface, 'beginReply' | 'dropReply'>;
  /** The process that writes. */
  readonly by: string;
  readonly step: AtStep;
}

/**
 * Posts an empty reply into the thread for people to read along. The journal gets the intent before and the place
 * after. `undefined` when no reply stands there; `giveUp` is called when none can be posted now.
 */
export async function placeReply(
  { surface, by, step }: PlaceDeps,
  journal: RunJournal,
  giveUp: () => void,
): Promise<CardReceipt | undefined> {
  const state = journal.state();
  const beganMs = journal.nowMs();
  if (state === undefined || !(await begin(journal, state, by))) return undefined;
  await step('reply-begun');
  const stoodStill = journal.nowMs() - beganMs >= LONGEST_STILL_MS;
  const opened = stoodStill ? undefined : await surface.beginReply(state.thread, state.requester);
  if (opened === undefined) {
    giveUp();
    await write(journal, { type: 'reply-dropped' }, { card: undefined, by });
    return undefined;
  }
  await step('reply-opened');
  if (!(await write(journal, { type: 'reply-begun', card: opened, by }, { card: undefined, by }))) {
    // Another process went on with the run and found no reply to delete, so this one deletes its reply.
    giveUp();
    await surface.dropReply(state.thread, opened);
    return undefined;
  }
  await step('reply-placed');
  return opened;
}

/** `false` when the run has moved on, or another process writes. */
async function begin(journal: RunJournal, before: RunState, by: string): Promise<boolean> {
  const committed = await journal.commit((state, nowMs) => {
    const free = state?.status.type === 'running' && state.turns === before.turns && state.writing === undefined;
    if (!free) return { entries: [], result: false };
    return { entries: [{ type: 'reply-begun', by }], result: true, notAfterMs: nowMs + LONGEST_STILL_MS };
  });
  return committed === true;
}

/** Deletes an unfinished reply. Rejects when it may still stand in the thread: deleting it stays owed. */
export async function dropWriting(surface: Pick<Surface, 'dropReply'>, journal: RunJournal): Promise<void> {
  const state = journal.state();
  if (state?.writing === undefined) return;
  // The error tells the caller whether a later try makes sense.
  await surface.dropReply(state.thread, state.writing.card).catch((error: unknown) => {
    throw ifNotRefused(error);
  });
  await write(journal, { type: 'reply-dropped' }, state.writing);
}

type Written = BodyOf<'reply-begun' | 'reply-dropped'>;

/** Writes only about this reply. `false` when another process has begun a reply of its own meanwhile. */
async function write(journal: RunJournal, entry: Written, meant: NonNullable<RunState['writing']>): Promise<boolean> {
  const committed = await journal.commit((now) => {
    const same =
      now?.writing?.by === meant.by && now?.writing?.card?.ts === meant.card?.ts && now?.writing !== undefined;
    return { entries: same ? [entry] : [], result: same };
  });
  return committed === true;
}
