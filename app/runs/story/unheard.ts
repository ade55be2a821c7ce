import { decideStop, decideUnheard, unheardRun } from '../../journal/index.ts';
import type { Log } from '../../log.ts';
import { type Cards, type Copies, orOwing } from '../../questions/index.ts';
import type { RunJournal, Seals } from '../../recorder/index.ts';
import {
  ClosedChannelError,
  type DebtOutcome,
  NotInstalledError,
  type NotYetError,
  RefusedPostError,
  RefusingWorkspaceError,
  type Surface,
  type UnreachableError,
} from '../../surface.ts';
import type { Retries } from '../../time/index.ts';
import { WORDS } from '../telling/words.ts';

export interface UnheardDeps {
  readonly surface: Pick<Surface, 'tellUnheard'>;
  readonly cards: Cards;
  readonly copies: Copies;
  readonly log: Log;
  readonly seals: Seals;
  readonly retries: Retries;
}

/** Ends a run whose thread cannot be reached, and drops its posts. A later message begins a new run. */
export async function endUnheard(
  deps: UnheardDeps,
  journal: RunJournal,
  error: UnreachableError | NotYetError,
): Promise<'over' | 'later' | { readonly offerInMs: number }> {
  const { cards, copies, log, retries, seals } = deps;
  log.warn('A run ends because its thread cannot be reached any more.', { run: journal.run, error });
  const cause = causeOf(error);
  // Slack may still take edits where it refuses a post, so buttons that decide nothing any more are removed.
  if (error instanceof RefusedPostError || error instanceof ClosedChannelError) {
    await journal.decide((state) => decideStop(state, { cause }), 'over');
    await cards.settle(journal);
  }
  await journal.decide((state) => decideUnheard(state, cause), 'over');
  // The requester and the approvers who got the question as a direct message can still be told there.
  const told = await tellUnheard(deps, journal);
  if ((await copies.settle(journal)) === 'owing' || told === 'owing') {
    const offerInMs = retries.next(journal.run);
    if (offerInMs !== undefined) return { offerInMs };
    await copies.giveUp(journal);
  }
  if ((await seals.seal(journal)) === 'later') return 'later';
  retries.done(journal.run);
  return 'over';
}

function causeOf(error: UnreachableError | NotYetError): string {
  if (error instanceof NotInstalledError) return WORDS.uninstalled;
  if (error instanceof RefusingWorkspaceError) return WORDS.refusingWorkspace;
  return error instanceof ClosedChannelError ? WORDS.closedChannel : WORDS.refusedPost;
}

/**
 * Tells the requester directly why a run ended without a word in its thread, once. Never rejects. Where Slack takes nothing for
 * this person either, the Home tab and `/approvals` still say it.
 */
export async function tellUnheard(
  { surface, log }: Pick<UnheardDeps, 'surface' | 'log'>,
  journal: RunJournal,
): Promise<DebtOutcome> {
  const state = journal.state();
  const unheard = state?.sealed === false ? unheardRun(state) : undefined;
  if (unheard === undefined) return 'paid';
  const untold = 'The requester of an unheard run could not be told directly.';
  return orOwing(log.info, untold, { run: journal.run }, async () => {
    await surface.tellUnheard(unheard);
    return 'paid';
  });
}
