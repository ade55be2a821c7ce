/** Who and what exists in the pretended workspace. Ids look like Slack's, so that reading mentions is real. */

export const TEAM = 'T0DEMO0001';
export const OTHER_TEAM = 'T0OTHER001';
export const APP = 'A0COUNTER1';

export const ANN = 'U0ANN00001';
export const BEN = 'U0BEN00001';
export const ZOE = 'U0ZOE00001';
export const GUEST = 'U0GIL00001';
export const OUTSIDER = 'U0EVE00001';
export const DEACTIVATED = 'U0DAN00001';
/** Of an organisation with Enterprise Grid, where ids may begin with a W. */
export const GRID_PERSON = 'W0WES00001';
/** Slack leaves out the team of some people. */
export const WITHOUT_TEAM = 'U0UNA00001';
export const OTHER_BOT = 'U0ROB00001';
export const BOT = 'U0BOT00001';
export const BOT_ID = 'B0BOT00001';
export const SLACKBOT = 'USLACKBOT';

export const OPS = 'C0OPS00001';
export const GENERAL = 'C0GENERAL1';
export const ON_CALL = 'S0ONCALL01';

export interface PlayedPerson {
  readonly id: string;
  /** Absent where Slack does not say it. */
  readonly teamId?: string;
  /** Without the at sign. */
  readonly name: string;
  readonly realName: string;
  readonly title: string;
  readonly timeZone: string;
  readonly isBot: boolean;
  readonly isGuest: boolean;
  readonly isAdmin?: boolean;
  readonly isDeactivated: boolean;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly type: 'channel' | 'im';
  readonly members: readonly string[];
  readonly isArchived: boolean;
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** The workspace of an organisation. Absent, it is the first. */
  readonly teamId?: string;
  readonly members: readonly string[];
}

/** The direct conversation of a person with the bot. */
export function directChannel(user: string): string {
  return `D${user.slice(1)}`;
}

export function everybody(): readonly PlayedPerson[] {
  const withoutTeam = {
    title: '',
    timeZone: 'Europe/Berlin',
    isBot: false,
    isGuest: false,
    isDeactivated: false,
  };
  const person = { ...withoutTeam, teamId: TEAM };
  return [
    { ...person, id: ANN, name: 'ann', realName: 'Ann Archer', title: 'Developer' },
    { ...person, id: BEN, name: 'ben', realName: 'Ben Okafor', title: 'On call' },
    { ...person, id: ZOE, name: 'zoe', realName: 'Zoe Lindqvist', title: 'Sales', isAdmin: true },
    { ...person, id: GUEST, name: 'gil', realName: 'Gil Moreau', isGuest: true },
    { ...person, id: OUTSIDER, name: 'eve', realName: 'Eve Rossi', teamId: OTHER_TEAM },
    { ...person, id: DEACTIVATED, name: 'dan', realName: 'Dan Novak', isDeactivated: true },
    { ...person, id: GRID_PERSON, name: 'wes', realName: 'Wes Tanaka' },
    { ...withoutTeam, id: WITHOUT_TEAM, name: 'una', realName: 'Una Weiss' },
    { ...person, id: OTHER_BOT, name: 'robot', realName: 'Robot', isBot: true },
    { ...person, id: BOT, name: 'countersign', realName: 'Countersign', isBot: true },
    { ...person, id: SLACKBOT, name: 'slackbot', realName: 'Slackbot' },
  ];
}

export function everyChannel(): readonly Channel[] {
  const members = [ANN, BEN, ZOE, GUEST, OUTSIDER, GRID_PERSON, WITHOUT_TEAM, OTHER_BOT, BOT];
  return [
    { id: OPS, name: 'ops', type: 'channel', members, isArchived: false },
    { id: GENERAL, name: 'general', type: 'channel', members, isArchived: false },
    ...[ANN, BEN, ZOE, GUEST].map((user) => ({
      id: directChannel(user),
      name: 'countersign',
      type: 'im' as const,
      members: [user, BOT],
      isArchived: false,
    })),
  ];
}

export function everyGroup(): readonly UserGroup[] {
  return [{ id: ON_CALL, handle: 'oncall', name: 'On call', members: [BEN] }];
}
