import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { parts } from '../handlers/views/fits.ts';
import {
  aWhile,
  cardIn,
  draws,
  mention,
  openCards,
  type RunningBot,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { linesOf } from '../support/history.ts';
import { type LateSlack, startLateSlack } from '../support/late-slack.ts';

let stage: Stage;
let late: LateSlack;
afterEach(async () => {
  await stage?.close();
  await late?.close();
});

const [YES, NO] = ['approval_approve', 'approval_deny'];
const ruled = { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' };

/**
 * Two replicas. The first takes up every run, since the other is not there yet when a person writes; the second has a long
 * way to Slack.
 */
async function twoReplicas(text: string, env: Readonly<Record<string, string>> = {}) {
  stage = await stageOn('redis');
  const near = await stage.startBot({ http: true, env });
  const root = await mention(stage, ANN, text);
  const card = await cardIn(stage, root);
  late = await startLateSlack(stage.sandbox.slackApiUrl);
  const far = await stage.startBot({ http: true, env: { ...env, SLACK_API_URL: late.url } });
  const press = (bot: RunningBot, user: string, action: string | undefined, value?: string) => {
    stage.sandbox.deliverTo(`http://127.0.0.1:${bot.port}/slack/events`);
    return stage.world.press(user, card, action ?? '', value === undefined ? {} : { value });
  };
  const shown = (words: string | RegExp) =>
    stage.world.until(() => says(now(card), words) || undefined, { what: `the card shows ${words}` });
  return { near, far, root, card, press, shown };
}

const now = (card: SlackMessage): SlackMessage => {
  const message = stage.world.message(card);
  if (message === undefined) throw new Error('The card is gone.');
  return message;
};

/** All that had to be painted is painted and written down. Beside other work the second replica may take the run over and end it. */
const runIsOver = (...replicas: readonly RunningBot[]) =>
  stage.world.until(() => replicas.some(({ log }) => log().includes('A run came to its end.')), {
    what: 'the end of the run in a log',
  });

const paintings = async (): Promise<number> =>
  [...(await linesOf(stage)).values()].filter((text) => text.includes('"type":"card-painted"')).length;

/** So many looks after one painting was let through, the next. */
const LOOKS = 20;

/** The second replica hangs up after ten seconds and sends its painting anew, which then has to arrive as well. */
async function oldPaintingIsWritten(): Promise<void> {
  const before = await paintings();
  let looks = 0;
  const look = async (): Promise<number> => {
    if (looks % LOOKS === 0) await late.letThrough();
    looks += 1;
    return paintings();
  };
  await expect.poll(look, { interval: 100 }).toBeGreaterThan(before);
}

describe('an old painting that arrives after a newer one of another replica (P17, P21, B10)', () => {
  it('is painted over: the card shows the outcome of the call', async () => {
    const { far, root, card, press, shown } = await twoReplicas('restart the payments service');
    late.hold('chat.update');
    await press(far, ANN, YES);
    await reply(stage, root, 'Done.');
    await shown('Ran in');
    await late.untilHeld();

    await late.heal();

    await shown('Ran in');
    await aWhile();
    expect(says(now(card), 'Ran in')).toBe(true);
    expect(says(now(card), 'Not started yet')).toBe(false);
  });

  it('brings no buttons back when the last of two people approved meanwhile', async () => {
    const { near, far, root, card, press, shown } = await twoReplicas('drop the old database', ruled);
    late.hold('chat.update');
    await press(far, BEN, YES);
    await late.untilHeld();
    await press(near, ZOE, YES);
    await reply(stage, root, /./);
    await stage.world.until(() => witnessed(stage).length === 1);
    await shown('Ran in');

    await late.heal();

    await shown('Ran in');
    await aWhile();
    expect(openCards(stage, root)).toEqual([]);
    expect(draws(now(card), YES ?? '')).toBe(false);
  });

  it('brings no rows back on a card with many calls', async () => {
    const { near, far, root, card, press, shown } = await twoReplicas('restart the fleet');
    const [first = '', ...others] = parts(card.blocks).flatMap((part) =>
      part.action_id === NO ? [String(part.value)] : [],
    );
    late.hold('chat.update');
    await press(far, ANN, YES, first);
    await late.untilHeld();
    for (const row of others) await press(near, ANN, NO, row);
    await reply(stage, root, 'The fleet: 1 of 4');
    await shown('Nothing waits here any more');

    await late.heal();

    await shown('Nothing waits here any more');
    await aWhile();
    expect(openCards(stage, root)).toEqual([]);
  });

  it('is painted over by another process when its own dies before it can do so', async () => {
    const { near, far, root, press, shown } = await twoReplicas('drop the old database', ruled);
    late.hold('chat.update');
    await press(far, BEN, YES);
    await late.untilHeld();
    await press(near, ZOE, YES);
    await runIsOver(near, far);
    await shown('Ran in');
    await oldPaintingIsWritten();
    await shown('Approval needed');
    await late.untilHeld();

    await far.kill();

    await shown('Ran in');
    expect(openCards(stage, root)).toEqual([]);
  });

  it('is painted over at the next press when its process died before it arrived', async () => {
    const { near, far, root, press, shown } = await twoReplicas('drop the old database', ruled);
    late.hold('chat.update');
    await press(far, BEN, YES);
    await late.untilHeld();
    await press(near, ZOE, YES);
    await runIsOver(near, far);
    await shown('Ran in');
    await far.kill();
    await late.heal();
    await shown('Approval needed');

    await press(near, BEN, YES);

    await whisper(stage, BEN, /already/);
    await shown('Ran in');
    expect(openCards(stage, root)).toEqual([]);
    expect(witnessed(stage)).toHaveLength(1);
  });
});
