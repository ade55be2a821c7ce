import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, cards, doubtIn, mention, reply, type Stage, says } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

/** What people and the model hear of a tool that reaches its own time limit. */

let stage: Stage;
beforeEach(async () => {
  stage = await stageOn('sqlite');
  await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/time-limits.config.ts' } });
});
afterEach(() => stage.close());

async function callOf(tool: string): Promise<SlackMessage> {
  stage.sandbox.model.next(
    { content: [{ type: 'tool_use', id: 'toolu_1', name: tool, input: { host: 'h1' } }] },
    'I see.',
  );
  return mention(stage, ANN, 'try it');
}

const toldToModel = () => JSON.stringify(stage.sandbox.model.requests.at(-1));
const onCard = (root: SlackMessage, words: string) =>
  stage.world.until(() => cards(stage, root).find((card) => says(card, words)), { what: words });

it('a tool that reached its time limit is said to have done so on its card, in the doubt and to the model (EDGE-3)', async () => {
  const root = await callOf('never_ends');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

  const doubt = await doubtIn(stage, root);
  expect(
    says(doubt, 'This reached its time limit of 200 ms and was told to stop. I do not know whether it finished.'),
  ).toBe(true);
  await onCard(root, 'It was told to stop at its time limit of 200 ms.');
  await stage.world.press(ANN, doubt, 'doubt_skip');
  await reply(stage, root, 'I see.');
  expect(toldToModel()).toContain('This call reached its time limit of 0.2 s and was told to stop.');
  expect(stage.world.messages(root).some((message) => says(message, 'interrupted'))).toBe(false);
});

it('a tool that ends with an error at its time limit is said to have reached it, on its card and to the model (EDGE-3)', async () => {
  const root = await callOf('gives_up');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

  await reply(stage, root, 'I see.');
  expect(toldToModel()).toContain('gives_up was not done after 0.3 s and was told to stop. gives_up failed: ');
  await onCard(root, 'and failed. It was told to stop at its time limit of 300 ms.');
});

it('a tool without a card that reached its time limit is said to have done so in the thread and to the model (EDGE-3)', async () => {
  const root = await callOf('looks_for_ever');

  await reply(stage, root, 'I see.');
  expect(toldToModel()).toContain('looks_for_ever was not done after 0.4 s and was told to stop.');
  const words = 'told to stop at its time limit of 400 ms; nobody knows whether it finished';
  await stage.world.until(() => stage.world.messages(root).some((message) => says(message, words)), { what: words });
});
