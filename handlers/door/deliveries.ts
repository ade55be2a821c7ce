import type { App, ReceiverEvent } from '@slack/bolt';
import type { Trust } from '../../app/authority/index.ts';
import type { Log } from '../../app/log.ts';
import type { ApprovalId, CardReceipt, InboxMessage } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import type { AtStep } from '../../app/step.ts';
import { createTurns } from '../../app/time/index.ts';
import {
  isEvent,
  readDelivery,
  readLeft,
  readTeams,
  readThreadWords,
  readToldAt,
  type Wish,
} from '../payloads/index.ts';
import { type TakenAway, takeAway, type WhyNotHeard } from '../responding/index.ts';
import { spelledFor, UNLISTED, type Workspace, type Workspaces } from '../workspaces/index.ts';

/** What became of a message before it was acknowledged. */
export type Taken =
  | { readonly type: 'for-the-agent'; readonly message: InboxMessage }
  | { readonly type: 'words'; readonly wish: Wish; readonly message: InboxMessage; readonly done: Done };

/** What takes something back is done before it is acknowledged or marked as seen. Doing it twice is doing it once. */
interface Done {
  readonly stop?: Awaited<ReturnType<Runs['stop']>>;
  readonly takenAway?: TakenAway;
}

export interface DoorDeps {
  readonly runs: Runs;
  readonly trust: Pick<Trust, 'list' | 'revoke'>;
  readonly log: Log;
  readonly step: AtStep;
  readonly workspaces: Pick<Workspaces, 'of' | 'ofDelivery' | 'unlisted' | 'remove'>;
  /** What runs in a workspace without us is stopped, and nothing of it is trusted any more. */
  readonly left: (team: string) => Promise<void>;
  readonly cardDeleted: (approval: ApprovalId, card: CardReceipt) => Promise<void>;
  /** A message could not be stored: its writer is to be told. Must not reject. */
  readonly notKept: (message: InboxMessage) => void;
  /** Why the agent is not given a message; its author knows then. */
  readonly whyNotHeard: WhyNotHeard;
  /** Messages of bots that mention this one are read as well. */
  readonly botsMayAsk: boolean;
  /** Names of the events that the table answers. */
  readonly events: ReadonlySet<string>;
}

/**
 * Stands in front of the Bolt app, which acknowledges an event before any listener runs. Here a message is stored first
 * and acknowledged then, so that Slack sends again what could not be stored.
 */
export interface Door {
  readonly inFrontOf: (app: App) => App;
  readonly takenOf: (body: unknown) => Taken | undefined;
  /** Refuses new events, which Slack will send again; presses come once and are still answered. */
  readonly close: () => void;
  /** Resolves when nothing is being answered any more. */
  readonly idle: () => Promise<void>;
}

/** A store that is away for long must not fill our memory. */
const MOST_TROUBLED = 1_000;

export function createDoor({
  runs,
  trust,
  log,
  step,
  workspaces,
  left,
  cardDeleted,
  events,
  notKept,
  whyNotHeard,
  botsMayAsk,
}: DoorDeps): Door {
  const taken = new WeakMap<object, Taken>();
  const inFlight = new Set<Promise<void>>();
  const troubled = new Set<string>();
  /** A mention arrives twice, and the second finds nothing to take back any more. */
  const inTurn = createTurns();
  let open = true;

  const receive = async (event: ReceiverEvent, app: App): Promise<void> => {
    // A press is acknowledged first, before anybody looks where it comes from.
    if (!isEvent(event.body)) return app.processEvent(event);
    const cause = readLeft(event.body);
    if (cause !== undefined) {
      await leaveWorkspace(event.body, cause);
      return event.ack();
    }
    const workspace = await workspaces.ofDelivery(event.body);
    if (workspace === undefined) {
      const unlisted = workspaces.unlisted(event.body);
      const why =
        unlisted === undefined
          ? 'an event of a workspace that the app is not installed in'
          : `an event of ${unlisted}. ${UNLISTED}`;
      leave(event, why, false);
      return event.ack();
    }
    const delivered = readDelivery(event.body, workspace.bot, { answered: events, botsMayAsk });
    switch (delivered.type) {
      case 'other':
        return app.processEvent(event);
      case 'ignored':
        leave(event, delivered.why, delivered.chatter);
        return event.ack();
      case 'card-deleted':
        // Before it is acknowledged: Slack tells us again should we die at it.
        await cardDeleted(delivered.approval, delivered.card);
        return event.ack();
      case 'message': {
        if (!open) throw new Error('The bot is stopping; Slack will deliver this again.');
        await step('delivery-received');
        const result = await take(workspace, delivered.message, delivered.addressed).catch((error: unknown) => {
          if (delivered.addressed && isNews(delivered.message)) notKept(delivered.message);
          throw error;
        });
        if (typeof result === 'string') {
          leave(event, result, true);
          return event.ack();
        }
        taken.set(event.body, result);
        return app.processEvent({ ...event, ack: acknowledging(event) });
      }
    }
  };

  /** Before it is acknowledged, so that Slack tells us again should we die at it; every step may be done twice. */
  const leaveWorkspace = async (body: unknown, cause: string): Promise<void> => {
    const teams = readTeams(body);
    const installed = await Promise.all(teams.map(async (team) => (await workspaces.of(team)) !== undefined));
    // Told once more, nothing is installed any more, and the rest is still to be done.
    const team = teams[Math.max(0, installed.indexOf(true))];
    if (team === undefined) return;
    if ((await workspaces.remove(team, cause, readToldAt(body))) === 'newer') {
      log.warn('A delivery was not acted on', { why: 'the app was installed again since', team, cause });
      return;
    }
    log.warn('The app was removed from a workspace', { team, cause });
    await left(team);
  };

  /** A mention arrives twice, and again when it could not be stored: its writer is told once. */
  const isNews = ({ thread, ts }: InboxMessage): boolean => {
    if (troubled.size > MOST_TROUBLED) troubled.clear();
    return troubled.size !== troubled.add(`${thread.channel}:${ts}`).size;
  };

  /** What was taken, or why it was not. */
  const take = async (workspace: Workspace, said: InboxMessage, addressed: boolean): Promise<Taken | string> => {
    // Every message of every channel we are in arrives here, so this is decided before anything else is asked.
    if (!addressed && !(await runs.knows(said.thread))) return 'a message of a thread that is not ours';
    const { user, userTeam: team } = said;
    const message = team === undefined ? said : { ...said, userTeam: await spelledFor(workspace, { user, team }) };
    // Words that come with a file are about the file.
    const wish = addressed && message.files === undefined ? readThreadWords(message.text) : undefined;
    if (wish === undefined) {
      const why = await whyNotHeard(message);
      if (why !== undefined) return why;
      const result = await runs.take(message);
      return result === 'taken' ? { type: 'for-the-agent', message } : 'a message that was taken before';
    }
    return inTurn(`${message.thread.channel}:${message.ts}`, async () => {
      // First it is done, then it is known to be done: who dies in between is told once more.
      const done = await takeBack(wish, message);
      const first = await runs.once(message.thread, `words:${message.ts}`);
      if (!first) return 'words that were answered before';
      return { type: 'words', wish, message, done };
    });
  };

  const takeBack = async (wish: Wish, { thread, user, ts }: InboxMessage): Promise<Done> => {
    if (wish.type === 'stop') return { stop: await runs.stop(thread, user, ts) };
    if (wish.type !== 'untrust') return {};
    const place = { team: thread.team, channel: thread.channel, threadTs: thread.ts, user };
    const takenAway = await takeAway(trust, wish, place);
    await step('trust-taken');
    return { takenAway };
  };

  const acknowledging =
    ({ ack }: ReceiverEvent): ReceiverEvent['ack'] =>
    async (response) => {
      await ack(response);
      await step('delivery-acknowledged');
    };

  const leave = ({ body, retryNum }: ReceiverEvent, why: string, chatter: boolean) => {
    const about = { why, delivery: body.event_id, event: body.event?.type, retry: retryNum };
    if (chatter) log.debug('A delivery was not acted on', about);
    else log.info('A delivery was not acted on', about);
  };

  const count = (work: Promise<void>): Promise<void> => {
    inFlight.add(work);
    const done = () => inFlight.delete(work);
    work.then(done, done);
    return work;
  };

  return {
    inFrontOf: (app) =>
      Object.create(app, { processEvent: { value: (event: ReceiverEvent) => count(receive(event, app)) } }),
    takenOf: (body) => (typeof body === 'object' && body !== null ? taken.get(body) : undefined),
    close: () => {
      open = false;
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}
