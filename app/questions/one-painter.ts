import { owedPaintings, owedQuestions, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { RunJournal } from '../recorder/index.ts';
import type { ApprovalId, Card } from '../records/index.ts';
import type { ClaimedPainting, Store } from '../store/index.ts';
import { whileUnderWay, withLimit } from '../time/index.ts';
import type { Waiting } from './waiting.ts';

/**
 * One process at a time paints a card and writes that down. `elsewhere`: another process has painted this state meanwhile,
 * or the journal has a newer one.
 */
export type PaintByOne = <Painted>(
  journal: RunJournal,
  shown: Shown,
  paint: () => Promise<Painted>,
) => Promise<Painted | 'elsewhere'>;

/** A state that a card, the direct messages about a question, or the line of a trust are to show. */
export interface Shown extends ClaimedPainting {
  readonly state: string;
  readonly isOwed: (state: RunState) => boolean;
  /** The journal says that this state is shown, or it has a newer one. */
  readonly isPast: (state: RunState) => boolean;
}

export interface OnePainterDeps {
  readonly store: Pick<Store, 'claimPainting' | 'releasePainting'>;
  /** The process. */
  readonly by: string;
  readonly waiting: Pick<Waiting, 'untilFound'>;
}

/** For a process that paints alone. */
export const paintAtOnce: PaintByOne = (_journal, _shown, paint) => paint();

export function createPaintByOne(deps: OnePainterDeps): PaintByOne {
  return async (journal, shown, paint) => {
    const state = journal.state();
    // A person has pressed a card that shows something older, although its painting is written down.
    if (state === undefined || !shown.isOwed(state)) return paint();
    const turn = await claimOrWait(deps, journal, shown);
    if (turn === 'elsewhere') return turn;
    return turn === 'too-long' ? paint() : held(deps, shown, () => paintUnlessPast(journal, shown, turn, paint));
  };
}

/** The process that had the claim before may have painted the same, and its hint may be lost. */
async function paintUnlessPast<Painted>(
  journal: RunJournal,
  { isPast }: Shown,
  turn: 'at-once' | 'after-another',
  paint: () => Promise<Painted>,
): Promise<Painted | 'elsewhere'> {
  const state = turn === 'after-another' ? await journal.refresh() : undefined;
  return state !== undefined && isPast(state) ? 'elsewhere' : paint();
}

const LOOK_MS = 100;
/** So long a newer state waits for a painting of an older one, which may have a long way to Slack. */
const OLDER_MS = 4_000;

async function claimOrWait(
  deps: OnePainterDeps,
  journal: RunJournal,
  shown: Shown,
): Promise<'at-once' | 'after-another' | 'too-long' | 'elsewhere'> {
  let olderMs = 0;
  for (let looks = 0; olderMs < OLDER_MS; looks += 1) {
    const other = await claim(deps, shown);
    if (other === undefined) return looks === 0 ? 'at-once' : 'after-another';
    if (await untilOver(deps.waiting, journal, shown.isPast, LOOK_MS)) return 'elsewhere';
    if (other !== shown.state) olderMs += LOOK_MS;
  }
  return 'too-long';
}

/** Answers which state another process paints. While the store is away there is none: a second painting is better than none. */
async function claim({ store, by }: OnePainterDeps, { of, what, state }: Shown): Promise<string | undefined> {
  const [other] = await Promise.allSettled([store.claimPainting({ of, what, state, by, leaseMs: LIMITS.leaseMs })]);
  return other.status === 'fulfilled' ? other.value : undefined;
}

/** Renews the claim until the painting is over, and then ends it. A process may stand still for seconds and keeps the claim. */
async function held<Painted>(deps: OnePainterDeps, shown: Shown, paint: () => Promise<Painted>): Promise<Painted> {
  const painting = paint();
  await whileUnderWay(painting, LIMITS.leaseMs / 10, () => claim(deps, shown));
  // If the store is away, the claim ends by itself.
  void Promise.allSettled([deps.store.releasePainting({ of: shown.of, what: shown.what })]);
  return painting;
}

export function onCard(card: Card): Shown {
  const rows = card.kind === 'list' ? card.asks.rows : card.kind === 'approval' ? [card.asks] : [];
  const ids = card.kind === 'list' ? rows.map(({ id }) => id) : [card.asks.id];
  const isOwed = (state: RunState) => ids.some((id) => isOwedTo(state, id));
  const isOlder = (state: RunState) => rows.some(({ id, revision }) => revision < revisionIn(state, id));
  return {
    ...{ of: card.asks.id, what: 'card', isOwed },
    // A question besides approvals is painted once.
    state: rows.map(({ revision }) => revision).join(':'),
    isPast: (state) => !isOwed(state) || isOlder(state),
  };
}

const revisionIn = (state: RunState, id: ApprovalId): number => state.approvals.get(id)?.revision ?? 0;
const isOwedTo = (state: RunState, id: ApprovalId): boolean =>
  [...owedPaintings(state), ...owedQuestions(state)].some((owed) => owed.id === id);

/** Slack mostly takes a painting in half of this. The process that stored the answer may be dead, and a call waits. */
const BEGUN_BY_ANOTHER_MS = 500;

/**
 * Resolves when the journal says that the card shows the answer, or so long after the answer was stored. By then the process that
 * stored it has claimed the painting, unless it is dead.
 */
export async function untilPainted(
  waiting: OnePainterDeps['waiting'],
  journal: RunJournal,
  id: ApprovalId,
): Promise<void> {
  const nowMs = journal.nowMs();
  const leftMs = BEGUN_BY_ANOTHER_MS - Math.max(0, nowMs - answeredAtMs(journal.state(), id, nowMs));
  if (leftMs > 0) await untilOver(waiting, journal, (state) => !isOwedTo(state, id), leftMs);
}

/** A question that expired or was taken back does not say when. */
function answeredAtMs(state: RunState | undefined, id: ApprovalId, otherwiseMs: number): number {
  const standing = (state?.approvals.get(id) ?? state?.questions.get(id))?.standing;
  if (standing?.status === 'decided') return standing.decision.atMs;
  return standing !== undefined && 'atMs' in standing ? standing.atMs : otherwiseMs;
}

/** Answers whether the journal came to that within the time. */
async function untilOver(
  waiting: OnePainterDeps['waiting'],
  journal: RunJournal,
  isOver: (state: RunState) => boolean,
  ms: number,
): Promise<boolean> {
  const enough = new AbortController();
  const known = journal.state()?.version;
  const found = waiting.untilFound(journal, (state) => isOver(state) || undefined, enough.signal, known);
  const settled = await withLimit(Promise.allSettled([found]), { ms, late: undefined });
  enough.abort();
  return settled !== undefined;
}
