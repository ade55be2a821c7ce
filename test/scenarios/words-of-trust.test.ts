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
async function quietThread(env: Readonly<Record<string, string>> = {}): Promise<SlackMessage> {
  bot = await stage.startBot({ http: true, env });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_deny');
  await reply(stage, root, 'alone');
  return root;
}

const say = (root: SlackMessage, words: string) =>
  stage.world.say(ANN, root.channel, `<@${BOT}> ${words}`, { thread: root });

it('untrust that is said right after trust is carried out after it, however late Slack says who a person is (T11)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const root = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  await say(root, 'trust restart_service');
  await late.untilHeld();
  await say(root, 'untrust restart_service');
  await aWhile(300);
  await late.heal();

  await reply(stage, root, 'Trusted: ');
  await reply(stage, root, 'Trust ended for');
  expect(stage.world.messages(root).filter((message) => says(message, 'is not trusted here'))).toEqual([]);
});

it('trust that is asked for in words is given by the next process, when the first one dies of it (T11, FK22)', async () => {
  stage = await stageOn('sqlite', { sandbox: { eventRetryMs: [500, 1_000, 2_000, 4_000, 8_000] } });
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const root = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  await say(root, 'trust restart_service');
  await late.untilHeld();
  await bot.kill();
  await stage.startBot({ http: true });

  await reply(stage, root, 'Trusted: ');
});

it('/untrust that is typed right after /trust is carried out after it, however late Slack says who a person is (T11)', async () => {
  stage = await stageOn('sqlite');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const { channel } = await quietThread({ SLACK_API_URL: late.url });
  late.hold('users.info');
  const trusted = stage.world.command(ANN, channel, '/trust', 'restart_service');
  await late.untilHeld();
  const ended = stage.world.command(ANN, channel, '/untrust', 'restart_service');
  await aWhile(300);
  await late.heal();

  await Promise.all([trusted, ended]);
  await whisper(stage, ANN, 'Trusted: ');
  await whisper(stage, ANN, 'Trust ended for');
});
