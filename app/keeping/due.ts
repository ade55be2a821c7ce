import type { ApprovalsAtWork } from '../approvals/index.ts';
import type { TrustAtWork } from '../authority/index.ts';
import { unlessNewer } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { LeaveToNewer } from '../recorder/index.ts';
import { ApprovalId, type Reminder, RunId, TrustId } from '../records/index.ts';
import type { DueItem, Store } from '../store/index.ts';
import type { Retries } from '../time/index.ts';

export interface DueDeps {
  readonly approvals: Pick<ApprovalsAtWork, 'expire'>;
  readonly trust: Pick<TrustAtWork, 'tellEnd'>;
  readonly expireQuestion: (id: ApprovalId) => Promise<void>;
  /** Answers in how many milliseconds to call again, when the reminder could not be sent. */
  readonly remind: (approval: ApprovalId, what: Reminder) => Promise<number | undefined>;
  readonly retire: (run: RunId) => Promise<void>;
  readonly leaveToNewer: LeaveToNewer;
  readonly retries: Retries;
  readonly store: Pick<Store, 'moveDue'>;
}

/** Handles an item whose time has come. The store only gives the time; each handler looks at the journal first. */
export function createDue({
  approvals,
  trust,
  expireQuestion,
  remind,
  retire,
  leaveToNewer,
  retries,
  store,
}: DueDeps): (item: DueItem) => Promise<void> {
  /** A card or line that offers to end the trust is never given up, because it says that the trust still counts. */
  const tellEnd = async (item: DueItem): Promise<void> => {
    const name = `${item.what}/${item.subject}`;
    const told = await trust.tellEnd(TrustId.parse(item.subject));
    if (told === 'told') return retries.done(name);
    await store.moveDue(item, retries.next(name) ?? LIMITS.retryApartMs);
  };

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
        const inMs = await remind(ApprovalId.parse(subject), what);
        return inMs === undefined ? undefined : store.moveDue(item, inMs);
      }
      case 'trust-end':
        return tellEnd(item);
      case 'retention':
        return retire(RunId.parse(subject));
    }
  };

  return (item) =>
    unlessNewer(
      () => see(item),
      // A replica of the newer version has to do it. Other errors are for the sweep.
      (error) => store.moveDue(item, leaveToNewer(error)),
    );
}
