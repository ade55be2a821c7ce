import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../sandbox/model/answer.ts';
import { SECOND_TEAM } from '../../sandbox/organisation.ts';
import { ANN, BEN, BOT, directChannel, ON_CALL, OPS, ZOE } from '../../sandbox/people.ts';
import type { World } from '../../sandbox/world.ts';
import { cardIn, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { install, startForMany } from '../support/install.ts';

const ORG = 'E0ACME0001';
const FIRST_TEAM = 'T0ACME0001';

let stage: Stage;
let world: World;
beforeEach(async () => {
  stage = await stageOn('sqlite', { sandbox: { pieceDelayMs: 30 } });
  const { port } = await startForMany(stage, { env: { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' } });
  world = await install(stage, port, ORG);
  stage = { ...stage, world };
});
afterEach(() => stage?.close());

const ask = (text: string) => world.say(ANN, OPS, `<@${BOT}> ${text}`);
/** The workspaces that a method was asked about, in order. */
const askedOf = (method: string) =>
  world.requests.filter((request) => request.method === method).map(({ arguments: sent }) => sent.team_id);
const moveTo = (team: string, ...users: readonly string[]) => {
  for (const user of users) {
    const person = world.people.get(user);
    if (person !== undefined) world.people.set(user, { ...person, teamId: team });
  }
};
const groupIn = (teamId: string) => {
  const group = world.groups.get(ON_CALL);
  if (group !== undefined) world.groups.set(ON_CALL, { ...group, teamId });
};

describe('an app that a whole organisation installed (P10)', () => {
  it('takes decisions from a group of the workspace of the thread', async () => {
    const root = await ask('restart the payments service');
    const card = await cardIn(stage, root);

    await world.press(ZOE, card, 'approval_approve');
    await whisper(stage, ZOE, /Only .* can decide this/);
    await world.press(BEN, card, 'approval_approve');
    await reply(stage, root, 'Done.');

    expect(witnessed(stage)).toHaveLength(1);
    expect(new Set(askedOf('usergroups.users.list'))).toEqual(new Set([FIRST_TEAM]));
  });

  it('takes decisions from a group of another workspace of the organisation, and finds it at once from then on', async () => {
    groupIn(SECOND_TEAM);
    moveTo(SECOND_TEAM, BEN);
    for (const _ of [1, 2]) {
      const root = await ask('restart the payments service');
      await world.press(BEN, await cardIn(stage, root), 'approval_approve');
      await reply(stage, root, 'Done.');
    }

    expect(witnessed(stage)).toHaveLength(2);
    const [first, ...others] = askedOf('usergroups.users.list');
    expect([first, new Set(others)]).toEqual([FIRST_TEAM, new Set([SECOND_TEAM])]);
  });

  it('takes no decision from a group that none of its workspaces knows any more', async () => {
    const card = await cardIn(stage, await ask('restart the payments service'));
    groupIn('T0OTHER001');

    await world.press(BEN, card, 'approval_approve');

    await whisper(stage, BEN, /Only .* can decide this/);
    expect(witnessed(stage)).toEqual([]);
  });

  it('asks about no call for which only a group is named that none of its workspaces knows (SURF-2)', async () => {
    groupIn('T0OTHER001');

    await reply(stage, await ask('restart the payments service'), 'no user group that is named has a member');
  });

  it('looks people up in the workspace of the thread', async () => {
    moveTo(SECOND_TEAM, ZOE);
    stage.sandbox.model.next({ content: [call('find_person', { query: 'okafor' })] }, 'All done.');

    const root = await ask('who is on call?');
    await reply(stage, root, 'All done.');

    expect(JSON.stringify(stage.sandbox.model.requests.at(-1)?.results)).toMatch(new RegExp(`${BEN}.*Ben Okafor`));
    expect(askedOf('users.list')).toEqual([FIRST_TEAM]);
  });

  it('streams a reply to a person of the workspace of the thread', async () => {
    const root = await ask('explain how you work');
    await reply(stage, root, 'How I work');

    const streams = world.requests.filter(({ method }) => method === 'chat.startStream');
    expect(streams.map(({ arguments: sent }) => sent.recipient_team_id)).toEqual([FIRST_TEAM]);
  });

  it('reads what people look at from any of its workspaces, and from no other company', async () => {
    await world.openBeside(ANN, { type: 'channel', id: OPS });

    const root = await world.say(ANN, directChannel(ANN), 'hello');
    await reply(stage, root, 'Hello!');

    expect(JSON.stringify(stage.sandbox.model.requests.at(-1)?.body)).toContain(`: channel ${OPS}]`);
  });
});
