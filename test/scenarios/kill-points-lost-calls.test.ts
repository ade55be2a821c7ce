import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../sandbox/model/conversations.ts';
import { draws } from '../support/bot.ts';
import { dyingWalk } from '../support/dying-walk.ts';
import { ASKED_BY_SERVERS, cardsIn, doubtsIn, ENDS, LOST, witnessesAgree } from '../support/kill-rows.ts';

const HARMLESS = { COUNTERSIGN_CONFIG: 'test/support/harmless.config.ts' };

describe.concurrent('a bot that dies again while people are asked what became of a call', { timeout: 180_000 }, () => {
  it.each(LOST)('FK17 FK23 after call-started and then %s: a person is asked once', async (at) => {
    witnessesAgree(await dyingWalk({ dieAt: ['call-started', at], ends: ENDS }), { ran: 0, known: false });
  });

  it.each(['doubt-settled', 'doubt-waiting'] as const)(
    'FK18 after tool-returned and then %s, tried again: it is asked about anew, and runs once more',
    async (at) => {
      const { history } = await dyingWalk({ dieAt: ['tool-returned', at], doubt: 'retry', ends: ENDS });
      const keys = history.done.map(({ key }) => key);
      expect(keys).toEqual([keys[0], `${keys[0]}~2`]);
      expect(cardsIn(history.messages)).toHaveLength(2);
      expect(doubtsIn(history.messages)).toHaveLength(1);
    },
  );

  it.each(['call-started', 'tool-returned'] as const)(
    'FK18 after %s twice, with a tool that does no harm twice: the same key again, and nobody is asked',
    async (at) => {
      const { history } = await dyingWalk({ dieAt: [at, at], env: HARMLESS, ends: ENDS });
      expect(new Set(history.done.map(({ key }) => key)).size).toBe(1);
      expect(doubtsIn(history.messages)).toEqual([]);
      expect(cardsIn(history.messages)).toHaveLength(1);
    },
  );

  it('FK18 after call-started three times: what may be killing the bot is a person’s to look at', async () => {
    const dieAt = ['call-started', 'call-started', 'call-started'];
    const { history } = await dyingWalk({ dieAt, env: HARMLESS, ends: ENDS });
    expect(history.begun).toEqual([]);
    expect(doubtsIn(history.messages)).toHaveLength(1);
  });
});

describe.concurrent('a bot that dies while a tool server asks', { timeout: 180_000 }, () => {
  it.each(ASKED_BY_SERVERS)('FK18 after %s: the question is withdrawn, and the call is a lost one', async (at) => {
    const { history } = await dyingWalk({
      dieAt: [at],
      text: 'use ask',
      // A press could be faster than the bot that starts again: then it is declined, and counts for nothing either.
      inquiry: at === 'inquiry-settled' ? 'decline' : 'nobody',
      sandbox: { conversations: [USES_THE_SERVER] },
      prepare: (dataDir) => {
        const write = (name: string, text: string) => {
          writeFileSync(join(dataDir, name), text);
          return join(dataDir, name);
        };
        const args = [SERVER, write('tools.json', JSON.stringify([{ name: 'ask' }]))];
        write('mcp.json', JSON.stringify({ mcpServers: { notes: { command: process.execPath, args } } }));
        return { COUNTERSIGN_CONFIG: write('countersign.config.mjs', 'export default {};') };
      },
      ends: /The server said/,
    });

    const inquiries = history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'inquiry-settled'));
    expect(inquiries).toMatchObject([{ how: at === 'inquiry-settled' ? 'declined' : 'withdrawn' }]);
    expect(doubtsIn(history.messages)).toHaveLength(1);
    expect(history.messages.filter((message) => draws(message, 'inquiry_decline'))).toEqual([]);
  });
});

const SERVER = join(import.meta.dirname, '../support/mcp-server.ts');

const USES_THE_SERVER: Conversation = {
  example: 'use ask',
  begins: (said) => /\buse ask\b/.test(said),
  play: ({ results: [result] }) =>
    result === undefined
      ? { content: [{ type: 'tool_use', name: 'notes__ask', input: {} }] }
      : `The server said: ${result.text}`,
};
