import { afterEach, expect, it } from 'vitest';
import { ANN, BOT } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { aWhile, cardIn, mention, type RunningBot, reply, type Stage, says, whisper } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { type LateSlack, startLateSlack } from '../support/late-slack.ts';

let stage: Stage;
let bot: RunningBot;
let late: LateSlack | undefined;
afterEach(async () => {
  await stage?.close();
  await late?.close();
  late = undefined;
});

/** A thread in which nothing runs, so that the bot can be asked to trust there. */
async function quietThread(
  env: Readonly<Record<string, string>> = {},
  { http } = { http: true },
): Promise<SlackMessage> {
  bot = await stage.startBot({ http, env });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
  await reply(stage, root, 'alone');
  return root;
}

/** The deployment starts again, with other settings. */
async function restarts(env: Readonly<Record<string, string>> = {}): Promise<void> {
  await bot.stop();
  bot = await stage.startBot({ http: true, env });
}

const say = (root: SlackMessage, words: string) =>
  stage.world.say(ANN, root.channel, `<@${BOT}> ${words}`, { thread: root });

const deliveredAgain = (said: SlackMessage) =>
  Promise.all(stage.world.deliveriesOf(said).map((delivery) => stage.world.redeliver(delivery)));

it('untrust that is said right after trust ends it at once, however late Slack says who a person is (T11)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const root = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  await say(root, 'trust restart_service');
  await late.untilHeld();
  await say(root, 'untrust restart_service');
  await reply(stage, root, 'is not trusted here');
  await late.heal();

  await whisper(stage, ANN, 'You wrote untrust after it.');
  await say(root, 'trusted');
  await reply(stage, root, 'Nothing is trusted');
});

it('/untrust that is typed right after /trust ends it at once, however late Slack says who a person is (T11)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const { channel } = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  const trusted = stage.world.command(ANN, channel, '/trust', 'restart_service');
  await late.untilHeld();
  await stage.world.command(ANN, channel, '/untrust', 'restart_service');
  await whisper(stage, ANN, 'is not trusted');
  await late.heal();

  await trusted;
  await whisper(stage, ANN, 'You wrote untrust after it.');
});

it('trust that was refused because Slack did not say who a person is stays refused, although Slack delivers the words again (T11)', async () => {
  stage = await stageOn('sqlite');
  const root = await quietThread();
  stage.world.faults.set('users.info', { type: 'platform', error: 'internal_error' }, 3);
  await say(root, 'trust restart_service');

  await whisper(stage, ANN, 'nothing was changed');
  await aWhile(4_000);
  await say(root, 'trusted');
  await reply(stage, root, 'Nothing is trusted');
});

it.each([
  ['in a thread', (root: SlackMessage, word: string) => say(root, `${word} restart_service`)],
  [
    'as a command',
    ({ channel }: SlackMessage, word: string) => stage.world.command(ANN, channel, `/${word}`, 'restart_service'),
  ],
])('untrust right after trust %s ends it at once, although another replica takes it (T11)', async (_, type) => {
  stage = await stageOn('redis');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const root = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  const trusted = type(root, 'trust');
  await late.untilHeld();
  // Slack delivers to this one from here on.
  await stage.startBot({ http: true });
  await type(root, 'untrust');
  await stage.world.until(
    () => [...stage.world.messages(root), ...stage.world.ephemerals(ANN)].some((told) => says(told, 'is not trusted')),
    { what: 'the answer to untrust' },
  );
  await late.heal();

  await trusted;
  await whisper(stage, ANN, 'You wrote untrust after it.');
  await stage.world.command(ANN, root.channel, '/trusted');
  await whisper(stage, ANN, 'Nothing is trusted');
});

it('untrust that Slack delivers again ends no trust that was given since (T11, FS2)', async () => {
  stage = await stageOn('sqlite');
  const root = await quietThread();
  await say(root, 'trust restart_service');
  await reply(stage, root, 'Trusted: ');
  const untrust = await say(root, 'untrust restart_service');
  await reply(stage, root, 'Trust ended');
  await say(root, 'trust restart_service');
  await stage.world.until(() => stage.world.messages(root).filter((told) => says(told, 'Trusted: ')).length > 1);

  await deliveredAgain(untrust);
  await say(root, 'trusted');
  await reply(stage, root, 'Trusted in this thread');
});

it('untrust ends trust that was given under other rules, so that it does not count when these are back (T11)', async () => {
  stage = await stageOn('sqlite');
  const root = await quietThread();
  await say(root, 'trust restart_service');
  await reply(stage, root, 'Trusted: ');
  await restarts({ COUNTERSIGN_CONFIG: 'test/support/two-deciders.config.ts' });
  await say(root, 'untrust restart_service');
  await stage.world.until(() => stage.world.messages(root).at(-1)?.user === BOT);

  await restarts();
  await say(root, 'trusted');
  await reply(stage, root, 'Nothing is trusted');
});

/** The first process dies while Slack is asked who wants to give trust. Another one runs. */
async function diedWhileTrusting() {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const root = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  const trust = await say(root, 'trust restart_service');
  await late.untilHeld();
  await bot.kill();
  bot = await stage.startBot({ http: true });
  return { root, trust };
}

it('trust whose process dies before Slack has said who its writer is, is given by the next process (T11)', async () => {
  const { root, trust } = await diedWhileTrusting();
  await deliveredAgain(trust);

  await reply(stage, root, 'Trusted: ');
  await say(root, 'trusted');
  await reply(stage, root, 'Trusted in this thread');
});

it('trust whose process died is not given by the next one where its writer has written untrust since (T11)', async () => {
  const { root, trust } = await diedWhileTrusting();
  await say(root, 'untrust restart_service');
  await reply(stage, root, 'is not trusted here');
  await deliveredAgain(trust);

  await whisper(stage, ANN, 'You wrote untrust after it.');
  await say(root, 'trusted');
  await reply(stage, root, 'Nothing is trusted');
});

it.each(['/trust', '/untrust'])(
  '%s whose process dies before it is done is shown as failed to its writer (T11)',
  async (name) => {
    stage = await stageOn('sqlite');
    late = await startLateSlack(stage.sandbox.slackApiUrl);
    const { channel } = await quietThread({ SLACK_API_URL: late.url });
    if (name === '/untrust') {
      await stage.world.command(ANN, channel, '/trust', 'restart_service');
      await whisper(stage, ANN, 'Trusted: ');
      await restarts({ SLACK_API_URL: late.url, COUNTERSIGN_DIE_AT: 'trust-taken' });
    }
    late.hold('users.info');
    const typed = stage.world.command(ANN, channel, name, 'restart_service');
    if (name === '/trust') {
      await late.untilHeld();
      await bot.kill();
    }

    expect(await typed).toMatchObject({ acknowledgement: { type: 'unanswered' } });
    await whisper(stage, ANN, `${name} failed`);
  },
);

it('/trust that takes long tells its writer to wait for an answer, and then gives it (T11, SURF-3)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const { channel } = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');

  expect(await stage.world.command(ANN, channel, '/trust', 'restart_service')).toMatchObject({
    acknowledgement: { type: 'acknowledged' },
  });
  await whisper(stage, ANN, 'Still working on it');
  await late.heal();
  await whisper(stage, ANN, 'Trusted: ');
});

it('/trust that was carried out while its socket broke says so to its writer, and not that it failed (T11)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const { channel } = await quietThread({ SLACK_API_URL: late.url }, { http: false });
  late.hold('users.info');
  const typed = stage.world.command(ANN, channel, '/trust', 'restart_service');
  await late.untilHeld();
  stage.sandbox.sockets.cut();
  expect(await typed).toMatchObject({ acknowledgement: { type: 'unanswered' } });
  // The bot notices, and leaves seconds until it opens another socket.
  await aWhile(500);
  await late.heal();

  await whisper(stage, ANN, 'Trusted: ');
});
