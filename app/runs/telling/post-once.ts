import { decidePost, type EntryBody, isOld, type RunState } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import { orLog } from '../../or-log.ts';
import { type RunJournal, SetBackError } from '../../recorder/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { AtStep, Step } from '../../step.ts';
import { type EarlierSend, StalePostError, type Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { TakenOverError } from '../story/taken-over.ts';

export interface PostingDeps {
  /** This process. */
  readonly by: string;
  readonly surface: Pick<Surface, 'takeBack'>;
  readonly log: Log;
  readonly step: AtStep;
}

export interface ToPost {
  readonly key: string;
  /** Where the post stands, as far as the journal knows. */
  readonly standing: (state: RunState) => CardReceipt | undefined;
  /**
   * Set when no process has tried the post before. An intent of this process then stands there because it was written
   * together with what is posted.
   */
  readonly untried?: boolean;
  /** Whether the question was settled meanwhile, so that it is no longer posted. */
  readonly isOver?: (state: RunState) => boolean;
  readonly send: (earlier: EarlierSend) => Promise<CardReceipt>;
  readonly receipt: (state: RunState, card: CardReceipt, earlier: EarlierSend) => readonly EntryBody[];
  /** Writes the receipt in place of a plain commit. */
  readonly commit?: RunJournal['commit'];
  /** The steps after the intent is written, after the post is sent, and after its place is written. */
  readonly steps: readonly [begun: Step, sent: Step, recorded: Step];
}

export type Posted =
  | { readonly type: 'posted' }
  /** Or it is no longer needed. */
  | { readonly type: 'posted-before' }
  | { readonly type: 'unsent'; readonly error: unknown };

/** After this many tries the post is sent, after a search: in a very slow store each intent is old once written. */
const MOST_TRIES = 3;

/**
 * Writes an intent, posts, and writes a receipt, so that a thread is told once. Throws when another process is posting:
 * this process then lets go of the run. A refusal of Slack is returned and not thrown, so that it is not taken for a
 * failure of the store.
 */
export async function postOnce(deps: PostingDeps, journal: RunJournal, post: ToPost): Promise<Posted> {
  const { step } = deps;
  const { key, standing, receipt, commit = journal.commit } = post;
  const [, sent, recorded] = post.steps;
  const answer = await sendInTime(deps, journal, post);
  if (answer === 'posted') return { type: 'posted-before' };
  if ('error' in answer) return { type: 'unsent', error: answer.error };
  const { card, earlier } = answer;
  await step(sent);
  const written = await commit<CardReceipt | 'lost' | undefined>((state) => {
    const before = state === undefined ? undefined : standing(state);
    // A receipt without its intent would count for what the run says next under this key.
    const isLost = before === undefined && state?.posting.has(key) !== true;
    return {
      entries: state === undefined || before !== undefined || isLost ? [] : receipt(state, card, earlier),
      result: isLost ? 'lost' : before,
    };
  });
  if (written === 'lost') throw new SetBackError(journal.run);
  if (written !== 'late') await withdraw(deps, journal, { key, card, standing: written });
  await step(recorded);
  return { type: 'posted' };
}

type Sent = { readonly card: CardReceipt; readonly earlier: EarlierSend } | { readonly error: unknown };

/** Sends while the intent of this process is fresh. A post may wait long for its turn in the channel, or its process be paused. */
async function sendInTime(deps: PostingDeps, journal: RunJournal, post: ToPost): Promise<'posted' | Sent> {
  for (let tries = 1; ; tries += 1) {
    const begun = await begin(deps, journal, { ...post, untried: post.untried === true && tries === 1 });
    if (begun === 'posted') return begun;
    const isStale = () => tries < MOST_TRIES && !holds(deps, journal, post.key);
    const earlier = { maybePosted: begun === 'unsure', isStale };
    const answer = await post.send(earlier).then(
      (card) => ({ card, earlier }),
      (error: unknown) => ({ error }),
    );
    if (!('error' in answer && answer.error instanceof StalePostError)) return answer;
  }
}

/** Whether the newest intent known here is of this process, and no other process may take the post over yet. */
function holds({ by }: Pick<PostingDeps, 'by'>, journal: RunJournal, key: string, unhurried = false): boolean {
  const intent = known(journal).posting.get(key);
  return intent?.by === by && (unhurried || !isOld(intent, journal.nowMs()));
}

/**
 * Writes that this process posts, unless that was written together with what is posted. After a long pause it writes so
 * again: another process may have posted meanwhile and died before its receipt.
 */
async function begin(
  { by, step }: PostingDeps,
  journal: RunJournal,
  { key, standing, untried = false, isOver = () => false, steps: [begun] }: ToPost,
): Promise<'posted' | 'first' | 'unsure'> {
  const isPosted = (state: RunState) => standing(state) !== undefined || isOver(state);
  if (untried && holds({ by }, journal, key)) return isPosted(known(journal)) ? 'posted' : 'first';
  for (let tries = 1; ; tries += 1) {
    const unhurried = tries >= MOST_TRIES;
    const intended = await journal.decide(
      (state, nowMs) => decidePost(state, { key, by, isPosted, unhurried }, nowMs),
      'theirs',
    );
    if (intended === 'late') {
      await journal.refresh();
      continue;
    }
    if (intended === 'posted') return intended;
    if (intended === 'theirs') throw new TakenOverError(`it is posting ${key}`);
    await step(begun);
    if (holds({ by }, journal, key, unhurried)) return intended;
  }
}

/** Deletes this process's post when another process has posted the same and written its receipt first. */
async function withdraw(
  { surface, log }: PostingDeps,
  journal: RunJournal,
  {
    key,
    card,
    standing,
  }: { readonly key: string; readonly card: CardReceipt; readonly standing: CardReceipt | undefined },
): Promise<void> {
  if (standing === undefined || standing.ts === card.ts) return;
  log.warn('Something was posted twice, and the second is taken back.', { run: journal.run, key });
  // Slack may refuse. A press on the second post tells the presser, and deletes it then.
  await orLog(log.warn, 'What was posted twice could not be taken back.', { run: journal.run, key }, () =>
    surface.takeBack(known(journal).thread, card),
  );
}
