import { decideCancel, decideExpiry } from '../journal/index.ts';
import { type Cards, settleSoon } from '../questions/index.ts';
import type { FindJournal, RunJournal } from '../recorder/index.ts';
import { type ApprovalId, type ThreadKey, threadKey } from '../records/index.ts';
import type { AtStep } from '../step.ts';

export interface EndsDeps {
  readonly open: FindJournal;
  readonly cards: Pick<Cards, 'settle'>;
  /** Wakes the thread. The hint has told every process that is awake; this is for when none is. */
  readonly wake: (thread: ThreadKey) => void;
  readonly step: AtStep;
}

/** Acts on a stored final state: the run goes on, and the card shows the outcome. */
export async function follow(deps: EndsDeps, journal: RunJournal): Promise<void> {
  wake(deps, journal);
  await settleSoon(deps.cards, journal);
}

export function wake(deps: Pick<EndsDeps, 'wake'>, journal: RunJournal): void {
  const state = journal.state();
  if (state !== undefined) deps.wake(threadKey(state.thread));
}

/** Ends an approval whose time is up by the store's clock. */
export async function expire(deps: EndsDeps, id: ApprovalId): Promise<void> {
  const journal = await deps.open(id);
  if (journal === undefined) return;
  const committed = await journal.decide((state, nowMs) => decideExpiry(state, id, nowMs), 'settled');
  if (committed !== 'expired') return;
  await deps.step('call-expired');
  await follow(deps, journal);
}

/** Takes back an approval that no person can answer. */
export async function cancel(deps: EndsDeps, id: ApprovalId, cause: string): Promise<void> {
  const journal = await deps.open(id);
  if (journal === undefined) return;
  await journal.decide((state) => decideCancel(state, id, cause), 'settled');
  // A process that settled it may have died before it painted the card.
  await follow(deps, journal);
}
