import { decidePost, type EntryBody, isOld, type PostWish, type RunState } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { AtStep, Step } from '../../step.ts';
import type { Surface } from '../../surface.ts';
import { known } from '../gate/known.ts';
import { TakenOverError } from '../story/taken-over.ts';

export interface PostingDeps {
  readonly posting: Pick<PostWish, 'by' | 'patienceMs'>;
  readonly surface: Pick<Surface, 'takeBack'>;
  readonly log: Log;
  readonly step: AtStep;
}

export interface ToPost {
  readonly key: string;
  /** Where it stands, as far as the journal knows. */
  readonly standing: (state: RunState) => CardReceipt | undefined;
  /** A question that was settled meanwhile is not asked any more. */
  readonly isOver?: (state: RunState) => boolean;
  /** `maybePosted` when somebody had it in hand before, so that the thread is searched first. */
  readonly send: (doubt: Doubt) => Promise<CardReceipt>;
  readonly receipt: (state: RunState, card: CardReceipt, doubt: Doubt) => readonly EntryBody[];
  /** Reached when it is written that this process posts, when the post stands there, and when it is written where. */
  readonly steps: readonly [begun: Step, sent: Step, recorded: Step];
}

export type Posted =
  | { readonly type: 'posted' }
  /** Or nobody needs it any more. */
  | { readonly type: 'posted-before' }
  | { readonly type: 'unsent'; readonly error: unknown };

/** Where the store itself takes that long, each intent is old as soon as it is written. Then it is sent all the same, after a search. */
const MOST_TRIES = 3;

interface Doubt {
  readonly maybePosted: boolean;
}

/**
 * Intent, post, receipt: so that a thread is told once. Throws when another process has it in hand: whoever is late lets go
 * of the run, and comes again if it must. What the place itself refuses is answered and not thrown: a store that is away
 * says nothing about a post.
 */
export async function postOnce(deps: PostingDeps, journal: RunJournal, post: ToPost): Promise<Posted> {
  const { step } = deps;
  const { key, standing, send, receipt } = post;
  const [, sent, recorded] = post.steps;
  const turn = await begin(deps, journal, post);
  if (turn === 'posted') return { type: 'posted-before' };

  const doubt = { maybePosted: turn === 'doubtful' };
  const attempt = await send(doubt).then(
    (card) => ({ card }),
    (error: unknown) => ({ error }),
  );
  if ('error' in attempt) return { type: 'unsent', error: attempt.error };
  const { card } = attempt;
  await step(sent);
  const written = await journal.commit((state) => {
    const before = state === undefined ? undefined : standing(state);
    return {
      entries: state === undefined || before !== undefined ? [] : receipt(state, card, doubt),
      result: before,
    };
  });
  if (written.type === 'done') await withdraw(deps, journal, { key, card, standing: written.result });
  await step(recorded);
  return { type: 'posted' };
}

/**
 * Writes that this process posts. One that stood still afterwards asks again: meanwhile another one may have posted, and
 * died before it wrote where.
 */
async function begin(
  { posting, step }: PostingDeps,
  journal: RunJournal,
  { key, standing, isOver = () => false, steps: [begun] }: ToPost,
): Promise<'posted' | 'first' | 'doubtful'> {
  const isPosted = (state: RunState) => standing(state) !== undefined || isOver(state);
  for (let tries = 1; ; tries += 1) {
    const unhurried = tries >= MOST_TRIES;
    const intended = await journal.decide(
      (state, nowMs) => decidePost(state, { ...posting, key, isPosted, unhurried }, nowMs),
      'theirs',
    );
    if (intended.type === 'late') {
      await journal.refresh();
      continue;
    }
    const turn = intended.result;
    if (turn === 'posted') return turn;
    if (turn === 'theirs') throw new TakenOverError(`it is posting ${key}`);
    await step(begun);
    const ours = known(journal).posting.get(key);
    if (ours?.by === posting.by && (unhurried || !isOld(ours, posting, journal.nowMs()))) return turn;
  }
}

/** This process stood still for so long that another one posted the same. What is written stays, and ours goes. */
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
  await surface.takeBack(known(journal).thread, card).catch((error: unknown) => {
    // Whoever presses something on it is told, and takes it back then.
    log.warn('What was posted twice could not be taken back.', { run: journal.run, key, error });
  });
}
