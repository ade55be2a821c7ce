import type { App, ReceiverEvent } from '@slack/bolt';
import type { ApprovalId, CardReceipt, InboxMessage } from '../../app/records/index.ts';
import type { AtStep } from '../../app/step.ts';
import { isEvent, readDelivery, readLeft } from '../payloads/index.ts';
import { handOn } from '../responding/index.ts';
import { UNLISTED, type Workspaces } from '../workspaces/index.ts';
import { createInFlight } from './in-flight.ts';
import { type DoorLeavingDeps, leaveWorkspace } from './leaving.ts';
import { createNotKept } from './not-kept.ts';
import { createTake, type ReadMessage, type Take, type TakingDeps } from './taking.ts';

export interface DoorDeps extends TakingDeps, DoorLeavingDeps {
  readonly workspaces: Pick<Workspaces, 'of' | 'ofDelivery' | 'unlisted' | 'remove'>;
  readonly cardDeleted: (approval: ApprovalId, card: CardReceipt) => Promise<void>;
  /** Also reads messages of other bots that mention this one. */
  readonly botsMayAsk: boolean;
  readonly step: AtStep;
  /** Names of the events that the table answers. */
  readonly events: ReadonlySet<string>;
}

/**
 * Stands in front of the Bolt app, which acknowledges an event before any listener runs. The door stores a message first
 * and acknowledges it then, so that Slack delivers again what could not be stored.
 */
export interface Door {
  readonly inFrontOf: (app: App) => App;
  /** Refuses new messages, which Slack will deliver again. Slack delivers a press once, so presses are still answered. */
  readonly close: () => void;
  /** Resolves when no delivery is being answered any more. */
  readonly idle: () => Promise<void>;
}

export function createDoor(deps: DoorDeps): Door {
  const inFlight = createInFlight();
  let open = true;
  const receiving: Receiving = { ...deps, take: createTake(deps), notKept: createNotKept(deps), isOpen: () => open };
  return {
    inFrontOf: (app) =>
      Object.create(app, {
        processEvent: { value: (event: ReceiverEvent) => inFlight.count(receive(receiving, { event, app })) },
      }),
    close: () => {
      open = false;
    },
    idle: inFlight.idle,
  };
}

interface Receiving extends DoorDeps {
  readonly take: Take;
  readonly notKept: (message: InboxMessage) => void;
  readonly isOpen: () => boolean;
}

/** A delivery, and the Bolt app that answers it. */
interface Received {
  readonly event: ReceiverEvent;
  readonly app: App;
}

async function receive(door: Receiving, received: Received): Promise<void> {
  const { event, app } = received;
  // A press is acknowledged before its workspace is looked up.
  if (!isEvent(event.body)) return app.processEvent(event);
  const cause = readLeft(event.body);
  if (cause !== undefined) {
    await leaveWorkspace(door, event.body, cause);
    return event.ack();
  }
  const workspace = await door.workspaces.ofDelivery(event.body);
  if (workspace === undefined) return decline(door, event, { why: whyNoWorkspace(door, event.body), chatter: false });
  const delivered = readDelivery(event.body, workspace.bot, { answered: door.events, botsMayAsk: door.botsMayAsk });
  switch (delivered.type) {
    case 'other':
      return app.processEvent(event);
    case 'ignored':
      return decline(door, event, delivered);
    case 'card-deleted':
      // Before the acknowledgement: if the process dies here, Slack delivers the event again.
      await door.cardDeleted(delivered.approval, delivered.card);
      return event.ack();
    case 'message':
      return receiveMessage(door, { workspace, ...delivered }, received);
  }
}

async function receiveMessage(door: Receiving, said: ReadMessage, { event, app }: Received): Promise<void> {
  const { step } = door;
  if (!door.isOpen()) throw new Error('The bot is stopping; Slack will deliver this again.');
  await step('delivery-received');
  // The store may fail. Slack will deliver the message again, and its writer is told that it is not stored yet.
  const taken = await door.take(said).catch((error: unknown) => {
    if (said.addressed) door.notKept(said.message);
    throw error;
  });
  if (typeof taken === 'string') return decline(door, event, { why: taken, chatter: true });
  const ack: ReceiverEvent['ack'] = async (response) => {
    await event.ack(response);
    await step('delivery-acknowledged');
  };
  return app.processEvent({ ...event, ack, customProperties: { ...event.customProperties, ...handOn(taken) } });
}

function whyNoWorkspace({ workspaces }: Receiving, body: unknown): string {
  const unlisted = workspaces.unlisted(body);
  if (unlisted === undefined) return 'an event of a workspace that the app is not installed in';
  return `an event of ${unlisted}. ${UNLISTED}`;
}

/** Acknowledges a delivery that is not acted on, and logs why: as debug what is usual in a busy channel. */
function decline(
  { log }: Receiving,
  event: ReceiverEvent,
  { why, chatter }: { readonly why: string; readonly chatter: boolean },
): Promise<void> {
  const { body, retryNum } = event;
  const about = { why, delivery: body.event_id, event: body.event?.type, retry: retryNum };
  if (chatter) log.debug('A delivery was not acted on', about);
  else log.info('A delivery was not acted on', about);
  return event.ack();
}
