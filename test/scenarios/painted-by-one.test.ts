import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, directChannel, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, draws, mention, openCards, type RunningBot, reply, type Stage, says } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { repeatedEdits } from '../support/repeated-edits.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Asks for something, presses a button on its card, and gets a reply. */
type Turn = readonly [text: string, button: string, said: string];
const APPROVED: Turn = ['restart the payments service', 'approval_approve', 'Done.'];
const DENIED: Turn = ['restart the payments service', 'approval_deny', 'Understood'];
const TRUSTED: Turn = ['restart the payments service', 'approval_trust', 'Done.'];
const FLEET: Turn = ['restart the fleet', 'list_approve_all', 'The fleet: 4 of 4'];
const TURNS = [APPROVED, DENIED, TRUSTED, FLEET];

const deliverTo = (bot: RunningBot | undefined) =>
  stage.sandbox.deliverTo(`http://127.0.0.1:${bot?.port}/slack/events`);
const edits = () => stage.world.requests.filter(({ method }) => method === 'chat.update');
const now = (card: SlackMessage): SlackMessage => stage.world.message(card) ?? card;

async function twoBots(env: Readonly<Record<string, string>> = {}): Promise<readonly [RunningBot, RunningBot]> {
  stage = await stageOn('redis');
  return [await stage.startBot({ http: true, env }), await stage.startBot({ http: true, env })];
}

/** The first process asks, and the other one takes the press. */
async function turn([asking, pressed]: readonly RunningBot[], [text, button, said]: Turn): Promise<SlackMessage> {
  deliverTo(asking);
  const root = await mention(stage, ANN, text);
  const card = await cardIn(stage, root);
  deliverTo(pressed);
  await stage.world.press(ANN, card, button);
  await reply(stage, root, said);
  return card;
}

it('of two processes on one Redis, one paints the answer to a press on the card, and the other sends no equal edit (SURF-3)', async () => {
  const bots = await twoBots();

  for (const [at, one] of TURNS.entries()) await turn(at % 2 === 0 ? bots : [bots[1], bots[0]], one);

  expect(edits().length).toBeGreaterThan(TURNS.length);
  expect(repeatedEdits(edits())).toEqual([]);
});

describe('while Slack takes seconds for each edit', () => {
  const slowly = (delayMs: number) => stage.world.faults.set('chat.update', { type: 'slow', delayMs }, Infinity);
  /** What is still on its way to Slack arrives. */
  const nothingIsUnderWay = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs + 1_500));

  it.each([
    [1_500, [APPROVED, FLEET]],
    [3_000, [TRUSTED, DENIED]],
  ] as const)('two processes on one Redis send no edit of a card twice: %d ms (SURF-3)', async (delayMs, turns) => {
    const bots = await twoBots();
    slowly(delayMs);

    for (const one of turns) await turn(bots, one);
    await nothingIsUnderWay(delayMs);

    expect(edits().length).toBeGreaterThan(turns.length);
    expect(repeatedEdits(edits())).toEqual([]);
  });

  it('two processes send no edit of a direct message twice (SURF-3)', async () => {
    const [near, far] = await twoBots({ COUNTERSIGN_CONFIG: 'test/scenarios/copies.config.ts' });
    deliverTo(near);
    const root = await mention(stage, ANN, 'drop the old database', directChannel(ANN));
    await cardIn(stage, root);
    const toldTo = (user: string) =>
      stage.world.until(() => stage.world.channel(directChannel(user)).find((one) => says(one, 'View and decide')));
    const [copy] = [await toldTo(BEN), await toldTo(ZOE)];
    slowly(1_500);
    deliverTo(far);
    await stage.world.press(BEN, copy, 'approval_view');
    const view = await stage.world.until(() =>
      stage.world.views(BEN).find(({ content }) => JSON.stringify(content).includes('approval_deny')),
    );
    await stage.world.press(BEN, view, 'approval_deny');
    await reply(stage, root, 'stays');
    await nothingIsUnderWay(1_500);

    const ofCopy = edits().filter(({ arguments: given }) => given.ts === copy.ts);
    expect(ofCopy).toHaveLength(1);
    expect(repeatedEdits(edits())).toEqual([]);
  });

  it('two processes send no edit of the line of a trust twice (SURF-3)', async () => {
    const [near, far] = await twoBots();
    const card = await turn([near, near], TRUSTED);
    const root = { channel: card.channel, ts: card.threadTs ?? card.ts };
    slowly(1_500);
    await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
    const line = await stage.world.until(() =>
      stage.world.messages(root).find((message) => draws(message, 'trust_end_line')),
    );
    const ofLine = () => edits().filter(({ arguments: given }) => given.ts === line.ts);
    await stage.world.until(() => ofLine()[0], { what: 'its outcome is on the way to Slack' });

    deliverTo(far);
    await stage.world.press(ANN, line, 'trust_end_line');
    await stage.world.until(() => !draws(now(line), 'trust_end_line') || undefined);
    await nothingIsUnderWay(1_500);

    expect(ofLine().length).toBeGreaterThan(1);
    expect(repeatedEdits(ofLine())).toEqual([]);
  });

  it('a process that stands still for two seconds in the middle of a painting keeps it (SURF-3)', async () => {
    const [near, far] = await twoBots();
    deliverTo(near);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    slowly(3_000);
    deliverTo(far);
    await stage.world.press(ANN, card, 'approval_deny');
    await stage.world.until(() => edits()[0], { what: 'the painting is on the way to Slack' });

    far.pause();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    far.resume();

    await reply(stage, root, 'Understood');
    await nothingIsUnderWay(3_000);
    expect(draws(now(card), 'approval_deny')).toBe(false);
    expect(repeatedEdits(edits())).toEqual([]);
  });

  it('a card is painted by the other process when the one of the press dies in the middle of its painting (SURF-3)', async () => {
    const [near, far] = await twoBots();
    deliverTo(near);
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    // The edit of the process that dies never arrives.
    stage.world.faults.set('chat.update', { type: 'hang' });
    deliverTo(far);
    await stage.world.press(ANN, card, 'approval_deny');
    await stage.world.until(() => !stage.world.faults.isPlanned('chat.update') || undefined);

    await far.kill();

    await stage.world.until(() => !draws(now(card), 'approval_deny') || undefined, { what: 'the card has no buttons' });
    await reply(stage, root, 'Understood');
    expect(openCards(stage, root)).toEqual([]);
  });
});
