import type { Clock, Timers } from '../../../../interventions/index.ts';
import { errorText, type Log } from '../../../log.ts';
import { orLog } from '../../../or-log.ts';
import type { Elicitation, ElicitationAnswer } from '../call/elicitation.ts';
import type { ServerSettings } from '../file.ts';
import { SERVER_LIMITS } from '../limits.ts';
import { openLink, type ServerLink, systemCode } from './link.ts';

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
  /** The connection, with a list of tools that is not old. Rejects while the server is away; nothing was sent then. */
  readonly fresh: () => Promise<ServerLink>;
  /** Resolves after the first attempt, also a failed one. */
  readonly tried: Promise<void>;
  readonly close: () => Promise<void>;
}

interface Up {
  readonly type: 'up';
  readonly link: ServerLink;
  readonly sinceMs: number;
  readonly listedMs: number;
  /** What `notices` was before the list was read. */
  readonly notices: number;
}

type State = Up | { readonly type: 'away'; readonly why: string } | { readonly type: 'closed' };

interface Keeping extends KeepLinkDeps {
  state: State;
  failures: number;
  /** How often a server has told that its list changed. */
  notices: number;
  cancelTimer: () => void;
  cancelList: () => void;
  checking: Promise<void> | undefined;
}

/** Keeps one connection to a server alive. A lost connection is logged and tried again for ever, with growing pauses. */
export function keepLink(deps: KeepLinkDeps): KeptLink {
  const keeping: Keeping = {
    ...deps,
    state: { type: 'away', why: 'it has not been reached yet' },
    failures: 0,
    notices: 0,
    cancelTimer: () => {},
    cancelList: () => {},
    checking: undefined,
  };
  return {
    fresh: () => fresh(keeping),
    tried: open(keeping),
    close: () => close(keeping),
  };
}

async function open(keeping: Keeping): Promise<void> {
  const { settings, log, clock, timers, onQuestion } = keeping;
  let opened: ServerLink | undefined;
  try {
    const link = await openLink({
      settings,
      log,
      timers,
      onLost: () => opened !== undefined && lost(keeping, opened, 'it ended the connection'),
      onToolsChanged: () => opened !== undefined && listSoon(keeping, opened),
      onDoubt: () => opened !== undefined && void check(keeping, opened),
      onQuestion,
    });
    opened = link;
    if (isClosed(keeping)) return await link.close();
    await list(keeping, link, clock.now());
    log.info('A tool server is there.', { server: settings.name });
    watch(keeping, link);
    // The server did not start, did not answer, or has no usable list. `away` logs it and tries again.
  } catch (error) {
    if (opened !== undefined) await giveUp(keeping, opened);
    // A link that was lost while its tools were listed has been reported already.
    const { state } = keeping;
    if (state.type !== 'up' || state.link === opened) {
      const code = systemCode(error);
      away(keeping, code === '' ? errorText(error) : `${errorText(error)} (${code})`);
    }
  }
}

/** Closes a link that is not used any more, whether the server answers or not. */
async function giveUp({ settings, log }: Keeping, link: ServerLink): Promise<void> {
  const about = { server: settings.name };
  await orLog(log.debug, 'The connection to a tool server was not closed.', about, () => link.close());
}

async function list(keeping: Keeping, link: ServerLink, sinceMs: number): Promise<void> {
  const listedMs = keeping.clock.now();
  const { notices } = keeping;
  const tools = await link.list();
  if (isClosed(keeping)) return;
  keeping.state = { type: 'up', link, sinceMs, listedMs, notices };
  keeping.onList(tools);
}

/** Reads the list anew. After a failure, which is logged, the former list stays; the result is `false` then. */
async function listAgain(keeping: Keeping, { link, sinceMs }: Up): Promise<boolean> {
  const about = { server: keeping.settings.name };
  const listed = await orLog(keeping.log.warn, 'The tools of a server could not be listed anew.', about, async () => {
    await list(keeping, link, sinceMs);
    return true;
  });
  return listed ?? false;
}

function listSoon(keeping: Keeping, link: ServerLink): void {
  keeping.notices += 1;
  keeping.cancelList();
  keeping.cancelList = keeping.timers.after(SERVER_LIMITS.listEveryMs, () => {
    const { state } = keeping;
    if (state.type !== 'up' || state.link !== link) return;
    // The ping shows whether the server is lost. If not, the former list stays.
    void listAgain(keeping, state).then((listed) => (listed ? undefined : check(keeping, link)));
  });
}

/** Pings the server regularly, because it may be gone silently. */
function watch(keeping: Keeping, link: ServerLink): void {
  keeping.cancelTimer();
  keeping.cancelTimer = keeping.timers.after(SERVER_LIMITS.pingMs, () => {
    if (!isUp(keeping, link)) return;
    void (keeping.busy() ? Promise.resolve() : check(keeping, link)).then(() => {
      if (isUp(keeping, link)) watch(keeping, link);
    });
  });
}

function check(keeping: Keeping, link: ServerLink): Promise<void> {
  keeping.checking ??= link
    .ping()
    // A server that does not answer a ping is lost, whatever the reason.
    .catch(() => lost(keeping, link, 'it does not answer'))
    .finally(() => {
      keeping.checking = undefined;
    });
  return keeping.checking;
}

function lost(keeping: Keeping, link: ServerLink, why: string): void {
  const { state, clock } = keeping;
  if (state.type !== 'up' || state.link !== link) return;
  // A server that dies soon after its start has not recovered.
  if (clock.now() - state.sinceMs >= SERVER_LIMITS.longestRetryMs) keeping.failures = 0;
  away(keeping, why);
  void giveUp(keeping, link);
}

function away(keeping: Keeping, why: string): void {
  if (isClosed(keeping)) return;
  const { settings, log, timers, random } = keeping;
  keeping.state = { type: 'away', why };
  const waitMs = Math.min(SERVER_LIMITS.firstRetryMs * 2 ** keeping.failures, SERVER_LIMITS.longestRetryMs);
  keeping.failures += 1;
  log.warn('A tool server is away; its tools answer with an error until it is back. See that it runs.', {
    server: settings.name,
    why,
    waitMs,
  });
  keeping.cancelTimer();
  keeping.cancelTimer = timers.after(Math.round(waitMs * (0.75 + random() / 2)), () => void open(keeping));
}

async function fresh(keeping: Keeping): Promise<ServerLink> {
  const { clock, settings } = keeping;
  const before = keeping.state;
  const isOld = ({ notices, listedMs }: Up) =>
    notices !== keeping.notices || clock.now() - listedMs > SERVER_LIMITS.listFreshMs;
  if (before.type === 'up' && isOld(before))
    // A lost server is `away` below. The former list is used while the server is there.
    await listAgain(keeping, before);
  const { state } = keeping;
  if (state.type === 'up') return state.link;
  const why = state.type === 'away' ? state.why : 'the bot is stopping';
  throw new Error(`the tool server ${settings.name} is away (${why}). Nothing was sent; it is tried again by itself`);
}

async function close(keeping: Keeping): Promise<void> {
  const before = keeping.state;
  keeping.state = { type: 'closed' };
  keeping.cancelTimer();
  keeping.cancelList();
  if (before.type === 'up') await before.link.close();
}

const isClosed = ({ state }: Keeping) => state.type === 'closed';

const isUp = ({ state }: Keeping, link: ServerLink) => state.type === 'up' && state.link === link;
