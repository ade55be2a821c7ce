import type { WebClient } from '@slack/web-api';
import type { Approvals } from '../../app/approvals/index.ts';
import type { Trust } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import type { KnownTool, Person } from '../../app/records/index.ts';
import { type CancelTimer, createTurns, idleTimers } from '../../app/time/index.ts';
import { isSlackError } from '../sender/index.ts';
import { homeView, type MessageView, unreadableHome } from '../views/index.ts';
import type { Workspace, Workspaces } from '../workspaces/index.ts';

export interface HomeDeps {
  readonly approvals: Pick<Approvals, 'waitingFor' | 'askedBy' | 'settledFor' | 'suggestedTo'>;
  readonly trust: Pick<Trust, 'listFor'>;
  readonly tools: () => readonly KnownTool[];
  readonly commandPrefix: string;
  readonly client: WebClient;
  readonly log: Log;
}

/** Publishes the Home tab of each person, drawn from what is stored. */
export interface Homes {
  /** Draws the page at once: this person looks at it. */
  readonly show: (person: Person) => Promise<void>;
  /** The same, with an answer to a press on the page. */
  readonly say: (person: Person, answer: MessageView) => Promise<void>;
  /** Redraws the pages of these people soon, each at most once every few seconds. */
  readonly changed: (people: readonly Person[]) => void;
  readonly stop: () => void;
}

/** Changes come in groups: a question is asked, answered and painted in quick succession. */
const SETTLE_MS = 300;
const EVERY_MS = 5_000;
/** A page that took this long to publish is drawn once more. */
const STALE_MS = 800;
const MOST_DRAWN = 2;
/** At most so many pages wait to be redrawn. The others are drawn when their person looks. */
const MOST_WAITING = 500;

export function createHomes({ approvals, trust, tools, commandPrefix, client, log }: HomeDeps): Homes {
  // A page is drawn only after the one before has arrived, so the last to arrive is the newest.
  const inTurn = createTurns();
  const planned = new Map<string, CancelTimer>();
  const published = new Map<string, number>();
  let stopped = false;

  const draw = async (person: Person, answer: MessageView | undefined) => {
    const [waiting, asked, decided, trusted, suggested] = await Promise.all([
      approvals.waitingFor(person),
      approvals.askedBy(person),
      approvals.settledFor(person),
      trust.listFor(person),
      approvals.suggestedTo(person),
    ]);
    return homeView({ waiting, asked, decided, trusted, suggested, tools: tools(), commandPrefix, answer });
  };

  const publish = (person: Person, answer?: MessageView): Promise<void> =>
    inTurn(keyOf(person), async () => {
      for (let tries = 0, tookMs = STALE_MS; tookMs >= STALE_MS && tries < MOST_DRAWN; tries += 1) {
        // The store may be out of reach. The page says so.
        const view = await draw(person, answer).catch((error: unknown) => {
          log.warn('A Home page could not be drawn', { user: person.user, error });
          return unreadableHome();
        });
        const drawnMs = performance.now();
        await client.views.publish({ user_id: person.user, view });
        // A page that waited long may show an old state.
        tookMs = performance.now() - drawnMs;
      }
      remember(keyOf(person));
    });

  const remember = (key: string): void => {
    published.delete(key);
    published.set(key, performance.now());
    const [oldest] = published.keys();
    if (published.size > 2 * MOST_WAITING && oldest !== undefined) published.delete(oldest);
  };

  const plan = (person: Person): void => {
    const key = keyOf(person);
    if (stopped || planned.has(key) || planned.size >= MOST_WAITING) return;
    const last = published.get(key);
    const wait = last === undefined ? SETTLE_MS : Math.max(SETTLE_MS, last + EVERY_MS - performance.now());
    const cancel = idleTimers.after(wait, () => {
      // Removed before the drawing starts: a change that comes during it plans another one.
      planned.delete(key);
      // Slack may refuse. The page is then drawn when its person looks.
      publish(person).catch((error: unknown) => {
        if (isSlackError(error, 'not_enabled')) stopped = true;
        log.debug('A Home page was not kept fresh; it is drawn when its person looks', { user: person.user, error });
      });
    });
    planned.set(key, cancel);
  };

  return {
    show: publish,
    say: publish,
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

const keyOf = ({ team, user }: Person): string => `${team}:${user}`;

/** The pages of all workspaces, for callers that know a person and have no client. */
export function createAllHomes({
  workspaces,
  homesOf,
  log,
}: {
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly homesOf: (workspace: Workspace) => Homes;
  readonly log: Log;
}): Pick<Homes, 'changed' | 'stop'> {
  const known = new Set<Homes>();
  let stopped = false;
  const tell = async (person: Person): Promise<void> => {
    const workspace = await workspaces.of(person.team);
    if (workspace === undefined || stopped) return;
    const homes = homesOf(workspace);
    known.add(homes);
    homes.changed([person]);
  };
  return {
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
