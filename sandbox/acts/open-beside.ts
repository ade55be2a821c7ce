import { given } from '../../app/given.ts';
import type { ApiObject } from '../json.ts';
import { directChannel } from '../people.ts';
import type { Beside } from '../records.ts';
import type { State } from '../state.ts';
import { type ActStage, tellApp, visibleChannel } from './act.ts';

/** A person opens things beside the app's messages, in place of what was open there. */
export function openBeside(stage: ActStage, user: string, ...things: readonly Beside[]): void {
  for (const thing of things) {
    if (thing.type === 'channel') visibleChannel(stage, user, thing.id);
    if (thing.type === 'message') visibleChannel(stage, user, thing.channel);
  }
  stage.state.beside.set(user, things);
  tellApp(stage, {
    type: 'app_context_changed',
    user,
    channel: directChannel(user),
    context: contextOf(stage.state, user),
    event_ts: stage.state.nextTs(),
  });
}

/** What this person has open, as events name it. */
export function contextOf(state: State, user: string): ApiObject {
  const things = state.beside.get(user) ?? [];
  const { team, organisation } = state;
  const whose = { team_id: team, ...given({ enterprise_id: organisation?.id }) };
  return { entities: things.map((thing) => ({ ...entityOf(thing), ...whose })) };
}

function entityOf(thing: Beside): ApiObject {
  return thing.type === 'message'
    ? { type: 'slack#/types/message_context', value: { message_ts: thing.ts, channel_id: thing.channel } }
    : { type: `slack#/types/${thing.type}_id`, value: thing.id };
}
