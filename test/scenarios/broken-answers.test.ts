import { afterEach, expect, it } from 'vitest';
import type { Fault } from '../../sandbox/faults.ts';
import { call } from '../../sandbox/model/answer.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import { cardIn, cards, mention, openCards, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { brokenRules } from '../support/invariants.ts';

/** Answers of Slack after which it is unknown whether Slack did what it was asked. */

let stage: Stage;
afterEach(() => stage?.close());

const page = (status: number, did: object): Fault => ({ type: 'status', status, ...did });
const code = (error: string, did: object): Fault => ({ type: 'platform', error, ...did });
const DONE = { done: true } as const;
const NOT_DONE = {};

const ANSWERS = [
  ['a page with 200', (did: object) => page(200, did)],
  ['a page with 502', (did: object) => page(502, did)],
  ...['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'ratelimited'].map(
    (error) => [error, (did: object) => code(error, did)] as const,
  ),
] as const;

it.each(ANSWERS)(
  'a card, a form, a painting and a reply that Slack answers with %s stand once, done or not, and the question goes on (EDGE-3)',
  async (_name, faultOf) => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot();
    const roots = [await walkThrough(faultOf(DONE)), await walkThrough(faultOf(NOT_DONE))];

    expect(witnessed(stage)).toHaveLength(2);
    await bot.kill();
    expect(brokenRules({ history: await historyOf(stage, ...roots), before: [], cutTurns: 0 })).toEqual([]);
  },
);

/** Each answer in turn is broken: to the card, to a form, to the painting after the press, and to the reply. */
async function walkThrough(fault: Fault) {
  const { world, sandbox } = stage;
  sandbox.model.next({ content: [call('restart_service', { service: 'payments' })] }, 'All is well.');
  world.faults.set('chat.postMessage', fault);
  const root = await mention(stage, ANN, 'please see to payments');
  const card = await cardIn(stage, root);

  world.faults.set('views.open', fault);
  await world.press(ANN, card, 'approval_more', { option: 'Edit input…' });
  const filled = () => world.views(ANN).find(({ content }) => JSON.stringify(content).includes('payments'));
  const form = await world.until(filled, { what: 'the form' });
  expect(world.views(ANN)).toHaveLength(1);
  await world.close(ANN, form);

  world.faults.set('chat.update', fault);
  for (const method of ['chat.startStream', 'chat.postMessage', 'chat.stopStream']) world.faults.set(method, fault);
  await world.press(ANN, card, 'approval_approve');
  await reply(stage, root, 'All is well.');
  await world.until(() => cards(stage, root).some((shown) => says(shown, 'Ran in')), { what: 'the last painting' });
  await world.until(() => world.session(root).status === 'active', { what: 'the end' });
  world.faults.clear();
  expect(openCards(stage, root)).toEqual([]);
  expect(world.messages(root).filter(({ user }) => user === BOT)).toHaveLength(2);
  return root;
}
