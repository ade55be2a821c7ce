import { decideRevoke, hasEnded, listsOfTrust, runsOn } from '../journal/index.ts';
import type { Log } from '../log.ts';
import { orLog } from '../or-log.ts';
import type { RecordEnd } from '../recorder/index.ts';
import type { ApprovalId, EndedTrust, TrustId, UserId } from '../records/index.ts';
import type { AtStep } from '../step.ts';
import type { Store } from '../store/index.ts';
import { keepNewest, withLimit } from '../time/index.ts';
import { type TrustRecorder, type trustOnCard, writeTrust } from './new-trusts.ts';

export interface TrustEndingDeps {
  readonly store: Pick<Store, 'moveDue' | 'leaveLists'>;
  readonly log: Log;
  readonly recordEnd: RecordEnd;
  readonly step: AtStep;
  /** Called when a trust has ended, so that the card and the lines of these runs show it. Calling twice changes nothing. */
  readonly ended: (end: EndedTrust) => Promise<'shown' | 'owing'>;
  /** The trust that the decision of this approval gives. */
  readonly decidedOn: (approval: ApprovalId) => Promise<ReturnType<typeof trustOnCard>>;
  /** The people who ended trusts in this process. They were told so, and the store may be set back behind that. */
  readonly endedBy: Map<TrustId, UserId>;
}

type Revoked = 'revoked' | 'already' | 'unknown';

const TELL_MS = 1_000;
const MOST_KNOWN = 1_000;

/** How a trust ends: a person ends it, or its workspace removes the app. */
export function createTrustEnding({ store, log, recordEnd, step, ended, decidedOn, endedBy }: TrustEndingDeps) {
  /** Revokes a trust. That counts at once; its workspace hears of it afterwards. */
  const end = async (recorder: TrustRecorder, by: UserId): Promise<Revoked> => {
    const committed = await recorder.decide((state) => decideRevoke(state, by), 'unknown');
    const trust = recorder.state()?.trust;
    // Another person may have ended it before.
    if (trust !== undefined) keepNewest(endedBy, trust.id, trust.revoked?.by ?? by, MOST_KNOWN);
    await step('trust-taken');
    const result = committed === 'late' ? 'unknown' : committed;
    if (result === 'revoked') await recordEnd(recorder);
    return result;
  };

  /** Ends a trust again that was ended in this process, where the store has lost that end. */
  const endAgain = async (recorder: TrustRecorder): Promise<void> => {
    const trust = recorder.state()?.trust;
    const by = trust && endedBy.get(trust.id);
    if (trust?.revoked === undefined && by !== undefined) await end(recorder, by);
  };

  /** Takes a trust that has ended off its lists, because each later call would read it again. */
  const leaveLists = async (recorder: TrustRecorder): Promise<void> => {
    const trust = recorder.state()?.trust;
    // The process that revoked it died before the end was on record.
    if (trust?.revoked !== undefined) return recordEnd(recorder);
    if (trust === undefined || !hasEnded(trust, recorder.nowMs())) return;
    const left = listsOfTrust(trust).map((index) => ({ index, member: trust.id }));
    // The store may be away. The next reader of a list tries again.
    await orLog(log.debug, 'A trust that has ended is still on its lists.', { trust: trust.id }, () =>
      store.leaveLists(left),
    );
  };

  const tellEnd = async (recorder: TrustRecorder): Promise<'told' | 'owing'> => {
    const state = recorder.state();
    if (state === undefined) return 'told';
    const { trust } = state;
    const item = { what: 'trust-end', subject: trust.id } as const;
    const leftMs = trust.untilMs - recorder.nowMs();
    if (!hasEnded(trust, recorder.nowMs())) {
      await store.moveDue(item, leftMs);
      return 'told';
    }
    const shown = await ended({
      trust: trust.id,
      by: trust.revoked?.by,
      approval: trust.approval,
      runs: runsOn(state),
    });
    if (shown === 'owing') return shown;
    await store.moveDue(item, 'never');
    return 'told';
  };

  const revoke = async (
    recorder: TrustRecorder,
    { id, by, approval }: { readonly id: TrustId; readonly by: UserId; readonly approval: ApprovalId | undefined },
  ): Promise<Revoked> => {
    let result = await end(recorder, by);
    const decided = result === 'unknown' && approval !== undefined ? await decidedOn(approval) : undefined;
    if (decided?.trust === id) {
      await writeTrust(recorder, decided);
      result = await end(recorder, by);
    }
    // The presser waits. What is not told by then, or fails, is told when the end comes up as due.
    const telling = orLog(log.warn, 'Not every run knows yet that its trust has ended.', {}, () => tellEnd(recorder));
    await withLimit(telling, { ms: TELL_MS, late: undefined });
    return result;
  };

  return { end, endAgain, leaveLists, revoke, tellEnd };
}
