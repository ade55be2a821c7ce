import {
  type AskedApproval,
  decideCancel,
  decideWithdrawal,
  type EntryBody,
  questionEntry,
  type RunState,
  rowsOf,
} from '../../journal/index.ts';
import type { Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId, Card } from '../../records/index.ts';
import type { Surface } from '../../surface.ts';
import { type Posted, type PostingDeps, postOnce, type ToPost } from '../telling/post-once.ts';
import { WORDS } from '../telling/words.ts';
import { withUnknown } from './doubt-results.ts';

/** Posts the card of a question. If the card cannot be posted, the question is taken back, and the run hears why. */

export interface CardDeps extends PostingDeps {
  readonly surface: Pick<Surface, 'postCard' | 'status' | 'takeBack'>;
  readonly waiting: Pick<Waiting, 'look'>;
}

/** Names the post of a card for its intent. */
export const cardKey = (id: ApprovalId): string => `card/${id}`;

/**
 * False when the card could not be posted and the question was taken back.
 *
 * @param untried Set right after the question was written: no process has tried to post its card.
 */
export async function postOwnCard(
  deps: CardDeps,
  journal: RunJournal,
  id: ApprovalId,
  untried = false,
): Promise<boolean> {
  const asks = await journal.approval(id);
  if (asks?.status !== 'pending' || asks.card !== undefined) return true;
  const posted = await postCard(deps, journal, {
    card: { kind: 'approval', asks },
    key: cardKey(id),
    untried,
    standing: ({ approvals }) => approvals.get(id)?.card,
    isOver: ({ approvals }) => approvals.get(id)?.standing.status !== 'pending',
    receipt: (_state, card) => [{ type: 'card-posted', approval: id, card }],
    steps: ['card-begun', 'card-posted', 'card-recorded'],
    unseen: (state) => decideCancel(state, id, WORDS.unseen),
  });
  return posted !== 'unsent';
}

/** The same for a card with a row for each of several calls. */
export async function postList(deps: CardDeps, journal: RunJournal, id: ApprovalId): Promise<boolean> {
  const asks = await journal.list(id);
  if (asks === undefined) throw new Error(`The list card ${id} has no rows. This is a fault of the bot: report it.`);
  const posted = await postCard(deps, journal, {
    card: { kind: 'list', asks },
    key: cardKey(id),
    standing: (state) => rowsOf(state, id).find(({ card }) => card !== undefined)?.card,
    isOver: (state) => areOver(rowsOf(state, id)),
    receipt: (state, card) => rowsOf(state, id).map((row) => ({ type: 'card-posted', approval: row.id, card })),
    steps: ['card-begun', 'card-posted', 'card-recorded'],
    unseen: (state) => ({
      entries: rowsOf(state, id).flatMap((row) => decideCancel(state, row.id, WORDS.unseen).entries),
    }),
  });
  return posted !== 'unsent';
}

const areOver = (rows: readonly AskedApproval[]): boolean =>
  rows.length > 0 && rows.every(({ standing }) => standing.status !== 'pending');

/** The same for any other question. */
export async function postQuestionCard(deps: CardDeps, journal: RunJournal, id: ApprovalId): Promise<void> {
  const card = await journal.question(id);
  if (card?.asks.standing.status !== 'pending' || card.asks.card !== undefined) return;
  const { kind, asks } = card;
  const posted = await postCard(deps, journal, {
    card,
    key: `${kind}/${id}`,
    standing: ({ questions }) => questions.get(id)?.card,
    isOver: ({ questions }) => questions.get(id)?.standing.status !== 'pending',
    receipt: (_state, receipt) => [questionEntry({ kind, id }, 'posted', { card: receipt })],
    steps: ['question-begun', 'question-posted', 'question-recorded'],
    unseen: (state) => withUnknown(state, id, decideWithdrawal(state, id)),
  });
  if (posted === 'posted' && kind !== 'doubt') void deps.surface.status(asks.thread, 'suspended');
}

interface CardToPost extends Omit<ToPost, 'send'> {
  readonly card: Card;
  /** What is written when the card could not be posted. */
  readonly unseen: (state: RunState) => { readonly entries: readonly EntryBody[]; readonly items?: readonly string[] };
}

async function postCard(
  deps: CardDeps,
  journal: RunJournal,
  { card, unseen, ...post }: CardToPost,
): Promise<Posted['type']> {
  const posted = await postOnce(deps, journal, { ...post, send: (earlier) => deps.surface.postCard(card, earlier) });
  if (posted.type !== 'unsent') return posted.type;
  deps.log.error('A card could not be posted.', { [card.kind]: card.asks.id, error: posted.error });
  await journal.decide((state) => ({ ...unseen(state), result: undefined }), undefined);
  await deps.waiting.look(journal.run);
  return posted.type;
}
