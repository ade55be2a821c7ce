import type { Clock } from '../../../app/clock.ts';
import type { ApprovalId } from '../../../app/records/index.ts';

/** Which revision of each card was last asked for, so that an older one never follows a newer one. */
export interface Paintings {
  /** `false` if a newer revision was asked for before. */
  readonly begin: (approval: ApprovalId, revision: number) => boolean;
  /** The painting did not arrive. What is shown is older, so the same or an older revision may be tried again. */
  readonly failed: (approval: ApprovalId, revision: number) => void;
}

/** A repaint this late is drawn from the journal, so it has the newest revision anyway. */
const REMEMBERED_MS = 60 * 60 * 1_000;
const REMEMBERED = 10_000;

export function createPaintings(clock: Clock): Paintings {
  const asked = new Map<ApprovalId, { readonly revision: number; readonly atMs: number }>();
  const isOld = (approval: ApprovalId, revision: number) => (asked.get(approval)?.revision ?? revision) > revision;

  const forget = () => {
    for (const [approval, { atMs }] of asked) {
      if (atMs > clock.now() - REMEMBERED_MS && asked.size <= REMEMBERED) return;
      asked.delete(approval);
    }
  };

  return {
    begin: (approval, revision) => {
      if (isOld(approval, revision)) return false;
      // Deleted first, so that the map stays in the order of time.
      asked.delete(approval);
      asked.set(approval, { revision, atMs: clock.now() });
      forget();
      return true;
    },
    failed: (approval, revision) => {
      if (asked.get(approval)?.revision === revision) asked.delete(approval);
    },
  };
}
