import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Step } from '../../../app/step.ts';
import type { Conversation } from '../../../sandbox/model/conversation.ts';
import { draws } from '../bot.ts';
import type { Walk } from '../dying-walk.ts';
import type { History } from '../history.ts';
import { cardsIn, doubtsIn, ENDS, type Row, witnessesAgree } from './row.ts';

/** The steps of asking what became of a call that was lost. */
const LOST = [
  'unknown-written',
  'question-asked',
  'question-begun',
  'question-posted',
  'question-recorded',
  'doubt-waiting',
  'question-settled',
] as const satisfies readonly Step[];

/** What a tool server asks in the middle of a call, which a crash makes a lost one. */
const ASKED_BY_SERVERS = [
  'question-asked',
  'question-begun',
  'question-posted',
  'question-recorded',
  'question-settled',
] as const satisfies readonly Step[];

const SERVER = join(import.meta.dirname, '../mcp-server.ts');

const USES_THE_SERVER: Conversation = {
  example: 'use ask',
  begins: (said) => /\buse ask\b/.test(said),
  play: ({ results: [result] }) =>
    result === undefined
      ? { content: [{ type: 'tool_use', name: 'notes__ask', input: {} }] }
      : `The server said: ${result.text}`,
};

const HARMLESS = { COUNTERSIGN_CONFIG: 'test/support/harmless.config.ts' };

/** Bots die again while people are asked what became of a call, or begin it again where that does no harm. */
export const LOST_CALLS: readonly Row[] = [
  ...LOST.map(
    (at): Row => ({
      id: 'FK17, FK23',
      must: 'a person is asked once',
      walk: { dieAt: ['call-started', at], ends: ENDS },
      seen: (walked) => witnessesAgree(walked, { ran: 0, known: false }),
    }),
  ),
  ...(['question-settled', 'doubt-waiting'] as const).map(
    (at): Row => ({
      id: 'FK18',
      must: 'where it is tried again, it is asked about anew and runs once more',
      walk: { dieAt: ['tool-returned', at], doubt: 'retry', ends: ENDS },
      seen: ({ history }) => {
        const keys = history.done.map(({ key }) => key);
        expect(keys).toEqual([keys[0], `${keys[0]}~2`]);
        expect(cardsIn(history.messages)).toHaveLength(2);
        expect(doubtsIn(history.messages)).toHaveLength(1);
      },
    }),
  ),
  ...(['call-started', 'tool-returned'] as const).map(
    (at): Row => ({
      id: 'FK18',
      must: 'with a tool that does no harm twice, it has the same key again, and nobody is asked',
      walk: { dieAt: [at, at], env: HARMLESS, ends: ENDS },
      seen: ({ history }) => {
        expect(new Set(history.done.map(({ key }) => key)).size).toBe(1);
        expect(doubtsIn(history.messages)).toEqual([]);
        expect(cardsIn(history.messages)).toHaveLength(1);
      },
    }),
  ),
  {
    id: 'FK18',
    must: 'what may be killing the bot is a person’s to look at',
    walk: { dieAt: ['call-started', 'call-started', 'call-started'], env: HARMLESS, ends: ENDS },
    seen: ({ history }) => {
      expect(history.begun).toEqual([]);
      expect(doubtsIn(history.messages)).toHaveLength(1);
    },
  },
];

const typesIn = ({ runs }: History): readonly string[] =>
  runs.flatMap(({ entries }) => entries.map(({ type }) => type));

/** Bots die while a tool server asks. */
export const ASKED: readonly Row[] = ASKED_BY_SERVERS.map(
  (at): Row => ({
    id: 'FK18',
    must: 'the question is withdrawn, and the call is a lost one',
    walk: {
      dieAt: [at],
      text: 'use ask',
      // A press could be faster than the bot that starts again: then it is declined, and counts for nothing either.
      inquiry: at === 'question-settled' ? 'decline' : 'nobody',
      sandbox: { conversations: [USES_THE_SERVER] },
      prepare,
      ends: /The server said/,
    },
    seen: ({ history }) => {
      const inquiries = history.runs.flatMap(({ entries }) => entries.filter(({ type }) => type === 'inquiry-settled'));
      expect(inquiries).toMatchObject([{ how: at === 'question-settled' ? 'declined' : 'withdrawn' }]);
      // A replica may run the call while the process that took the press dies. Then the call ends with the answer.
      const isLost = at !== 'question-settled' || !typesIn(history).includes('call-finished');
      expect(typesIn(history).filter((type) => type === 'call-unknown')).toHaveLength(isLost ? 1 : 0);
      expect(doubtsIn(history.messages)).toHaveLength(isLost ? 1 : 0);
      expect(history.messages.filter((message) => draws(message, 'inquiry_decline'))).toEqual([]);
    },
  }),
);

function prepare(dataDir: string): ReturnType<NonNullable<Walk['prepare']>> {
  const write = (name: string, text: string) => {
    writeFileSync(join(dataDir, name), text);
    return join(dataDir, name);
  };
  const args = [SERVER, write('tools.json', JSON.stringify([{ name: 'ask' }]))];
  write('mcp.json', JSON.stringify({ mcpServers: { notes: { command: process.execPath, args } } }));
  return { COUNTERSIGN_CONFIG: write('countersign.config.mjs', 'export default {};') };
}
