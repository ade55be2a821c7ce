import type { RunState } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { RunId } from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import type { OwnPost, Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { beganAfter } from '../story/left-to-do.ts';
import type { Posts } from './posts.ts';
import { WORDS } from './words.ts';

/** Notices from the thread itself that the store was emptied or set back before this process began. */

export interface ForgottenDeps {
  readonly store: Pick<Store, 'read'>;
  /** How long a run is kept after its end. Absent: for ever. */
  readonly retainMs?: number | undefined;
}

export interface LostRecordDeps extends ForgottenDeps {
  readonly surface: Pick<Surface, 'ownPosts'>;
  /** How long this process has lived. */
  readonly aliveMs: () => number;
  readonly log: Log;
}

/** Tells the thread when it shows more of the bot than the record has. Each thread is searched only where that may be. */
export type TellLostRecord = (journal: RunJournal, posts: Posts) => Promise<void>;

export function createTellLostRecord(deps: LostRecordDeps): TellLostRecord {
  const searched = new Set<RunId>();
  return async (journal, posts) => {
    const state = known(journal);
    if (searched.has(state.run)) return;
    const nowMs = journal.nowMs();
    const isOlder = nowMs - state.startedAtMs > deps.aliveMs();
    const seeks = beginsInOldThread(state) ? sayForgotten : isOlder && asksModelNext(state) ? saySetBack : undefined;
    if (seeks === undefined) return;
    searched.add(state.run);
    // Slack may be away. The run goes on, and the thread is not told.
    const own = await orLog(deps.log.warn, 'A thread could not be searched for what is lost.', { run: state.run }, () =>
      deps.surface.ownPosts(state.thread),
    );
    const said = own === undefined ? undefined : await seeks(deps, state, own, nowMs);
    if (said !== undefined) await posts.mention(said.key, { text: said.text });
  };
}

interface Said {
  readonly key: string;
  readonly text: string;
}

/** No earlier run is on record, and the run begins below a message that stood there before. */
function beginsInOldThread(state: RunState): boolean {
  return state.previous === undefined && state.turns === 0 && beganAfter(state, state.thread.ts);
}

async function sayForgotten(
  deps: LostRecordDeps,
  { run: current }: RunState,
  own: readonly OwnPost[],
  nowMs: number,
): Promise<Said | undefined> {
  const ofOthers = own.filter(({ run }) => run !== current);
  return (await isForgotten(deps, ofOthers, nowMs)) ? { key: 'forgotten', text: WORDS.forgotten } : undefined;
}

/** The posts name a run that is not on record, and that is too young to have been retired. */
export async function isForgotten(
  { store, retainMs = Number.POSITIVE_INFINITY }: ForgottenDeps,
  own: readonly OwnPost[],
  nowMs: number,
): Promise<boolean> {
  const newest = own.findLast(({ atMs }) => nowMs - atMs < retainMs);
  return newest !== undefined && (await store.read(newest.run, 0, 1)).version === 0;
}

/** The model would answer where an answer may stand already: no call of its last turn is open. */
function asksModelNext({ said, calls }: RunState): boolean {
  const newest = said.at(-1);
  return newest?.type !== 'turn' || newest.calls.every((call) => calls.get(call)?.answer !== undefined);
}

/** An answer of this run stands in the thread, and the journal has not even begun to post it. */
async function saySetBack(
  _deps: LostRecordDeps,
  { run: current, posting, posted, version }: RunState,
  own: readonly OwnPost[],
): Promise<Said | undefined> {
  const isLost = own.some(
    ({ run, key }) => run === current && key.startsWith('turn/') && !posted.has(key) && !posting.has(key),
  );
  return isLost ? { key: `set-back/${version}`, text: WORDS.setBack } : undefined;
}
