import { ANN, BEN, DEACTIVATED, GUEST, ON_CALL, OPS, OTHER_BOT, OUTSIDER, TEAM, ZOE } from '../../sandbox/people.ts';
import type { Stage } from './bot.ts';

/** Everybody who could send something, as Slack knows them, whatever a list of approvers says of them. */
export interface Persona {
  readonly name: string;
  readonly user: string;
  readonly team: string;
  readonly mayDecide: boolean;
}

/** In no channel of ours, and on no list. */
const STRANGER = 'U0SAM00001';
/** Was on call, and is not any more. */
const REMOVED = 'U0REX00001';
const ON_CALL_NOW = 'U0PAM00001';

const persona = (name: string, user: string, mayDecide: boolean, team = TEAM): Persona => ({
  name,
  user,
  team,
  mayDecide,
});

export const ENTITLED: readonly Persona[] = [
  persona('requester', ANN, true),
  persona('named approver', BEN, true),
  persona('member of the group', ON_CALL_NOW, true),
];

/** Most of them are named as approvers, and are out all the same. */
export const OTHERS: readonly Persona[] = [
  persona('member of the thread', ZOE, false),
  persona('stranger', STRANGER, false),
  persona('removed from the group', REMOVED, false),
  persona('guest who is named', GUEST, false),
  persona('named person of another organisation', OUTSIDER, false, 'T0OTHER001'),
  persona('named bot', OTHER_BOT, false),
  persona('named deactivated person', DEACTIVATED, false),
];

/** For `test/support/matrix.config.ts`. */
export const NAMED = ['requester', BEN, GUEST, OUTSIDER, OTHER_BOT, DEACTIVATED, ON_CALL];

/** All alike: Slack takes one post a second in each, and a table has many rows. */
export const ROOMS: readonly string[] = Array.from({ length: 16 }, (_, index) => `C0ROOM00${index + 10}`);

/** Lets the people and rooms of the table exist; one of them was in the group until just now. */
export function gather({ world }: Stage): void {
  const zoe = world.people.get(ZOE);
  const ops = world.channels.get(OPS);
  const group = world.groups.get(ON_CALL);
  if (zoe === undefined || ops === undefined || group === undefined) throw new Error('The sandbox has other people.');
  for (const [id, name] of [
    [STRANGER, 'sam'],
    [REMOVED, 'rex'],
    [ON_CALL_NOW, 'pam'],
  ] as const)
    world.people.set(id, { ...zoe, id, name, realName: name });
  const members = [...ops.members, REMOVED, ON_CALL_NOW, DEACTIVATED];
  for (const id of ROOMS) world.channels.set(id, { ...ops, id, name: id.toLowerCase(), members });
  world.groups.set(ON_CALL, { ...group, members: [ON_CALL_NOW] });
}
