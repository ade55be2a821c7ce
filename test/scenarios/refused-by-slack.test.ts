import { afterEach, expect, it } from 'vitest';
import { WORDS } from '../../app/runs/telling/words.ts';
import { ANN, directChannel, OPS } from '../../sandbox/people.ts';
import { aWhile, cardIn, logged, mention, openCards, reply, type Stage, whisper, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { entriesOf } from '../support/read-history.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** Longer than two of the repetitions every five seconds that a refusal must not cause. */
const TWO_LEASES_MS = 11_000;
const timesTold = (log: string, words: string) => log.split(words).length - 1;
const sent = (method: string) => stage.world.requests.filter((request) => request.method === method).length;

it('the bot ends a run as unheard when Slack refuses its last post for good, removes the buttons of its cards, and tells its requester elsewhere (MF-11, SURF-3)', async () => {
  stage = await stageOn('sqlite');
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  for (const method of ['chat.postMessage', 'chat.startStream']) {
    const fault = { type: 'platform', error: 'restricted_action_thread_locked' } as const;
    stage.world.faults.set(method, fault, Number.POSITIVE_INFINITY, { channel: OPS });
  }
  await stage.world.press(ANN, card, 'approval_deny');
  await logged(bot, 'A run ends because its thread cannot be reached any more.');
  const direct = () => stage.world.channel(directChannel(ANN)).map(({ text }) => text);
  await stage.world.until(() => direct().length > 0);
  const before = sent('chat.postMessage');
  await aWhile(TWO_LEASES_MS);

  expect(sent('chat.postMessage')).toBe(before);
  expect(direct()).toEqual([expect.stringContaining('I could not answer you in your thread.')]);
  expect(openCards(stage, root)).toEqual([]);
  expect(timesTold(bot.log(), 'A run ends because its thread cannot be reached any more.')).toBe(1);
  await stage.world.openHome(ANN);
  await stage.world.until(() => JSON.stringify(stage.world.home(ANN)).includes('Threads that I could not answer in'));
  await stage.world.command(ANN, OPS, '/approvals');
  await stage.world.until(() => JSON.stringify(stage.world.ephemerals(ANN)).includes(WORDS.refusedPost));
  await bot.kill();
  const { runs } = await historyOf(stage, root);
  expect(runs.map((run) => entriesOf(run, 'unheard').length)).toEqual([1]);
  expect(witnessed(stage, 'begun')).toEqual([]);
});

it('the bot gives up painting four cards that Slack refuses to change, with a warning for each, and never tries again (MF-11)', async () => {
  stage = await stageOn('sqlite');
  const bot = await stage.startBot();
  const roots = [];
  for (let at = 0; at < 4; at += 1) roots.push(await mention(stage, ANN, 'restart the payments service'));
  const cards = await Promise.all(roots.map((root) => cardIn(stage, root)));
  stage.world.faults.set('chat.update', { type: 'platform', error: 'block_mismatch' }, Number.POSITIVE_INFINITY);
  for (const card of cards) await stage.world.press(ANN, card, 'approval_deny');
  for (const root of roots) await reply(stage, root, /Understood|did not|denied/i);
  await logged(bot, 'A run came to its end.', 4);
  const before = sent('chat.update');
  await aWhile(TWO_LEASES_MS);

  expect(sent('chat.update')).toBe(before);
  expect(timesTold(bot.log(), 'A card cannot be repainted any more')).toBeGreaterThanOrEqual(4);
});

it('the bot tries a refused post again after 5 s and then after 10 s (MF-11)', async () => {
  stage = await stageOn('sqlite');
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  for (const method of ['chat.postMessage', 'chat.startStream']) {
    stage.world.faults.set(method, { type: 'platform', error: 'internal_error' }, Number.POSITIVE_INFINITY);
  }
  await stage.world.press(ANN, card, 'approval_deny');
  const delays = () => [...bot.log().matchAll(/"offerInMs":(\d+)/g)].map(([, ms]) => Number(ms));
  await logged(bot, '"offerInMs":', 2);
  stage.world.faults.clear();
  await logged(bot, 'A run came to its end.');

  expect(delays().slice(0, 2)).toEqual([5_000, 10_000]);
});

it('a card shows its decision at the first try after Slack takes edits again, and its run is not offered again (SURF-3)', async () => {
  stage = await stageOn('sqlite');
  const bot = await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  const card = await cardIn(stage, root);
  const before = sent('chat.update');
  stage.world.faults.set('chat.update', { type: 'platform', error: 'internal_error' }, Number.POSITIVE_INFINITY);
  const pressed = await stage.world.press(ANN, card, 'approval_deny');
  await stage.world.until(() => sent('chat.update') - before >= 4);
  stage.world.faults.clear();
  await stage.world.until(() => stage.world.message(card)?.text.startsWith('Denied'));
  await logged(bot, 'A run came to its end.');

  expect(pressed.acknowledgement.type).not.toBe('unanswered');
  expect(sent('chat.update') - before).toBeLessThanOrEqual(7);
  expect(bot.log()).not.toContain('"offerInMs":');
});

it.each([
  ['its thread is locked', 'cant_update_message'],
  ['it was deleted meanwhile', 'message_not_found'],
])(
  'a press that counts is answered privately when its card cannot answer, as %s (SURF-1, SURF-3)',
  async (_what, error) => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    stage.world.faults.set('chat.update', { type: 'platform', error }, Number.POSITIVE_INFINITY);
    await stage.world.press(ANN, card, 'approval_approve');

    await whisper(stage, ANN, 'You approved this call of `restart_service`. It runs once.');
    await reply(stage, root, 'Done.');
    expect(stage.world.ephemerals(ANN)).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  },
);

it('a press that ends a trust is answered privately when its line cannot answer (SURF-1, SURF-3)', async () => {
  stage = await stageOn('sqlite');
  await stage.startBot();
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_trust');
  await reply(stage, root, 'Done.');
  await stage.world.say(ANN, root.channel, 'restart the search service', { thread: root });
  const line = await reply(stage, root, /without asking.*Ran in/s);
  stage.world.faults.set('chat.update', { type: 'platform', error: 'cant_update_message' }, Number.POSITIVE_INFINITY);
  await stage.world.press(ANN, line, 'trust_end_line');

  await whisper(stage, ANN, 'Trust ended: the next call asks again.');
});
