import { expect } from 'vitest';
import { ANN, BOT } from '../../../sandbox/people.ts';
import { cardIn, doubtIn, says } from '../bot.ts';
import type { Walked } from '../dying-walk.ts';
import { cardsIn, ENDS, type Row, witnessesAgree } from './row.ts';

/** Several messages, several calls, or a card for the second time. */
export const SEVERAL: readonly Row[] = [
  {
    id: 'FK25',
    must: 'of three calls at once, one is done, one is unknown and one waits',
    walk: {
      dieAt: ['call-started:2'],
      text: 'restart everything',
      verdict: 'nobody',
      meanwhile: async (stage, root) => {
        const first = await cardIn(stage, root);
        await cardIn(stage, root, 2);
        await stage.world.press(ANN, first, 'approval_approve');
        await stage.world.until(() => says(stage.world.message(first) ?? first, /Ran in/));
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      },
      afterwards: async (stage, root) => {
        await doubtIn(stage, root);
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      },
      ends: /Restarted:/,
    },
    seen: ({ history, before }) => {
      expect(['call-asked', 'call-started', 'call-finished'].map((type) => count(before[0], type))).toEqual([3, 2, 1]);
      expect(count(history, 'call-unknown')).toBe(1);
      expect(history.done).toHaveLength(2);
    },
  },
  {
    id: 'FK5',
    must: 'what was written while it waited is said to the model once',
    walk: {
      dieAt: ['message-joined'],
      meanwhile: async (stage, root) => {
        await stage.world.until(() => stage.world.messages(root).length > 1);
        await stage.world.say(ANN, root.channel, 'hello', { thread: root });
      },
      ends: /Hello!/,
    },
    seen: ({ history }) => {
      expect(history.done).toHaveLength(1);
      expect(history.modelRequests).toBe(2);
    },
  },
  {
    id: 'FK21',
    must: 'a new run answers what is in the inbox',
    walk: {
      dieAt: ['run-finished'],
      meanwhile: async (stage, root) => {
        stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1 });
        stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 3_000 });
        await stage.world.until(() => stage.sandbox.model.requests.length === 2);
        await stage.world.say(ANN, root.channel, 'hello', { thread: root });
      },
      ends: /Hello!/,
    },
    seen: ({ history }) => {
      expect(history.runs).toHaveLength(2);
      expect(history.done).toHaveLength(1);
    },
  },
  {
    id: 'FK9, FK14',
    must: 'the card without a receipt loses its buttons',
    walk: {
      dieAt: ['card-posted', 'call-decided'],
      firstIsNotPressed: true,
      // The second bot is pressed before it has found the card that the first one posted.
      meanwhile: async (stage) => stage.world.faults.set('conversations.replies', { type: 'slow', delayMs: 2_500 }),
      ends: ENDS,
    },
    seen: (walked) => witnessesAgree(walked),
  },
  ...['calls-listed', 'card-begun', 'card-posted', 'card-recorded', 'call-decided', 'painting-sent'].map(
    (at): Row => ({
      id: 'FK8, FK9',
      must: 'there is one card for many calls, and every one runs once',
      walk: { dieAt: [at], text: 'restart the fleet', ends: /The fleet: 4 of 4/ },
      seen: ({ history }) => {
        expect(cardsIn(history.messages)).toHaveLength(1);
        expect(history.done).toHaveLength(4);
        expect(history.messages.filter(({ user }) => user === BOT).length).toBeGreaterThan(1);
      },
    }),
  ),
  ...['card-lost', 'card-begun', 'card-posted:2', 'card-recorded:2'].map(
    (at): Row => ({
      id: 'B9, FK9',
      must: 'a card that was deleted has one in its place',
      walk: {
        dieAt: [at],
        onlyLastIsPressed: true,
        meanwhile: async (stage, root) => stage.world.remove(await cardIn(stage, root)),
        ends: ENDS,
      },
      seen: (walked) => {
        witnessesAgree(walked);
        expect(cardsIn(walked.history.messages)).toHaveLength(1);
        expect(count(walked.history, 'card-lost')).toBe(1);
      },
    }),
  ),
];

const count = (history: Walked['history'] | undefined, type: string) =>
  history?.runs.flatMap(({ entries }) => entries.filter((entry) => entry.type === type)).length;
