import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Door, openDoor, slackApi, TEAM } from '../../support/slack.ts';
import { type Parts, parts } from '../parts.ts';

let bot: Parts;
let door: Door;

beforeEach(() => {
  slackApi();
  bot = parts();
});
afterEach(async () => {
  await door.slack.stop();
});

it('a workspace that removes the app has its runs stopped, and again when Slack repeats itself (B20)', async () => {
  door = await openDoor(bot);

  await door.event({ type: 'app_uninstalled' });
  expect(bot.asked.left).toEqual([TEAM]);

  await door.event({ type: 'app_uninstalled' }, 1);
  expect(bot.asked.left).toEqual([TEAM, TEAM]);
});

it('a removal is not acknowledged while its runs could not be stopped, so that Slack repeats it (B20)', async () => {
  door = await openDoor({ ...bot, left: () => Promise.reject(new Error('the store is away')) });

  expect((await door.event({ type: 'app_uninstalled' })).status).toBe(500);
});
