import { z } from 'zod';
import { ApprovalId, Copy } from '../../records/index.ts';
import { type Decided, nothing } from '../decide/decide.ts';
import { isSame } from '../decide/lost-cards.ts';
import type { EntryBody } from '../facts/entries.ts';
import type { AskedApproval, RunState } from '../fold/state.ts';
import type { CallReminded } from './reminders.ts';

/**
 * What people were told directly of a question follows its record like its card: it is not left saying that it waits when
 * it does not. How the call came out is on the card alone, so a copy is painted once for each thing that people decide.
 */
export const COPY_ENTRIES = [
  /** Told by somebody who died before it was written, and found when it was too late to tell. */
  z.object({
    type: z.literal('copies-found'),
    approval: ApprovalId,
    what: z.enum(['notice', 'reminder', 'escalation']),
    stage: z.number().int().nonnegative(),
    copies: z.array(Copy).readonly(),
  }),
  /** All copies there are show this revision, or a newer one that came before it. */
  z.object({ type: z.literal('copies-painted'), approval: ApprovalId, revision: z.number().int() }),
] as const;

/**
 * Also where its thread hears nothing any more: people are told elsewhere. A run is sealed when all of it was looked for,
 * and older ones were sealed without.
 */
export function owedCopies({ approvals, sealed }: RunState): readonly AskedApproval[] {
  return [...approvals.values()].filter(
    ({ copies, copiesShow, news, perhapsTold }) =>
      (copies.length > 0 && copiesShow < news) || (perhapsTold.length > 0 && !sealed),
  );
}

/** Written once for each time that somebody looked, whoever was found. */
export function decideCopiesFound(
  state: RunState | undefined,
  found: Extract<EntryBody, { type: 'copies-found' }>,
): Decided<undefined> {
  const perhaps = state?.approvals.get(found.approval)?.perhapsTold ?? [];
  const isAwaited = perhaps.some(({ what, stage }) => what === found.what && stage === found.stage);
  return { entries: isAwaited ? [found] : [], result: undefined };
}

/** After all of these were painted as they were at `news`: written where the journal says otherwise, as for a card. */
export function decideCopiesPainted(
  state: RunState | undefined,
  { id, copies, news }: Pick<AskedApproval, 'id' | 'copies' | 'news'>,
): Decided<undefined> {
  const now = state?.approvals.get(id);
  if (now === undefined) return nothing(undefined);
  const cameLate = now.copiesShow > news;
  const isNewest = now.copiesShow < news && now.news === news && newTo(copies, now.copies).length === 0;
  if (!cameLate && !isNewest) return nothing(undefined);
  return { entries: [{ type: 'copies-painted', approval: id, revision: news }], result: undefined };
}

/** Those of the second that are not among the first. */
export function newTo(known: readonly Copy[], copies: readonly Copy[]): readonly Copy[] {
  return copies.filter(({ card }) => !known.some((one) => isSame(one.card, card)));
}

/** What they read there is as old as what it was drawn from. */
export function withCopies(
  { copies, copiesShow, perhapsTold, ...approval }: AskedApproval,
  { what, stage = 0, copies: told = [], revision = 0 }: Told,
): AskedApproval {
  const added = newTo(copies, told).map((copy) => ({ ...copy, what }));
  const shows = copies.length === 0 ? revision : Math.min(copiesShow, revision);
  return {
    ...approval,
    copies: [...copies, ...added],
    copiesShow: added.length === 0 ? copiesShow : shows,
    perhapsTold: perhapsTold.filter((one) => one.what !== what || one.stage !== stage),
  };
}

type Told = Pick<CallReminded, 'what' | 'stage' | 'copies' | 'revision'>;
