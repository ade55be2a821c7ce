import type { BodyOf } from '../facts/entries.ts';
import type { AskedApproval } from '../fold/asked.ts';
import { newTo } from '../fold/queries/copies.ts';
import type { RunState } from '../fold/state.ts';
import { type Decided, nothing } from './decided.ts';

/** Records the copies that a search found, once per reminder and stage, also when it found none. */
export function decideCopiesFound(state: RunState | undefined, found: BodyOf<'copies-found'>): Decided<undefined> {
  const perhaps = state?.approvals.get(found.approval)?.perhapsTold ?? [];
  const isAwaited = perhaps.some(({ what, stage }) => what === found.what && stage === found.stage);
  return { entries: isAwaited ? [found] : [], result: undefined };
}

/** Records that all these copies show revision `news`, if the journal says otherwise. */
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
