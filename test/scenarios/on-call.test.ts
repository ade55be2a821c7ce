import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BEN, GUEST, ZOE } from '../../sandbox/people.ts';
import {
  aWhile,
  cardIn,
  cards,
  mention,
  openCards,
  reply,
  type Stage,
  says,
  whisper,
  witnessed,
} from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { listen } from '../support/listen.ts';

/** `example/on-call.config.ts` in a real bot, against a rota that answers over HTTP. */

let stage: Stage;
let rota: Server;
let port: number;
let answer: (response: ServerResponse) => void;
let asked: string[];
const onCall =
  (...people: readonly string[]) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ people: people.map((slackId) => ({ slackId })) }));

beforeEach(async () => {
  asked = [];
  answer = onCall(BEN);
  rota = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(response);
  });
  port = await listen(rota);
  stage = await stageOn('sqlite');
});
afterEach(async () => {
  await stage?.close();
  rota.closeAllConnections();
  await new Promise((resolve) => rota.close(resolve));
});

const [YES, NO] = ['approval_approve', 'approval_deny'];
/** An answer of the rota is remembered for five seconds. */
const FORGOTTEN_MS = 5_200;

async function startBot(config = 'example/on-call.config.ts') {
  return stage.startBot({
    env: { COUNTERSIGN_CONFIG: config, ROTA_URL: `http://127.0.0.1:${port}` },
  });
}

describe('approvers who are named by a function', () => {
  it('stand on the card, and the person on call decides, and no other (SURF-2)', async () => {
    await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);

    expect(says(card, `<@${BEN}>`)).toBe(true);
    expect(says(card, 'looked-up')).toBe(false);
    expect(says(card, 'approval_trust')).toBe(false);
    expect(new Set(asked)).toEqual(new Set(['/teams/database/on-call']));
    await stage.world.press(ZOE, card, YES);
    await whisper(stage, ZOE, /Only .* can decide this/);
    await stage.world.press(BEN, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('approve nothing on a card that was shown before the rota changed: the call is asked anew of those on call now (SURF-2, T7)', async () => {
    await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    answer = onCall(ZOE);
    await aWhile(FORGOTTEN_MS);

    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /Other people decide about this call now/);
    const again = await stage.world.until(() => openCards(stage, root).find((one) => says(one, `<@${ZOE}>`)));
    expect(witnessed(stage, 'begun')).toEqual([]);
    await stage.world.press(BEN, again, YES);
    await whisper(stage, BEN, /Only .* can decide this/);
    await stage.world.press(ZOE, again, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('can still deny on such a card (SURF-2)', async () => {
    await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    answer = onCall(ZOE);
    await aWhile(FORGOTTEN_MS);

    await stage.world.press(BEN, card, NO);
    await reply(stage, root, 'the database stays');
    expect(witnessed(stage, 'begun')).toEqual([]);
  });

  it('are not looked up anew between a yes and the start of the call (SURF-2)', async () => {
    await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    answer = (response) => {
      answer = (later) => void later.writeHead(503).end();
      onCall(BEN)(response);
    };
    await aWhile(FORGOTTEN_MS);

    await stage.world.press(BEN, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['an error', (response) => void response.writeHead(500).end()],
    ['an answer too late', () => {}],
    ['no person', onCall()],
    ['what is no id', onCall('requester')],
  ])(
    'are none where the rota gives %s: the call is not asked, and the thread hears so (SURF-2, T7)',
    async (_what, fails) => {
      answer = fails;
      const bot = await startBot();
      const root = await mention(stage, ANN, 'drop the old database');

      const told = await reply(stage, root, 'did not ask for a yes to `drop_database`');
      expect(says(told, 'it could not be found out who may approve it just now')).toBe(true);
      await aWhile();
      expect(cards(stage, root)).toEqual([]);
      expect(witnessed(stage, 'begun')).toEqual([]);
      expect(bot.log()).toContain('The function that names approvers gave no answer that can be used.');
    },
  );

  it('count to a quorum while the rota names them, and their yes is lost when it does no more (SURF-2, T7)', async () => {
    answer = onCall(BEN, ZOE);
    await startBot('test/scenarios/two-on-call.config.ts');
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    await stage.world.press(BEN, card, YES);
    await stage.world.until(() => says(stage.world.message(card) ?? card, `yes from <@${BEN}>`));
    answer = onCall(ZOE);
    await aWhile(FORGOTTEN_MS);

    await stage.world.press(ZOE, card, YES);
    const left = `yes from <@${ZOE}>; the yes of <@${BEN}> does not count any more`;
    await stage.world.until(() => says(stage.world.message(card) ?? card, left));
    expect(witnessed(stage, 'begun')).toEqual([]);

    answer = onCall(BEN, ZOE);
    await aWhile(FORGOTTEN_MS);
    await stage.world.press(BEN, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('may not approve while the rota fails, and may when it answers again (SURF-2)', async () => {
    await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    answer = (response) => void response.writeHead(500).end();
    await aWhile(FORGOTTEN_MS);

    await stage.world.press(BEN, card, YES);
    await whisper(stage, BEN, /You cannot decide about this call yet: it could not be found out/);
    await aWhile();
    expect(openCards(stage, root)).toHaveLength(1);
    expect(witnessed(stage, 'begun')).toEqual([]);

    answer = onCall(BEN);
    await stage.world.press(BEN, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });

  it('are judged like any others: a guest on call leaves the call without an approver (SURF-2)', async () => {
    answer = onCall(GUEST);
    await startBot();
    await reply(stage, await mention(stage, ANN, 'drop the old database'), 'one is named, and that person is a guest');
  });

  it('stay on the card when the process is replaced while the rota is away (SURF-2)', async () => {
    const before = await startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    const card = await cardIn(stage, root);
    await before.kill();
    answer = (response) => void response.writeHead(500).end();
    await startBot();
    await aWhile(1_500);
    expect(openCards(stage, root).map(({ ts }) => ts)).toEqual([card.ts]);

    answer = onCall(BEN);
    await stage.world.press(BEN, card, YES);
    await reply(stage, root, 'Done.');
    expect(witnessed(stage)).toHaveLength(1);
  });
});
