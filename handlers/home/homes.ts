import { createHmac } from 'node:crypto';
import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import type { KnownTool, Person } from '../../app/records/index.ts';
import type { HomeClaims, HomeShows } from '../../app/store/index.ts';
import { type CancelTimer, createTurns, idleTimers } from '../../app/time/index.ts';
import { isSlackError } from '../sender/index.ts';
import { homeView, type MessageView, unreadableHome } from '../views/index.ts';
import type { Workspace, Workspaces } from '../workspaces/index.ts';
import { createKnownPages } from './known-pages.ts';
import { createPublishByOne } from './one-publisher.ts';

export interface HomeDeps {
  readonly approvals: Pick<Approvals, 'waitingFor' | 'askedBy' | 'settledFor' | 'suggestedTo'>;
  readonly trust: Pick<Trust, 'listFor'>;
  readonly tools: () => readonly KnownTool[];
  readonly commandPrefix: string;
  /** Answers soon, even a failure. */
  readonly store: HomeClaims;
  readonly client: WebClient;
  readonly log: Log;
}

/** Publishes the Home tab of each person, drawn from what is stored. */
export interface Homes {
  /** Draws the page at once: this person looks at it. */
  readonly show: (person: Person) => Promise<void>;
  /** The same, with an answer to a press. Each page that this process draws for half a minute shows it. */
  readonly say: (person: Person, answer: MessageView) => Promise<void>;
  /** Redraws the pages of these people soon, each at most once every few seconds. */
  readonly changed: (people: readonly Person[]) => void;
  readonly stop: () => void;
}

/** Changes come in groups: a question is asked, answered and painted in quick succession. */
const SETTLE_MS = 300;
const EVERY_MS = 5_000;
/** When a page that another process has claimed is tried again. */
const AGAIN_MS = 1_000;
/** How often in a row a page that could not be read is tried again, which takes a minute. The count begins anew when its person looks. */
const MOST_AGAIN = 12;
/** How long a person who looks at the page waits for another process. One call to Slack takes no longer. */
const LOOK_MS = 10_000;
/** A page that took this long to publish is drawn once more. */
const STALE_MS = 800;
const MOST_DRAWN = 2;
/** After this, a page is sent even if it shows nothing new: Slack may have lost it. */
const KNOWN_MS = 10 * 60 * 1000;
/** A person may look away from the page, which is soon redrawn. */
const ANSWER_MS = 30_000;
/** At most this many pages wait to be redrawn. The others are drawn when their person looks. */
const MOST_WAITING = 500;

export function createHomes(deps: HomeDeps): Homes {
  const { store, client, log } = deps;
  // A page is drawn only after the one before has arrived, so the last to arrive is the newest.
  const inTurn = createTurns();
  const byOne = createPublishByOne(store);
  const planned = new Map<string, CancelTimer>();
  const pages = createKnownPages(2 * MOST_WAITING);
  let stopped = false;

  const send = async (person: Person, answer?: MessageView, before?: HomeShows): Promise<HomeShows> => {
    let shown = before;
    for (let tries = 0; ; tries += 1) {
      const view = await drawOrSay(deps, person, answer);
      if (view === UNREADABLE) tryAgain(person);
      else pages.remember(keyOf(person), { failures: 0 });
      // With a key, so that what the store keeps gives no hint of what the page shows.
      const shows = createHmac('sha256', client.token ?? '')
        .update(JSON.stringify(view))
        .digest('base64url');
      if (shows === shown?.shows) return shown;
      shown = { shows, forMs: KNOWN_MS };
      const drawnMs = performance.now();
      await client.views.publish({ user_id: person.user, view });
      // A page that waited long may show an old state.
      if (performance.now() - drawnMs < STALE_MS || tries + 1 >= MOST_DRAWN) return shown;
    }
  };

  const publish = (person: Person, waitMs: number, pressed?: MessageView): Promise<void> =>
    inTurn(keyOf(person), async () => {
      if (waitMs > 0) pages.remember(keyOf(person), { failures: 0 });
      if (pressed !== undefined)
        pages.remember(keyOf(person), { answer: pressed, untilMs: performance.now() + ANSWER_MS });
      const { isSure, answer } = pages.of(keyOf(person));
      const how = await byOne(person, waitMs, (before) => send(person, answer, isSure ? before : undefined));
      if (how === 'shown') return pages.remember(keyOf(person), { atMs: performance.now(), isSure: true });
      if (how === 'unsure' || waitMs > 0) {
        if (how === 'not-claimed') await send(person, answer);
        pages.remember(keyOf(person), { atMs: performance.now(), isSure: false });
      }
      plan(person, AGAIN_MS);
    });

  const tryAgain = (person: Person): void => {
    const { failures } = pages.of(keyOf(person));
    pages.remember(keyOf(person), { failures: failures + 1 });
    if (failures < MOST_AGAIN) plan(person, EVERY_MS);
  };

  const plan = (person: Person, afterMs = SETTLE_MS): void => {
    const key = keyOf(person);
    if (stopped || planned.has(key) || planned.size >= MOST_WAITING) return;
    const { atMs, isSure } = pages.of(key);
    const wait = isSure ? Math.max(afterMs, atMs + EVERY_MS - performance.now()) : afterMs;
    const cancel = idleTimers.after(wait, () => {
      // Removed before the drawing starts: a change that comes during it plans another one.
      planned.delete(key);
      // Slack may refuse. The page is then drawn when its person looks.
      publish(person, 0).catch((error: unknown) => {
        if (isSlackError(error, 'not_enabled')) stopped = true;
        log.debug('A Home page was not kept fresh; it is drawn when its person looks', { user: person.user, error });
      });
    });
    planned.set(key, cancel);
  };

  return {
    show: (person) => publish(person, LOOK_MS),
    say: (person, answer) => publish(person, LOOK_MS, answer),
    changed: (people) => {
      for (const person of people) plan(person);
    },
    stop: () => {
      stopped = true;
      for (const cancel of planned.values()) cancel();
      planned.clear();
    },
  };
}

/** The store may be out of reach. The page says so. */
const drawOrSay = (deps: HomeDeps, person: Person, answer: MessageView | undefined): Promise<HomeView> =>
  draw(deps, person, answer).catch((error: unknown) => {
    deps.log.warn('A Home page could not be drawn', { user: person.user, error });
    return UNREADABLE;
  });

const UNREADABLE = unreadableHome();

async function draw(
  { approvals, trust, tools, commandPrefix }: HomeDeps,
  person: Person,
  answer: MessageView | undefined,
): Promise<HomeView> {
  const [waiting, asked, decided, trusted, suggested] = await Promise.all([
    approvals.waitingFor(person),
    approvals.askedBy(person),
    approvals.settledFor(person),
    trust.listFor(person),
    approvals.suggestedTo(person),
  ]);
  return homeView({ waiting, asked, decided, trusted, suggested, tools: tools(), commandPrefix, answer });
}

const keyOf = ({ team, user }: Person): string => `${team}:${user}`;

/** The pages of all workspaces. */
export interface AllHomes extends Pick<Homes, 'stop'> {
  readonly of: (workspace: Workspace) => Homes;
  /** For callers that know a person and have no client. */
  readonly changed: Homes['changed'];
}

export function createAllHomes({
  workspaces,
  homesOf,
  log,
}: {
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly homesOf: (workspace: Workspace) => Homes;
  readonly log: Log;
}): AllHomes {
  const known = new Set<Homes>();
  let stopped = false;
  const of = (workspace: Workspace): Homes => {
    const homes = homesOf(workspace);
    known.add(homes);
    return homes;
  };
  const tell = async (person: Person): Promise<void> => {
    const workspace = await workspaces.of(person.team);
    if (workspace !== undefined && !stopped) of(workspace).changed([person]);
  };
  return {
    of,
    changed: (people) => {
      for (const person of people) {
        // The workspace may not be found. The page is then drawn when its person looks.
        tell(person).catch((error: unknown) =>
          log.debug('A Home page was not kept fresh; it is drawn when its person looks', { user: person.user, error }),
        );
      }
    },
    stop: () => {
      stopped = true;
      for (const homes of known) homes.stop();
    },
  };
}
