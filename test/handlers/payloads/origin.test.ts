import { beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../app/log.ts';
import { UserId } from '../../../app/records/index.ts';
import { readLeft, readTeams, readWorkspace } from '../../../handlers/payloads/origin.ts';
import { spelledAsOurs, spelledFor, teamOf } from '../../../handlers/workspaces/belonging.ts';
import { createSlackClient } from '../../../handlers/workspaces/client.ts';
import { createManyWorkspaces } from '../../../handlers/workspaces/many-workspaces.ts';
import { createTeams } from '../../../handlers/workspaces/teams.ts';
import { type SlackApi, slackApi } from '../../support/slack.ts';
import { APPROVAL } from '../views/records.ts';

let api: SlackApi;
beforeEach(() => {
  api = slackApi();
});

const ORG = 'E0ACME0001';
const found = (user: Readonly<Record<string, unknown>>) =>
  api.next('users.info', { type: 'json', body: { user: { id: 'U1', ...user } } });
const organisation = () => ({
  bot: { team_id: ORG, user_id: 'UBOT', isOrganisation: true },
  client: createSlackClient({ botToken: 'xoxb-org' }, silentLog),
});

describe('the workspace of a delivery (P10)', () => {
  it.each([
    ['an event of a workspace', { team_id: 'T1', authorizations: [{ team_id: 'T1', enterprise_id: null }] }, ['T1']],
    [
      'an event in a shared channel, whose team is the other one',
      { team_id: 'T2', authorizations: [{ team_id: 'T1', enterprise_id: null, is_enterprise_install: false }] },
      ['T1', 'T2'],
    ],
    [
      'an event of an organisation',
      { team_id: 'T1', authorizations: [{ team_id: 'T1', enterprise_id: ORG, is_enterprise_install: true }] },
      [ORG, 'T1'],
    ],
    [
      'a press in an organisation',
      { is_enterprise_install: true, enterprise: { id: ORG }, team: { id: 'T1', enterprise_id: ORG } },
      [ORG, 'T1'],
    ],
    ['a press where no team is named', { team: null, enterprise: { id: ORG } }, [ORG]],
    ['a form', { view: { app_installed_team_id: 'T1' }, team: { id: 'T2' } }, ['T1', 'T2']],
    ['a command in an organisation', { is_enterprise_install: 'true', team_id: 'T1', enterprise_id: ORG }, [ORG, 'T1']],
    ['nothing that Slack sends', 'text', []],
  ])('the workspace of a delivery is read from %s', (_what, body, teams) => {
    expect(readTeams(body)).toEqual(teams);
  });

  it('the workspace of a delivery is never the team of the person alone', () => {
    expect(readTeams({ team: { id: 'T1' }, user: { id: 'U1', team_id: 'T2' } })).toEqual(['T1']);
  });

  it('a press belongs to the workspace of its approval, whatever team stands beside the button', async () => {
    const asked: string[] = [];
    const workspaces = createManyWorkspaces({
      isListed: () => true,
      installations: {
        find: async (team) => {
          asked.push(team);
          return { team, isOrganisation: false, token: `xoxb-${team}`, bot: UserId.parse('UBOT') };
        },
        teams: async () => [],
        remove: async () => 'removed',
      },
      teamOfApproval: async () => 'T1',
      log: silentLog,
    });

    const workspace = await workspaces.ofDelivery({ team: { id: 'T2' }, actions: [{ value: APPROVAL }] });

    expect(workspace?.bot.team_id).toBe('T1');
    expect(asked).toEqual(['T1']);
  });
});

describe('the workspace of an organisation in which something was done (P10)', () => {
  const { bot } = organisation();

  it.each([
    [
      'the one that the app was told through, and not a company that shares the channel',
      { team_id: 'T9', authorizations: [{ team_id: 'T1', enterprise_id: ORG, is_enterprise_install: true }] },
      { workspace: 'T1' },
    ],
    ['that of a press', { is_enterprise_install: true, team: { id: 'T2', enterprise_id: ORG } }, { workspace: 'T2' }],
    ['that of a command', { is_enterprise_install: 'true', team_id: 'T3', enterprise_id: ORG }, { workspace: 'T3' }],
    ['not known where only the organisation is named', { team_id: ORG, enterprise_id: ORG }, {}],
    ['not known from anything else', 'text', {}],
  ])('the workspace in which something was done is %s', (_what, body, workspace) => {
    expect(readWorkspace(body, bot)).toEqual(workspace);
  });

  it('a single workspace needs no workspace in which something was done', () => {
    expect(readWorkspace({ team_id: 'T1' }, { team_id: 'T1', user_id: 'UBOT', isOrganisation: false })).toEqual({});
  });
});

describe('the workspaces that a method is told (P10)', () => {
  const teams = (...ids: readonly string[]) =>
    api.next('auth.teams.list', { type: 'json', body: { teams: ids.map((id) => ({ id })) } });

  it('a method is told every workspace that has the app, the likely one first, and Slack is seldom asked for them', async () => {
    let nowMs = 0;
    const { asking } = createTeams({ ...organisation(), elapsed: () => nowMs });
    teams('T1', 'T2');

    expect(await asking(undefined)).toEqual([{ team_id: 'T1' }, { team_id: 'T2' }]);
    expect(await asking('T2')).toEqual([{ team_id: 'T2' }, { team_id: 'T1' }]);
    expect(api.to('auth.teams.list')).toHaveLength(1);

    nowMs = 10 * 60_000;
    teams('T1', 'T2', 'T3');
    expect(await asking('T3')).toEqual([{ team_id: 'T3' }, { team_id: 'T1' }, { team_id: 'T2' }]);
  });

  it('a method is never told a workspace of another company, whatever a delivery says', async () => {
    teams('T1');

    expect(await createTeams(organisation()).asking('T9')).toEqual([{ team_id: 'T1' }]);
  });

  it('the workspaces for a method are asked for again after a failure', async () => {
    const { asking } = createTeams(organisation());
    api.next('auth.teams.list', { type: 'json', body: { ok: false, error: 'invalid_auth' } });

    await expect(asking('T1')).rejects.toThrow('invalid_auth');
    teams('T1');
    expect(await asking('T1')).toEqual([{ team_id: 'T1' }]);
  });

  it('a method is told no workspace where the token is of one workspace', async () => {
    const one = { ...organisation(), bot: { team_id: 'T1', user_id: 'UBOT', isOrganisation: false } };

    expect(await createTeams(one).asking(undefined)).toEqual([{}]);
    expect(api.calls).toEqual([]);
  });
});

describe('the team of a person (P10)', () => {
  it('the team of a person of the organisation is the organisation, in every workspace of it', async () => {
    found({ team_id: 'T7', enterprise_user: { enterprise_id: ORG } });

    expect(await spelledFor(organisation(), { user: 'U1', team: 'T7' }, 'press')).toBe(ORG);
  });

  it.each([
    ['a person of another organisation', { team_id: 'T9', enterprise_user: { enterprise_id: 'E0OTHER001' } }],
    ['a person of another company', { team_id: 'T9' }],
  ])('the team stays as it is for %s', async (_who, person) => {
    found(person);

    expect(await spelledFor(organisation(), { user: 'U1', team: 'T9' }, 'press')).toBe('T9');
  });

  it('a person whose team Slack does not say counts as a stranger', async () => {
    api.next('users.info', { type: 'json', body: { ok: false, error: 'user_not_found' } });

    expect(await spelledFor(organisation(), { user: 'U1', team: 'T9' }, 'press')).toBe('T9');
  });

  it('a single workspace asks Slack for the team of no person', async () => {
    const one = { ...organisation(), bot: { team_id: 'T1', user_id: 'UBOT', isOrganisation: false } };

    expect(await spelledFor(one, { user: 'U1', team: 'T2' }, 'press')).toBe('T2');
    expect(teamOf({ team_id: 'T2', enterprise_user: { enterprise_id: ORG } }, 'T1')).toBe('T2');
    expect(api.calls).toEqual([]);
  });

  it('the team of a person is written into a press and a command before either is judged', async () => {
    found({ team_id: 'T7', enterprise_user: { enterprise_id: ORG } });
    found({ team_id: 'T7', enterprise_user: { enterprise_id: ORG } });

    expect(await spelledAsOurs(organisation(), { user: { id: 'U1', team_id: 'T7' } })).toEqual({
      user: { id: 'U1', team_id: ORG },
    });
    expect(await spelledAsOurs(organisation(), { user_id: 'U1', team_id: 'T7' })).toEqual({
      user_id: 'U1',
      team_id: ORG,
    });
  });
});

describe('the clients of two workspaces (T15)', () => {
  it('the clients of two workspaces share no header: each speaks with its own token, in any order', async () => {
    const tokens: (string | null)[] = [];
    const workspaces = createManyWorkspaces({
      isListed: () => true,
      installations: {
        find: async (team) => ({ team, isOrganisation: false, token: `xoxb-${team}`, bot: UserId.parse('UBOT') }),
        teams: async () => [],
        remove: async () => 'removed',
      },
      teamOfApproval: async () => undefined,
      log: silentLog,
    });
    api.onHeaders((headers) => tokens.push(headers.get('authorization')));

    for (const team of ['T1', 'T2', 'T1', 'T2']) await (await workspaces.of(team))?.client.auth.test();

    expect(tokens).toEqual(['Bearer xoxb-T1', 'Bearer xoxb-T2', 'Bearer xoxb-T1', 'Bearer xoxb-T2']);
  });
});

it('the first deliveries of a workspace, looked up at the same time, share one client and its rates (B15)', async () => {
  const workspaces = createManyWorkspaces({
    isListed: () => true,
    installations: {
      find: async (team) => ({ team, isOrganisation: false, token: `xoxb-${team}`, bot: UserId.parse('UBOT') }),
      teams: async () => [],
      remove: async () => 'removed',
    },
    teamOfApproval: async () => undefined,
    log: silentLog,
  });

  const [one, other] = await Promise.all([workspaces.of('T1'), workspaces.of('T1')]);

  expect(one).toBe(other);
});

describe('being removed', () => {
  it.each([
    [{ event: { type: 'app_uninstalled' } }, 'app_uninstalled'],
    [{ event: { type: 'tokens_revoked', tokens: { bot: ['UBOT'] } } }, 'tokens_revoked'],
    [{ event: { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } } }, undefined],
    [{ event: { type: 'message' } }, undefined],
  ])('the delivery %j is read as %s', (body, left) => {
    expect(readLeft(body)).toBe(left);
  });
});
