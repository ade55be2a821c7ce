import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANN, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage, View } from '../../sandbox/records.ts';
import {
  aWhile,
  cardIn,
  draws,
  mention,
  openStage,
  type RunningBot,
  reply,
  type Stage,
  says,
  whisper,
} from '../support/bot.ts';

let stage: Stage;
afterEach(() => stage?.close());

const SERVER = join(import.meta.dirname, '../support/mcp-server.ts');

/** A bot with one tool server, and a model that uses the tool of it that a person names. */
async function openWithServer(): Promise<RunningBot> {
  stage = await openStage({
    sandbox: {
      conversations: [
        {
          example: 'use ask',
          begins: (said) => /\buse [\w-]+/.test(said),
          play: ({ said, results: [result] }) =>
            result === undefined
              ? { content: [{ type: 'tool_use', name: `notes__${/\buse ([\w-]+)/.exec(said)?.[1]}`, input: {} }] }
              : `The server said: ${result.text}`,
        },
      ],
    },
  });
  const write = (name: string, text: string) => {
    const file = join(stage.dataDir, name);
    writeFileSync(file, text);
    return file;
  };
  const tools = write(
    'tools.json',
    JSON.stringify([{ name: 'ask' }, { name: 'ask-alike' }, { name: 'ask-briefly' }, { name: 'echo' }]),
  );
  write('mcp.json', JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [SERVER, tools] } } }));
  write('countersign.config.mjs', 'export default {};');
  return startBot();
}

const startBot = (): Promise<RunningBot> =>
  stage.startBot({ env: { COUNTERSIGN_CONFIG: join(stage.dataDir, 'countersign.config.mjs') } });

/** Ann lets the call run; what the server then asks stands in the thread. */
async function untilAsked(root: SlackMessage): Promise<SlackMessage> {
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  return stage.world.until(() => stage.world.messages(root).find((message) => draws(message, 'inquiry_decline')), {
    what: 'a question of the server in the thread',
  });
}

const now = (card: SlackMessage): SlackMessage => stage.world.message(card) ?? card;
const form = (user: string): Promise<View> =>
  stage.world.until(() => stage.world.views(user).find(({ content }) => content.submit !== undefined));

it('the name of a tool of a tool server is drawn unchanged on its card, from question to outcome (MF-10)', async () => {
  await openWithServer();
  const root = await mention(stage, ANN, 'use echo');
  const card = await cardIn(stage, root);
  expect(says(card, 'notes__echo')).toBe(true);
  expect(says(card, 'u{5F}')).toBe(false);

  await stage.world.press(ANN, card, 'approval_approve');
  await stage.world.until(() => says(now(card), 'Ran in'));
  expect(says(now(card), 'notes__echo')).toBe(true);
  expect(says(now(card), 'u{5F}')).toBe(false);
});

describe('a tool server that asks in the middle of a call', () => {
  it('gets an answer from Ann in a form, and the call finishes with it', async () => {
    await openWithServer();
    const root = await mention(stage, ANN, 'use ask');

    const card = await untilAsked(root);
    expect(says(card, 'Which branch?')).toBe(true);
    await stage.world.press(ANN, card, 'inquiry_answer');
    const submitted = await stage.world.submit(ANN, await form(ANN), { 'field-0': 'main' });

    expect(submitted.result).toEqual({ type: 'closed' });
    await reply(stage, root, 'The server said: answered');
    expect(JSON.stringify(stage.sandbox.model.requests.at(-1))).toContain('branch');
    await stage.world.until(() => says(now(card), 'Answered by') && !draws(now(card), 'inquiry_answer'));
  });

  it('can only be declined where a person could not tell its options apart (P26)', async () => {
    await openWithServer();
    const root = await mention(stage, ANN, 'use ask-alike');
    const card = await untilAsked(root);
    expect(draws(card, 'inquiry_answer')).toBe(false);

    await stage.world.press(ANN, card, 'inquiry_decline');
    await reply(stage, root, 'decline');
  });

  it('takes no answer from Zoe, who is told so privately (P3, P35)', async () => {
    await openWithServer();
    const root = await mention(stage, ANN, 'use ask');
    const card = await untilAsked(root);

    await stage.world.press(ZOE, card, 'inquiry_decline');
    await whisper(stage, ZOE, 'can answer the tool server');
    await stage.world.press(ZOE, card, 'inquiry_answer');
    await stage.world.until(() =>
      stage.world.views(ZOE).some(({ content }) => /can answer the tool server/.test(JSON.stringify(content))),
    );

    expect(stage.world.views(ZOE).some(({ content }) => content.submit !== undefined)).toBe(false);
    expect(draws(now(card), 'inquiry_answer')).toBe(true);
    await stage.world.press(ANN, card, 'inquiry_decline');
    await reply(stage, root, 'decline');
    await stage.world.until(() => says(now(card), 'Declined by') && !draws(now(card), 'inquiry_decline'));
  });

  it('has its question shown once more when the card is deleted, and the new one is answered (B9)', async () => {
    await openWithServer();
    const root = await mention(stage, ANN, 'use ask');
    const card = await untilAsked(root);
    await stage.world.remove(card);
    const open = () => stage.world.messages(root).filter((message) => draws(message, 'inquiry_decline'));
    const again = await stage.world.until(() => open().find(({ ts }) => ts !== card.ts));
    await aWhile();

    expect(open()).toHaveLength(1);
    await stage.world.press(ANN, again, 'inquiry_decline');
    await reply(stage, root, 'decline');
    await stage.world.until(() => says(now(again), 'Declined by') && !draws(now(again), 'inquiry_decline'));
  });

  it('withdraws its question, and the buttons go (P21)', async () => {
    await openWithServer();
    const root = await mention(stage, ANN, 'use ask-briefly');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');

    await reply(stage, root, 'The server said: took it back');
    const card = await stage.world.until(() =>
      stage.world.messages(root).find((message) => says(message, 'Still there?') && says(message, 'Withdrawn')),
    );

    expect(draws(card, 'inquiry_decline')).toBe(false);
  });

  it('has its question withdrawn when the bot dies, and the next bot says so on the card (P21)', async () => {
    const bot = await openWithServer();
    const root = await mention(stage, ANN, 'use ask');
    const first = await untilAsked(root);
    await stage.world.press(ANN, first, 'inquiry_answer');
    const left = await form(ANN);

    await bot.kill();
    await startBot();
    await stage.world.until(() => says(now(first), 'Withdrawn') && !draws(now(first), 'inquiry_answer'));
    const submitted = await stage.world.submit(ANN, left, { 'field-0': 'main' });

    expect(JSON.stringify(submitted.result)).toContain('was withdrawn');
    await reply(stage, root, /may or may not have run|not known/i);
  });
});
