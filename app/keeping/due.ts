import type { ApprovalsAtWork } from '../approvals/index.ts';
import type { TrustAtWork } from '../authority/index.ts';
import { unlessNewer } from '../journal/index.ts';
import type { Reminders } from '../questions/index.ts';
import type { PressRefusals } from '../recorder/index.ts';
import { ApprovalId, RunId, TrustId } from '../records/index.ts';
import type { DueItem, Store } from '../store/index.ts';
import type { Retention } from './retention.ts';

export interface DueDeps {
  readonly approvals: Pick<ApprovalsAtWork, 'expire'>;
  readonly trust: Pick<TrustAtWork, 'tellEnd'>;
  readonly expireQuestion: (id: ApprovalId) => Promise<void>;
  readonly reminders: Reminders;
  readonly retention: Retention;
  readonly refusals: PressRefusals;
  readonly store: Pick<Store, 'moveDue'>;
}

/** Handles an item whose time has come. The store only gives the time; each handler looks at the journal first. */
export function createDue({
  approvals,
  trust,
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
        // Approvals and other questions share one kind of id; each handler knows its own.
        await approvals.expire(ApprovalId.parse(subject));
        return expireQuestion(ApprovalId.parse(subject));
      case 'notice':
      case 'reminder':
      case 'escalation': {
        const inMs = await reminders.remind(ApprovalId.parse(subject), what);
        return inMs === undefined ? undefined : store.moveDue(item, inMs);
      }
      case 'trust-end':
        return trust.tellEnd(TrustId.parse(subject));
      case 'retention':
        return retention.retire(RunId.parse(subject));
    }
  };

  return (item) =>
    unlessNewer(
      () => see(item),
      // A replica of the newer version has to do it. Other errors are for the sweep.
      (error) => store.moveDue(item, refusals.refuse(error)),
    );
}
