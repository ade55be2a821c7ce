import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import { cardIn, draws, mention, openStage, reply, type Stage, says } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.startBot();
});
afterAll(() => stage.close());

const shows = (user: string, words: string | RegExp) =>
  stage.world.until(
    () => {
      const home = stage.world.home(user);
      return home !== undefined && says({ text: '', blocks: home.content.blocks }, words) ? home : undefined;
    },
    { what: `the page of ${user} shows ${words}` },
  );
const top = async (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).at(-1), { what: `${user} sees a view` });

it('a waiting question is on the page of each person who can answer, and goes when it is answered there (P12)', async () => {
  await stage.world.openHome(BEN);
  await shows(BEN, 'Nothing waits for you.');

  const root = await mention(stage, ANN, 'drop the old database');
  await cardIn(stage, root);
  const home = await shows(BEN, 'Delete the database payments_old for good.');
  await stage.world.openHome(ANN);
  await shows(ANN, '*Asked by you* (1)');

  await stage.world.press(BEN, home, 'approval_view');
  const full = await stage.world.until(
    () => stage.world.views(BEN).find((view) => JSON.stringify(view).includes('approval_deny')),
    { what: 'the full view has buttons' },
  );
  await stage.world.press(BEN, full, 'approval_deny');

  await reply(stage, root, 'the database stays');
  await shows(BEN, 'Nothing waits for you.');
  await shows(BEN, /\*Denied\* by/);
  await shows(ANN, 'Nothing that you asked for waits.');
  expect(says({ text: '', blocks: (await top(BEN)).content.blocks }, 'You denied this call')).toBe(true);
});

it('a trust is listed on the Home page as it was given, and one press ends it (P52)', async () => {
  const root = await mention(stage, ANN, 'restart the search service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
  await reply(stage, root, 'was restarted');

  const home = await shows(ANN, 'restart_service with any input, in this thread, for 1 hour');
  await stage.world.press(ANN, home, 'trust_end_listed');
  await shows(ANN, 'Trust ended: the next call asks again.');
  await shows(ANN, 'You trust nothing');

  await stage.world.say(ANN, root.channel, 'restart the mail service', { thread: root });
  await cardIn(stage, root);
});

it('the newest trust is on the Home page of its giver, however many that person gave (P52)', async () => {
  const roots: SlackMessage[] = [];
  for (const channel of channelsLikeOps(stage, 10)) {
    const root = await mention(stage, ANN, 'restart the search service', channel);
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
    await reply(stage, root, 'was restarted');
    roots.push(root);
  }

  const home = await shows(ANN, '*Runs without asking* (10)');
  const end = home.content.blocks.findIndex((block) => draws({ blocks: [block] }, 'trust_end_listed'));
  expect(JSON.stringify(home.content.blocks[end + 1])).toContain(`In <#${roots.at(-1)?.channel}>`);
});
