import type { Timers } from '../../../interventions/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Log } from '../../log.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { CardReceipt } from '../../records/index.ts';
import type { GrowingReply, Surface } from '../../surface.ts';
import { createTurns } from '../../time/index.ts';
import { dropWriting, type PlaceDeps, placeReply } from './placed-reply.ts';

/** The reply in the thread while it grows: posted a moment after there is something to read, deleted when it is dropped. */
export interface ReplyInGrowth {
  readonly isOpen: () => boolean;
  /** Call when there is more to show. */
  readonly grow: () => void;
  readonly drop: () => Promise<void>;
  /** Waits for what is being posted, and posts nothing more until `grow` is called. */
  readonly settle: () => Promise<void>;
  /** Deletes the reply and keeps it away until the returned function is called. */
  readonly rest: () => Promise<() => void>;
  /** The reply has become a post. The next reply begins anew. */
  readonly forget: () => void;
  readonly end: () => Promise<void>;
}

export interface GrowingReplyDeps extends PlaceDeps {
  readonly surface: Pick<Surface, 'beginReply' | 'growReply' | 'dropReply'>;
  readonly timers: Timers;
  readonly log: Log;
}

export function createGrowingReply(
  deps: GrowingReplyDeps,
  journal: RunJournal,
  written: () => GrowingReply,
): ReplyInGrowth {
  const { surface, timers, log, step } = deps;
  let card: CardReceipt | undefined;
  let resting = 0;
  let ended = false;
  /** The reply cannot be shown now; the next turn may try again. */
  let gaveUp = false;

  const giveUp = (): void => {
    gaveUp = true;
  };

  const turns = createTurns();
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    // Slack or the store may be away. The reply is then posted when it is whole.
    turns('reply', work).catch((error: unknown) => {
      giveUp();
      log.info('People cannot read along just now; they are told when it is whole.', { run: journal.run, error });
    });

  const isIdle = (): boolean => {
    const { text, calls } = written();
    return resting > 0 || ended || gaveUp || (text === '' && calls.length === 0);
  };

  const open = async (): Promise<void> => {
    if (isIdle() || card !== undefined) return;
    card = await placeReply(deps, journal, giveUp);
    if (card !== undefined) grow();
  };

  const grow = (): void => {
    const thread = journal.state()?.thread;
    if (isIdle() || thread === undefined) return;
    if (card !== undefined) {
      void surface.growReply(card, written(), thread).then(() => step('reply-grown'));
    } else {
      alarm.set();
    }
  };

  const alarm = createAlarm(timers, () => void inTurn(open));

  const drop = (): Promise<void> =>
    inTurn(async () => {
      card = undefined;
      await dropWriting(surface, journal);
    });

  const settle = async (): Promise<void> => {
    alarm.stop();
    await inTurn(async () => {});
  };

  const rest = async (): Promise<() => void> => {
    resting += 1;
    await settle();
    if (card !== undefined) await drop();
    return () => {
      resting -= 1;
      grow();
    };
  };

  const forget = (): void => {
    card = undefined;
    gaveUp = false;
  };

  const end = async (): Promise<void> => {
    ended = true;
    await settle();
  };

  return { isOpen: () => card !== undefined, grow, drop, settle, rest, forget, end };
}

/** Fires once, a moment after it was first set. */
function createAlarm(timers: Timers, fire: () => void): { readonly set: () => void; readonly stop: () => void } {
  let stopTimer: (() => void) | undefined;
  return {
    set: () => {
      stopTimer ??= timers.after(LIMITS.readAlongAfterMs, () => {
        stopTimer = undefined;
        fire();
      });
    },
    stop: () => {
      stopTimer?.();
      stopTimer = undefined;
    },
  };
}
