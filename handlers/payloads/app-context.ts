import { z } from 'zod';
import type { Sight } from '../../app/records/index.ts';

/** Reads what a writer has open beside the app. Slack sends it with each direct message. */

const id = z.string().regex(/^[A-Z][A-Z0-9]{2,30}$/);
const ts = z.string().regex(/^\d{1,15}\.\d{1,9}$/);
const whose = { team_id: z.string().nullish(), enterprise_id: z.string().nullish() };

const Entity = z.discriminatedUnion('type', [
  z.object({ type: z.literal('slack#/types/channel_id'), value: id, ...whose }),
  z.object({ type: z.literal('slack#/types/canvas_id'), value: id, ...whose }),
  z.object({ type: z.literal('slack#/types/list_id'), value: id, ...whose }),
  z.object({
    type: z.literal('slack#/types/message_context'),
    value: z.object({ channel_id: id, message_ts: ts }),
    ...whose,
  }),
]);
type Entity = z.infer<typeof Entity>;

const Context = z.object({ entities: z.array(z.unknown()) });

/** More entities than fit on a screen. */
const MOST = 10;

interface Place {
  /** The workspace, and where the app is installed for all of it, the organisation. */
  readonly teams: readonly string[];
  /** The conversation of the message, which its writer looks at anyway. */
  readonly here: string;
}

/** Leaves out entities of other workspaces, whose ids mean something else here, and entities of unknown types. */
export function readSights(context: unknown, { teams, here }: Place): readonly Sight[] {
  const entities = Context.safeParse(context).data?.entities ?? [];
  return entities
    .slice(0, MOST)
    .flatMap((entity) => Entity.safeParse(entity).data ?? [])
    .filter((entity) => isOf(entity, teams))
    .map(sightOf)
    .filter((sight) => sight.type !== 'channel' || sight.id !== here);
}

function isOf({ team_id: team, enterprise_id: organisation }: Entity, teams: readonly string[]): boolean {
  const named = [team, organisation].filter((id) => id != null);
  return named.length === 0 || named.some((id) => teams.includes(id));
}

function sightOf(entity: Entity): Sight {
  switch (entity.type) {
    case 'slack#/types/channel_id':
      return { type: 'channel', id: entity.value };
    case 'slack#/types/canvas_id':
      return { type: 'canvas', id: entity.value };
    case 'slack#/types/list_id':
      return { type: 'list', id: entity.value };
    case 'slack#/types/message_context':
      return { type: 'message', channel: entity.value.channel_id, ts: entity.value.message_ts };
  }
}
