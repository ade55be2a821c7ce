import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import { cardIn, openStage, type RunningBot, type Stage } from '../support/bot.ts';

let stage: Stage;
let bot: RunningBot;
beforeEach(async () => {
  stage = await openStage();
  bot = await stage.startBot({ http: true });
});
afterEach(() => stage.close());

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

async function send(type: string, body: string, secret = stage.sandbox.signingSecret): Promise<number> {
  const sentAt = Math.floor(Date.now() / 1_000);
  const headers = {
    'content-type': type,
    'x-slack-request-timestamp': `${sentAt}`,
    'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${sentAt}:${body}`).digest('hex')}`,
  };
  return (await fetch(`http://127.0.0.1:${bot.port}/slack/events`, { method: 'POST', body, headers })).status;
}

it('signed bodies that are not objects are answered 400, and the bot goes on (MF-15)', async () => {
  const odd = ['null', 'true', '7', '"text"', '[]', '[null]', '{', ''];

  const answers = [];
  for (const body of odd) {
    answers.push(await send(JSON_TYPE, body), await send(FORM, `payload=${encodeURIComponent(body)}`));
  }

  expect(answers).toEqual(answers.map(() => 400));
  const root = await stage.world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  await cardIn(stage, root);
  expect(bot.isAlive()).toBe(true);
});

it('an unsigned body that is not an object is answered 401, and one that is too long 413 (MF-15)', async () => {
  expect(await send(JSON_TYPE, 'null', 'another secret')).toBe(401);
  expect(await send(FORM, 'payload=null', 'another secret')).toBe(401);
  expect(await send(JSON_TYPE, JSON.stringify('x'.repeat(5_000_000)))).toBe(413);
  expect(bot.isAlive()).toBe(true);
});

it('a request behind a body that is too long is answered over the same connection (EDGE-7)', async () => {
  const connection = connect(Number(bot.port), '127.0.0.1').setEncoding('utf8');
  let answers = '';
  connection.on('data', (text) => {
    answers += text;
  });
  connection.on('error', () => {});
  const body = 'x'.repeat(5_000_000);
  connection.write(`POST /slack/events HTTP/1.1\r\nhost: bot\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await expect.poll(() => answers).toContain('HTTP/1.1 413');
  connection.write('GET /healthz HTTP/1.1\r\nhost: bot\r\n\r\n');

  await expect.poll(() => answers).toContain('HTTP/1.1 200');
  connection.destroy();
});

it('signed objects of shapes that Slack never sends do not end the bot (MF-15)', async () => {
  const odd = [
    '{}',
    '{"type":null}',
    '{"type":"event_callback","event":null}',
    '{"type":"event_callback","event":[]}',
    '{"type":"block_actions","actions":null}',
    '{"type":"block_actions","actions":[null]}',
    '{"type":"view_submission","view":null}',
    '{"command":null}',
  ];

  for (const body of odd) {
    await send(JSON_TYPE, body);
    await send(FORM, `payload=${encodeURIComponent(body)}`);
  }

  const root = await stage.world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  await cardIn(stage, root);
  expect(bot.isAlive()).toBe(true);
});

it('signed bodies of unknown types are all answered, and the same process goes on (EDGE-7)', async () => {
  const unknown = [
    ...['{}', '{"type":"of_next_year"}', '{"type":7}', '{"type":["event_callback"]}', '{"__proto__":null}'],
    ...['null', '7', '"text"', '{}', '[null]', '{"type":"of_next_year"}', '{"type":"message","item":null}'].map(
      (event) => `{"type":"event_callback","event":${event}}`,
    ),
    ...['null', '7', '[]', '[{}]', '[{"action_id":7}]', '[{"type":"of_next_year","action_id":"x"}]'].map(
      (actions) => `{"type":"block_actions","actions":${actions}}`,
    ),
    ...['null', '7', '{}', '{"callback_id":7}'].map((view) => `{"type":"view_submission","view":${view}}`),
    ...['shortcut', 'message_action', 'view_closed', 'dialog_submission', 'block_suggestion'].map(
      (type) => `{"type":"${type}","channel":null,"team":null,"user":null}`,
    ),
    '{"command":7}',
  ];
  const forms = ['payload=', 'payload=null&payload=null', 'ssl_check=1&payload=null', 'event=7', 'view=7', 'a=b'];

  const answers = await Promise.all([
    ...unknown.flatMap((body) => [send(JSON_TYPE, body), send(FORM, `payload=${encodeURIComponent(body)}`)]),
    ...forms.map((body) => send(FORM, body)),
    ...['text/plain', 'application/xml', `${FORM}; charset=utf-8`].map((type) => send(type, 'payload=null')),
  ]);

  expect(answers.filter((status) => ![200, 400, 404, 500].includes(status))).toEqual([]);
  const root = await stage.world.say(ANN, OPS, `<@${BOT}> restart the payments service`);
  await cardIn(stage, root);
  expect(bot.isAlive()).toBe(true);
});
