import type { Clock, Timers } from '../../../../interventions/index.ts';
import type { Log } from '../../../log.ts';
import type { Elicitation, ElicitationAnswer } from '../call/elicitation.ts';
import type { ServerSettings } from '../file.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { type Link, openLink } from './link.ts';

export interface KeepLinkDeps {
  readonly settings: ServerSettings;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  /** A busy server may have no time for a ping. */
  readonly busy: () => boolean;
  readonly onList: (tools: readonly unknown[]) => void;
  readonly onQuestion: (question: Elicitation, signal: AbortSignal) => Promise<ElicitationAnswer>;
}

export interface KeptLink {
  /** The connection, with a list of tools that is not old. Rejects while the server is away: nothing was sent. */
  readonly fresh: () => Promise<Link>;
  /** Resolves after the first try, good or bad. */
  readonly tried: Promise<void>;
  readonly close: () => Promise<void>;
}

type State =
  | { readonly type: 'up'; readonly link: Link; readonly sinceMs: number; readonly listedMs: number }
  | { readonly type: 'away'; readonly why: string }
  | { readonly type: 'closed' };

/** Keeps one connection to a server alive: says when it is lost, and tries again for ever, more and more rarely. */
export function keepLink(deps: KeepLinkDeps): KeptLink {
  const { settings, log, clock, timers, random, busy, onList, onQuestion } = deps;
  const { name: server } = settings;
  let state: State = { type: 'away', why: 'it has not been reached yet' };
  let failures = 0;
  let cancelTimer = () => {};
  let cancelList = () => {};

  async function open(): Promise<void> {
    let mine: Link | undefined;
    try {
      const link = await openLink({
        settings,
        log,
        onLost: () => mine !== undefined && lost(mine, 'it ended the connection'),
        onToolsChanged: () => mine !== undefined && listSoon(mine),
        onDoubt: () => mine !== undefined && void check(mine),
        onQuestion,
      });
      mine = link;
      if (isClosed()) return await link.close();
      await list(link, clock.now());
      log.info('A tool server is there.', { server });
      watch(link);
    } catch (error) {
      await mine?.close().catch(() => {});
      // Whoever lost it while its tools were listed has said so already.
      if (state.type !== 'up' || state.link === mine) away(error instanceof Error ? error.message : String(error));
    }
  }

  async function list(link: Link, sinceMs: number): Promise<void> {
    const listedMs = clock.now();
    const tools = await link.list();
    if (isClosed()) return;
    state = { type: 'up', link, sinceMs, listedMs };
    onList(tools);
  }

  function listSoon(link: Link): void {
    cancelList();
    cancelList = timers.after(SERVER_LIMITS.listEveryMs, () => {
      if (state.type === 'up' && state.link === link) void list(link, state.sinceMs).catch(() => check(link));
    });
  }

  /** A server may be gone without a word. */
  function watch(link: Link): void {
    cancelTimer();
    cancelTimer = timers.after(SERVER_LIMITS.pingMs, () => {
      if (state.type !== 'up' || state.link !== link) return;
      void (busy() ? Promise.resolve() : check(link)).then(() => {
        if (state.type === 'up' && state.link === link) watch(link);
      });
    });
  }

  let checking: Promise<void> | undefined;
  function check(link: Link): Promise<void> {
    checking ??= link
      .ping()
      .catch(() => lost(link, 'it does not answer'))
      .finally(() => {
        checking = undefined;
      });
    return checking;
  }

  function lost(link: Link, why: string): void {
    if (state.type !== 'up' || state.link !== link) return;
    // One that dies as soon as it is there has not recovered.
    if (clock.now() - state.sinceMs >= SERVER_LIMITS.longestRetryMs) failures = 0;
    away(why);
    void link.close().catch(() => {});
  }

  function away(why: string): void {
    if (isClosed()) return;
    state = { type: 'away', why };
    const waitMs = Math.min(SERVER_LIMITS.firstRetryMs * 2 ** failures, SERVER_LIMITS.longestRetryMs);
    failures += 1;
    log.warn('A tool server is away; its tools answer with an error until it is back.', { server, why, waitMs });
    cancelTimer();
    cancelTimer = timers.after(Math.round(waitMs * (0.75 + random() / 2)), () => void open());
  }

  const isClosed = () => state.type === 'closed';

  return {
    fresh: async () => {
      if (state.type === 'up' && clock.now() - state.listedMs > SERVER_LIMITS.listFreshMs)
        await list(state.link, state.sinceMs).catch(() => {});
      if (state.type === 'up') return state.link;
      const why = state.type === 'away' ? state.why : 'the bot is stopping';
      throw new Error(`the tool server ${server} is away (${why}). Nothing was sent; it is tried again by itself`);
    },
    tried: open(),
    close: async () => {
      const before = state;
      state = { type: 'closed' };
      cancelTimer();
      cancelList();
      if (before.type === 'up') await before.link.close();
    },
  };
}
