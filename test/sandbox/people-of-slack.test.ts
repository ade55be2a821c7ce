import { afterEach, beforeEach, expect, it } from 'vitest';
import { at } from '../../sandbox/json.ts';
import { ANN, BOT, GRID_PERSON, OPS, SLACKBOT, TEAM, WITHOUT_TEAM } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';

/** People as Slack really tells of them: with facts left out, and with ids of other kinds. */

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

async function call(method: string, fields: Readonly<Record<string, string>>): Promise<Record<string, never>> {
  const body = new URLSearchParams({ token: sandbox.botToken, ...fields });
  const response = await fetch(`${sandbox.slackApiUrl}${method}`, { method: 'POST', body });
  return (await response.json()) as Record<string, never>;
}

const account = async (user: string) => (await call('users.info', { user })).user;

/** What the app is told of a person who presses a button. */
async function presser(user: string) {
  const { world } = sandbox;
  const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
  await call('chat.postMessage', {
    channel: OPS,
    text: 'Go?',
    blocks: JSON.stringify([{ type: 'actions', elements: [button] }]),
  });
  const [message] = world.channel(OPS).slice(-1);
  if (message === undefined) throw new Error('The message is not there.');
  return at((await world.press(user, message, 'go')).delivery.payload, 'user');
}

it('Slack does not say the team of some people, neither when asked nor in a press (DEMO-6)', async () => {
  expect(await account(WITHOUT_TEAM)).toMatchObject({ id: WITHOUT_TEAM, is_bot: false, is_stranger: false });
  expect(await account(WITHOUT_TEAM)).not.toHaveProperty('team_id');
  expect(await presser(WITHOUT_TEAM)).toEqual({ id: WITHOUT_TEAM, username: 'una', name: 'una' });
  expect(await presser(ANN)).toMatchObject({ id: ANN, team_id: TEAM });
});

it('a message shortcut says of no person which team is theirs (DEMO-6)', async () => {
  const message = await sandbox.world.say(ANN, OPS, 'look');
  const { delivery } = await sandbox.world.shortcut(ANN, message, 'ask');

  expect(delivery.payload.user).toEqual({ id: ANN, name: 'ann' });
  expect(delivery.payload.team).toMatchObject({ id: TEAM });
});

it('people of an organisation with Enterprise Grid have ids that begin with W, and write, press and are mentioned (DEMO-6)', async () => {
  const { world } = sandbox;
  const message = await world.say(ANN, OPS, '@wes hello');

  expect(message.text).toBe(`<@${GRID_PERSON}> hello`);
  expect(await account(GRID_PERSON)).toMatchObject({ id: GRID_PERSON, team_id: TEAM });
  expect(await presser(GRID_PERSON)).toMatchObject({ id: GRID_PERSON });
  expect(await call('chat.postMessage', { channel: GRID_PERSON, text: 'hello' })).toMatchObject({
    ok: true,
    channel: expect.stringMatching(/^D/),
  });
});

it('Slackbot is no bot by its flag, and its notices come to one person alone (DEMO-6)', async () => {
  expect(await account(SLACKBOT)).toMatchObject({ id: SLACKBOT, name: 'slackbot', is_bot: false });
  expect(await account(BOT)).toMatchObject({ is_bot: true });

  await sandbox.world.command(ANN, OPS, '/nothing');
  expect(sandbox.world.ephemerals(ANN)).toMatchObject([{ from: SLACKBOT, to: ANN }]);
});
