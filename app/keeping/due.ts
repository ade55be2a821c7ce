import type { ApprovalsAtWork } from '../approvals/index.ts';
import { NewerJournalError } from '../journal/index.ts';
import type { Reminders } from '../questions/index.ts';
import type { PressRefusals } from '../recorder/index.ts';
import { ApprovalId, RunId } from '../records/index.ts';
import type { DueItem, Store } from '../store/index.ts';
import type { Retention } from './retention.ts';

export interface DueDeps {
  readonly approvals: Pick<ApprovalsAtWork, 'expire'>;
  readonly expireQuestion: (id: ApprovalId) => Promise<void>;
  readonly reminders: Reminders;
  readonly retention: Retention;
  readonly refusals: PressRefusals;
  readonly store: Pick<Store, 'moveDue'>;
}

/** What is done when something's time has come. The store says when; whoever is called looks at the journal first. */
export function createDue({
  approvals,
  expireQuestion,
  reminders,
  retention,
  refusals,
  store,
}: DueDeps): (item: DueItem) => Promise<void> {
  const see = async (item: DueItem): Promise<void> => {
    const { what, subject } = item;
    switch (what) {
      case 'expiry':
        // One kind of id, and each knows its own.
        await approvals.expire(ApprovalId.parse(subject));
        return expireQuestion(ApprovalId.parse(subject));
      case 'notice':
      case 'reminder':
      case 'escalation': {
        const inMs = await reminders.remind(ApprovalId.parse(subject), what);
        return inMs === undefined ? undefined : store.moveDue(item, inMs);
      }
      case 'retention':
        return retention.retire(RunId.parse(subject));
    }
  };

  return async (item) => {
    try {
      await see(item);
    } catch (error) {
      if (!(error instanceof NewerJournalError)) throw error;
      await store.moveDue(item, refusals.refuse(error));
    }
  };
}
