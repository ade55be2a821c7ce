import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { ANN, BEN } from '../../sandbox/people.ts';
import { cardIn, mention, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { type LateSlack, startLateSlack } from '../support/late-slack.ts';
import { repeatedEdits } from '../support/repeated-edits.ts';

let stage: Stage;
let late: LateSlack | undefined;
afterEach(async () => {
  await stage?.close();
  await late?.close();
  late = undefined;
});

/** Asks for something, presses a button on its card, and gets a reply. */
type Turn = readonly [text: string, button: string, said: string];
const APPROVED: Turn = ['restart the payments service', 'approval_approve', 'Done.'];
const DENIED: Turn = ['restart the payments service', 'approval_deny', 'Understood'];
const FLEET: Turn = ['restart the fleet', 'list_approve_all', 'The fleet: 4 of 4'];

type Pair = readonly [near: RunningBot, far: RunningBot];

const deliverTo = (bot: RunningBot) => stage.sandbox.deliverTo(`http://127.0.0.1:${bot.port}/slack/events`);
const pages = (user?: string) =>
  stage.world.requests.filter(
    ({ method, arguments: given }) => method === 'views.publish' && (user === undefined || given.user_id === user),
  );
const slowly = (delayMs: number) => {
  if (delayMs > 0) stage.world.faults.set('views.publish', { type: 'slow', delayMs }, Infinity);
};
/** So long a process waits at most before it publishes a change. */
const EVERY_MS = 5_000;

async function twoBots(): Promise<Pair> {
  stage = await stageOn('redis');
  return [await stage.startBot({ http: true }), await stage.startBot({ http: true })];
}

/** One process asks, and some time later the other one takes a double press. */
async function turn([asking, pressed]: Pair, [text, button, said]: Turn, afterMs: number): Promise<void> {
  deliverTo(asking);
  const root = await mention(stage, ANN, text);
  const card = await cardIn(stage, root);
  await pause(afterMs);
  deliverTo(pressed);
  await Promise.all([stage.world.press(ANN, card, button), stage.world.press(ANN, card, button)]);
  await reply(stage, root, said);
}

/** What was still on its way to Slack has arrived. */
async function nothingIsUnderWay(delayMs: number): Promise<void> {
  let [seen, sinceMs] = [pages().length, performance.now()];
  while (performance.now() - sinceMs < EVERY_MS + 2 * delayMs + 1_500) {
    await pause(100);
    if (pages().length > seen) [seen, sinceMs] = [pages().length, performance.now()];
  }
}

const homeOf = (user: string): string => JSON.stringify(stage.world.home(user)?.content.blocks ?? '');
/** All that was asked is answered, and stands there. */
const isNewest = (home: string): boolean =>
  home.includes('Nothing that you asked for waits.') &&
  home.includes('Nothing waits for you.') &&
  home.match(/\*(?:Approved|Denied)\* by/g)?.length === 6;

it.each([0, 1_500, 3_000])(
  'two processes on one Redis send no Home page twice, and the last page is the newest, while Slack takes %d ms more for each (SURF-3)',
  async (delayMs) => {
    const [near, far] = await twoBots();
    slowly(delayMs);

    await turn([near, far], APPROVED, 1_000);
    await turn([far, near], DENIED, 2_500);
    await turn([near, far], FLEET, 0);
    await stage.world.until(() => isNewest(homeOf(ANN)), { what: 'the newest page' });
    await nothingIsUnderWay(delayMs);

    expect(pages(ANN).length).toBeGreaterThan(1);
    expect(repeatedEdits(pages())).toEqual([]);
    expect(homeOf(ANN)).toSatisfy(isNewest);
  },
);

it.each([0, 3_000])(
  'a Home page that another process has just published is not sent again when its person opens it, while Slack takes %d ms more for each (SURF-3)',
  async (delayMs) => {
    const [near, far] = await twoBots();
    slowly(delayMs);
    deliverTo(near);
    await cardIn(stage, await mention(stage, ANN, 'drop the old database'));
    await stage.world.until(() => pages(BEN)[0]);

    deliverTo(far);
    await stage.world.openHome(BEN);
    await nothingIsUnderWay(delayMs);

    expect(homeOf(BEN)).toContain('*Waiting for you* (1)');
    expect(repeatedEdits(pages())).toEqual([]);
  },
);

const shows = (user: string, words: string) =>
  stage.world.until(() => homeOf(user).includes(words) || undefined, { what: `the page of ${user} shows ${words}` });

it('the Home page of a person is published by another process when one dies while it publishes it (SURF-3)', async () => {
  const [near, far] = await twoBots();
  deliverTo(near);
  stage.world.faults.set('views.publish', { type: 'hang' }, 1, { user_id: BEN });
  await cardIn(stage, await mention(stage, ANN, 'drop the old database'));
  await stage.world.until(() => !stage.world.faults.isPlanned('views.publish') || undefined);

  await near.kill();
  deliverTo(far);
  await stage.world.openHome(BEN);

  await shows(BEN, '*Waiting for you* (1)');
});

it('an old Home page that a paused process sent does not stay in place of the newer page of another process (SURF-3)', async () => {
  stage = await stageOn('redis');
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const near = await stage.startBot({ http: true, env: { SLACK_API_URL: late.url } });
  const far = await stage.startBot({ http: true });
  deliverTo(near);
  late.hold('views.publish');
  const card = await cardIn(stage, await mention(stage, BEN, 'restart the payments service'));
  await late.untilHeld();
  near.pause();
  deliverTo(far);
  await stage.world.press(BEN, card, 'approval_deny');

  await shows(BEN, 'Nothing waits for you.');
  await late.heal();
  await shows(BEN, '*Waiting for you* (1)');
  near.resume();

  await shows(BEN, 'Nothing waits for you.');
  await nothingIsUnderWay(0);
  expect(homeOf(BEN)).toContain('Nothing waits for you.');
});
