import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { LONG_LEFT_TO_OTHERS, type Patched, patchedSources } from '../support/patched.ts';
import { repeatedEdits } from '../support/repeated-edits.ts';

let stage: Stage;
let sources: Patched;
afterEach(async () => {
  await stage?.close();
  sources?.remove();
});

/** Asks for something, presses a button on its card, and gets a reply. */
const TURNS = [
  ['restart the payments service', 'approval_approve', 'Done.'],
  ['restart the payments service', 'approval_deny', 'Understood'],
  ['restart the payments service', 'approval_trust', 'Done.'],
  ['restart the fleet', 'list_approve_all', 'The fleet: 4 of 4'],
] as const;
const ROUNDS = 3;

it('of two processes on one Redis, only the one that takes a press paints the answer on the card (SURF-3)', async () => {
  // On a busy computer, the process of the press may need longer than half a second.
  sources = patchedSources([LONG_LEFT_TO_OTHERS]);
  stage = await stageOn('redis', { sources: sources.folder });
  const bots = [await stage.startBot({ http: true }), await stage.startBot({ http: true })];
  const deliverTo = (bot: RunningBot | undefined) =>
    stage.sandbox.deliverTo(`http://127.0.0.1:${bot?.port}/slack/events`);

  for (const [turn, [text, button, said]] of Array(ROUNDS).fill(TURNS).flat().entries()) {
    deliverTo(bots[turn % 2]);
    const root = await mention(stage, ANN, text);
    const card = await cardIn(stage, root);
    deliverTo(bots[(turn + 1) % 2]);
    await stage.world.press(ANN, card, button);
    await reply(stage, root, said);
  }

  const edits = stage.world.requests.filter(({ method }) => method === 'chat.update');
  expect(edits.length).toBeGreaterThan(TURNS.length * ROUNDS);
  expect(repeatedEdits(edits)).toEqual([]);
});
