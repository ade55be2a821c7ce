import { given } from '../../app/given.ts';
import type { Acknowledgement, DeliveryKind, SentDelivery } from '../delivery/deliveries.ts';
import type { ApiObject } from '../json.ts';
import { placeOnWire } from '../organisation.ts';
import { APP, BOT, type Channel } from '../people.ts';
import { type AnswerAddress, addAnswerAddress, addTrigger, putEphemeral, type State } from '../state.ts';

/** What every act of a person needs: the workspace, a way to the app, and the address of this server. */
export interface ActStage {
  readonly state: State;
  readonly send: (kind: DeliveryKind, payload: ApiObject) => SentDelivery;
  readonly address: () => string;
  /** The commands of the app, without which every command is taken. */
  readonly commands: readonly string[] | undefined;
  /** The events that the app subscribed to, without which every event is sent. */
  readonly events: readonly string[] | undefined;
}

/** A delivery about an act of a person, and what the app answered. */
export interface ActOutcome {
  readonly delivery: SentDelivery;
  readonly acknowledgement: Acknowledgement;
}

/** Tells the app of an event, if it subscribed to events of this kind. */
export function tellApp(stage: ActStage, event: ApiObject): void {
  const place = event.channel_type === 'im' ? 'im' : 'channels';
  const name = event.type === 'message' ? `message.${place}` : String(event.type);
  if (stage.events?.includes(name) !== false) sendEvent(stage, event);
}

/** Wraps an event as the Events API does, with an id of its own. */
export function sendEvent(stage: ActStage, event: ApiObject): SentDelivery {
  return stage.send('events_api', {
    token: 'sandbox',
    team_id: stage.state.team,
    context_team_id: stage.state.team,
    context_enterprise_id: stage.state.organisation?.id ?? null,
    api_app_id: APP,
    event,
    type: 'event_callback',
    event_id: stage.state.nextId('Ev'),
    event_time: Math.floor(stage.state.now() / 1000),
    authorizations: [
      {
        enterprise_id: stage.state.organisation?.id ?? null,
        team_id: stage.state.team,
        user_id: BOT,
        is_bot: true,
        is_enterprise_install: stage.state.organisation !== undefined,
      },
    ],
    is_ext_shared_channel: false,
    event_context: stage.state.nextId('4-'),
  });
}

/** The part that all interactions have in common. */
export function interaction(stage: ActStage, user: string): ApiObject {
  const person = stage.state.people.get(user);
  const name = person?.name ?? '';
  const teamId = person === undefined ? stage.state.team : person.teamId;
  return {
    user: { id: user, username: name, name, ...given({ team_id: teamId }) },
    api_app_id: APP,
    token: 'sandbox',
    ...placeOnWire(stage.state),
    trigger_id: addTrigger(stage.state, user),
  };
}

export function answerAddress(stage: ActStage, address: Omit<AnswerAddress, 'expiresAtMs' | 'usesLeft'>): string {
  return `${stage.address()}/respond/${addAnswerAddress(stage.state, address)}`;
}

export function channelOnPayload(channel: Channel): ApiObject {
  return { id: channel.id, name: channel.type === 'im' ? 'directmessage' : channel.name };
}

/** The channel, which this person has to be a member of: without that, a person can neither write nor press there. */
export function visibleChannel(stage: ActStage, user: string, id: string): Channel {
  const channel = stage.state.channels.get(id);
  if (channel === undefined) throw new Error(`There is no channel ${id}. Use one of the exported ids.`);
  if (!channel.members.includes(user)) {
    throw new Error(`${user} is not in ${id}, so this cannot happen. Let a member do it, or add the person.`);
  }
  return channel;
}

/** Slack itself tells the person that something went wrong between Slack and the app. */
export function noticeFromSlack(
  stage: ActStage,
  notice: { readonly to: string; readonly channel: string; readonly text: string; readonly threadTs?: string },
): void {
  putEphemeral(stage.state, { ...notice, from: 'USLACKBOT', blocks: [] });
}
