import { afterEach, expect, it } from 'vitest';
import { ANN, ZOE } from '../../sandbox/people.ts';
import { cardIn, mention, openStage, type Stage, says, whisper } from '../support/bot.ts';
import { NEW_BUTTON, problemApplying, typeErrors, writeAnew } from '../support/kept-patches.ts';
import { type Patched, patchedSources } from '../support/patched.ts';

let stage: Stage | undefined;
let sources: Patched | undefined;
afterEach(async () => {
  await stage?.close();
  sources?.remove();
});

it('a new button that is added by the kept patch passes the compiler and answers its presser privately', async () => {
  sources = patchedSources([]);
  expect(problemApplying(NEW_BUTTON, sources.folder), writeAnew(NEW_BUTTON)).toBe('');
  expect(typeErrors(sources.folder), writeAnew(NEW_BUTTON)).toBe('');

  stage = await openStage({ sources: sources.folder });
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  await stage.world.press(ZOE, card, 'approval_link');

  await whisper(stage, ZOE, 'The link decides nothing.');
  expect(says(stage.world.message(card) ?? card, 'Approved')).toBe(false);
});
