import type { App } from '@slack/bolt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { at, textAt } from '../../sandbox/json.ts';
import { ANN, BEN, BOT, directChannel, OPS, ZOE } from '../../sandbox/people.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { createEchoBot } from './fixtures/echo-bot.ts';

let sandbox: Sandbox;
let bot: App;

beforeEach(async () => {
  sandbox = await startSandbox({ commands: ['/trusted'] });
  bot = createEchoBot(sandbox);
  await bot.start();
});

afterEach(async () => {
  await bot.stop();
  await sandbox.close();
});

const findCard = async () => {
  const { world } = sandbox;
  const root = await world.say(ANN, OPS, '@countersign restart the payments service');
  const card = await world.until(() => world.messages(root).find(({ text }) => text.startsWith('Approval needed')));
  return { root, card };
};

it('the sandbox delivers a mention to the bot, which answers with a card in the thread', async () => {
  const { root, card } = await findCard();

  expect(root.text).toBe(`<@${BOT}> restart the payments service`);
  expect(card.threadTs).toBe(root.ts);
  expect(card.metadata).toEqual({ event_type: 'card', event_payload: { key: root.ts } });
  expect(sandbox.world.session(root).status).toBe('suspended');
});

it('the sandbox delivers a mention twice, as a message and as a mention, with different event ids', async () => {
  const { root } = await findCard();

  const events = sandbox.world.deliveriesOf(root).map(({ payload }) => payload);
  expect(events.map((event) => at(event, 'event', 'type'))).toEqual(['message', 'app_mention']);
  expect(new Set(events.map((event) => event.event_id)).size).toBe(2);
});

it('the bot repaints the card after a press by an approver', async () => {
  const { card } = await findCard();

  const { acknowledgement } = await sandbox.world.press(ANN, card, 'approval_approve');

  expect(acknowledgement.type).toBe('acknowledged');
  const now = await sandbox.world.until(() => {
    const message = sandbox.world.message(card);
    return message?.text === 'Approved by Ann' ? message : undefined;
  });
  expect(now.earlier).toHaveLength(1);
  await expect(sandbox.world.press(ANN, card, 'approval_approve')).rejects.toThrow('is not drawn there');
});

it('the sandbox shows a refusal, sent to the response address, to the presser alone', async () => {
  const { root, card } = await findCard();

  await sandbox.world.press(ZOE, card, 'approval_approve');

  const [refusal] = await sandbox.world.until(() => {
    const seen = sandbox.world.ephemerals(ZOE);
    return seen.length > 0 && seen;
  });
  expect(refusal).toMatchObject({ text: `Only <@${ANN}> may decide this.`, threadTs: root.ts });
  expect(sandbox.world.ephemerals(BEN)).toEqual([]);
  expect(sandbox.world.message(card)?.text).toBe(card.text);
});

it('the address of a press takes five answers, and no sixth (DEMO-6)', async () => {
  const { card } = await findCard();
  const { delivery } = await sandbox.world.press(ZOE, card, 'approval_approve');
  await sandbox.world.until(() => sandbox.world.ephemerals(ZOE).length === 1);
  const address = textAt(delivery.payload, 'response_url');
  const answer = async () => {
    const body = JSON.stringify({ text: 'Only Ann may decide this.', response_type: 'ephemeral' });
    return (await fetch(address, { method: 'POST', body })).status;
  };

  const statuses: number[] = [];
  for (let more = 0; more < 5; more += 1) statuses.push(await answer());
  expect(statuses).toEqual([200, 200, 200, 200, 404]);
  expect(sandbox.world.ephemerals(ZOE)).toHaveLength(5);
});

it('a modal opens from a menu, shows its errors at the field, and closes when all is well', async () => {
  const { world } = sandbox;
  const { card } = await findCard();
  await world.press(ANN, card, 'approval_more', { option: 'Deny with a reason…' });
  const view = await world.until(() => world.views(ANN)[0]);

  const refused = await world.submit(ANN, view, { reason: 'no' });
  expect(refused.result).toEqual({ type: 'errors', errors: { reason: 'Say a little more.' } });

  const accepted = await world.submit(ANN, view, { reason: 'wrong service', next: 'Stop this run' });
  expect(accepted.result).toEqual({ type: 'closed' });
  expect(world.views(ANN)).toEqual([]);
  const told = await world.until(() => world.channel(directChannel(ANN))[0]);
  expect(told.text).toBe('Your reason: wrong service');
});

it('the sandbox does not submit a modal with an empty required field', async () => {
  const { world } = sandbox;
  const { card } = await findCard();
  await world.press(ANN, card, 'approval_more', { option: 'reason:1' });
  const view = await world.until(() => world.views(ANN)[0]);

  await expect(world.submit(ANN, view, {})).rejects.toThrow('"Why?" must be filled in.');
});

it('the sandbox shows the answer to a command to the person who typed it, and refuses commands in threads', async () => {
  const { world } = sandbox;
  const { root } = await findCard();

  await world.command(BEN, OPS, '/trusted', 'by @ann');
  expect(world.ephemerals(BEN).map(({ text }) => text)).toEqual([
    `Nothing is trusted here, ben. You wrote: by <@${ANN}|ann>`,
  ]);

  const refused = await world.command(BEN, OPS, '/trusted', '', { thread: root });
  expect(refused).toEqual({ type: 'refused', text: '/trusted is not supported in threads. Sorry!' });
  expect((await world.command(BEN, OPS, '/unknown')).type).toBe('refused');
});

it('the bot publishes a Home tab for the person who opens it', async () => {
  await sandbox.world.openHome(BEN);

  const home = await sandbox.world.until(() => sandbox.world.home(BEN));
  expect(home.content.blocks[0]).toMatchObject({ type: 'header' });
});

it('the sandbox keeps events for a bot that is away and delivers them when it is back', async () => {
  await bot.stop();
  await sandbox.world.until(() => sandbox.sockets.count() === 0);
  const root = await sandbox.world.say(ANN, OPS, '@countersign are you there?');

  bot = createEchoBot(sandbox);
  await bot.start();

  await sandbox.world.until(() => sandbox.world.messages(root).length === 3);
});

it.each([
  ['is asked to open another socket', () => sandbox.sockets.refresh()],
  ['loses its socket', () => sandbox.sockets.cut()],
])('a Bolt app that %s connects again by itself, and hears what was written meanwhile (DEMO-6)', async (_what, end) => {
  end();
  const root = await sandbox.world.say(ANN, OPS, '@countersign are you there?');

  await sandbox.world.until(() => sandbox.world.messages(root).length === 3);
  await sandbox.world.until(() => sandbox.sockets.count() === 1);
});

it('the sandbox gives each delivery to one of several sockets, in turn', async () => {
  const second = createEchoBot(sandbox);
  await second.start();
  const heard: string[] = [];
  for (const [name, app] of [['first', bot] as const, ['second', second] as const]) {
    app.event('reaction_added', async () => {
      heard.push(name);
    });
  }

  for (let count = 0; count < 4; count += 1) {
    await sandbox.world.event({ type: 'reaction_added', user: ANN, reaction: 'eyes' }).settled;
  }
  await second.stop();

  expect(heard.toSorted()).toEqual(['first', 'first', 'second', 'second']);
});
