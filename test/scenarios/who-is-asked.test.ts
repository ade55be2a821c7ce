import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, DEACTIVATED, GUEST, ON_CALL, OTHER_BOT, ZOE } from '../../sandbox/people.ts';
import { policy } from '../support/audit.ts';
import { aWhile, cardIn, cards, mention, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { install, startForMany } from '../support/install.ts';

let stage: Stage;
afterEach(() => stage?.close());

interface Named {
  readonly approvers: readonly string[];
  readonly quorum?: number;
}

const naming = (named: Readonly<Record<string, Named>>) => ({
  COUNTERSIGN_CONFIG: 'test/scenarios/who-is-asked.config.ts',
  WHO_IS_ASKED: JSON.stringify({ drop_database: { approvers: [BEN] }, ...named }),
});

async function start(named: Readonly<Record<string, Named>>): Promise<void> {
  stage = await stageOn('sqlite');
  await stage.startBot({ env: naming(named) });
}

describe('a call that no living person could decide', () => {
  it.each<[string, Named, string]>([
    ['two are named, and one of them asked', { approvers: [ANN, BEN], quorum: 2 }, 'and one of them asked'],
    ['the only approver left', { approvers: [DEACTIVATED] }, 'one is named, and that person has a deactivated account'],
    ['the only approver is a bot', { approvers: [OTHER_BOT] }, 'one is named, and that person is a bot'],
    ['Slack knows no such person', { approvers: ['U0GONE0001'] }, 'that person is not known to Slack'],
    ['Slack knows no such group', { approvers: ['S0GONE0001'] }, 'no user group that is named has a member'],
    [
      'one left and one is a guest',
      { approvers: [DEACTIVATED, GUEST] },
      'two are named, and one of them has a deactivated account, and one of them is a guest',
    ],
  ])('is not asked, and the thread hears at once why: %s (SURF-2)', async (_why, named, words) => {
    await start({ drop_database: named });
    const root = await mention(stage, ANN, 'drop the old database');

    const told = await reply(stage, root, 'no person may give it here');
    expect(says(told, words)).toBe(true);
    await aWhile();
    expect(cards(stage, root)).toEqual([]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('is one of a group whose only member asked, and is asked when another person joins the group (SURF-2)', async () => {
    await start({ drop_database: { approvers: [ON_CALL] } });
    await reply(stage, await mention(stage, BEN, 'drop the old database'), 'one is named, and that person asked');

    const group = stage.world.groups.get(ON_CALL);
    if (group === undefined) throw new Error('There is no group.');
    stage.world.groups.set(ON_CALL, { ...group, members: [BEN, ZOE] });
    // What Slack said of the group is remembered for five seconds.
    await aWhile(5_500);
    await cardIn(stage, await mention(stage, BEN, 'drop the old database'));
  });

  it('is asked when one of its approvers is alive (SURF-2)', async () => {
    await start({ drop_database: { approvers: [DEACTIVATED, 'U0GONE0001', BEN] } });
    const root = await mention(stage, ANN, 'drop the old database');

    await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});

it('a guest who asks for what only they could decide is told at once that a guest does not decide (SURF-2)', async () => {
  await start({});
  const root = await mention(stage, GUEST, 'restart the payments service');

  const told = await reply(stage, root, 'no person may give it here');
  expect(says(told, 'no approver is named, and the person who asked is a guest')).toBe(true);
  expect(cards(stage, root)).toEqual([]);
});

describe('approvers who are named in the configuration', () => {
  const named = {
    drop_database: { approvers: [BEN, DEACTIVATED, OTHER_BOT, 'U0GONE0001'] },
    restart_service: { approvers: [ON_CALL, 'S0GONE0001', ANN] },
    service_status: { effect: 'asked', approvers: [ANN] },
  };
  const WARNINGS = [
    `The policy of drop_database names approvers who cannot decide: ${DEACTIVATED} has a deactivated account; ${OTHER_BOT} is a bot; U0GONE0001 is not known to Slack. Correct the ids.`,
    'The policy of restart_service names approvers who cannot decide: S0GONE0001 is no user group here, or has no members. Correct the ids.',
  ];

  it('are looked up at start: one warning per rule in the body of /readyz, which still says 200 (SURF-2)', async () => {
    stage = await stageOn('sqlite');
    const { port, log } = await stage.startBot({ env: naming(named), http: true });
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`);
    await expect.poll(async () => (await (await ready()).text()).split('\n').length).toBeGreaterThan(3);

    const answer = await ready();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(['ready', ...WARNINGS, ''].join('\n'));
    expect(log()).toContain(WARNINGS[0]);
  });

  it('are looked up by `npm run policy -- check --live`, which says the same (SURF-2)', async () => {
    stage = await stageOn('sqlite');
    const env = { ...naming(named), SLACK_API_URL: stage.sandbox.slackApiUrl, SLACK_BOT_TOKEN: stage.sandbox.botToken };

    expect(await policy(env, 'check', '--live')).toEqual({ code: 1, out: `${WARNINGS.join('\n')}\n`, err: '' });
    expect(await policy(env, 'check')).toMatchObject({ code: 0 });
    const right = { ...env, ...naming({}) };
    expect(await policy(right, 'check', '--live')).toMatchObject({ code: 0, err: '' });
    expect(await policy({ ...right, SLACK_BOT_TOKEN: '' }, 'check', '--live')).toMatchObject({
      code: 1,
      err: expect.stringContaining('SLACK_BOT_TOKEN is missing'),
    });
  });

  it('are looked up in every workspace that installed the app, with the tokens of the store (SURF-2)', async () => {
    stage = await stageOn('sqlite');
    const DATA_KEY = Buffer.alloc(32, 7).toString('base64');
    const env = { ...naming(named), DATA_KEY };
    const { port, bot } = await startForMany(stage, { env });
    await install(stage, port, 'T0ACME0001');
    await bot.stop();

    const { clientId, clientSecret, slackApiUrl } = stage.sandbox;
    const { code, out, err } = await policy(
      {
        ...env,
        SLACK_CLIENT_ID: clientId,
        SLACK_CLIENT_SECRET: clientSecret,
        SLACK_STATE_SECRET: 'a state secret',
        SLACK_API_URL: slackApiUrl,
        DATA_DIR: stage.dataDir,
      },
      'check',
      '--live',
    );
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain(`${DEACTIVATED} has a deactivated account`);
    expect(out).not.toContain(BEN);
  });
});
