import { expect } from 'vitest';
import { ANN, BEN, BOT, directChannel, ZOE } from '../../../sandbox/people.ts';
import type { SlackMessage } from '../../../sandbox/records.ts';
import { cardIn, reply, type Stage, says } from '../bot.ts';
import type { History } from '../history.ts';
import { cardsIn, ENDS, type Row, witnessesAgree } from './row.ts';

const say = (stage: Stage, root: SlackMessage, text: string) =>
  stage.world.say(ANN, root.channel, text, { thread: root });

/** How approvals and runs end in other ways than with one yes. */
export const ENDINGS: readonly Row[] = [
  {
    id: 'FK14',
    must: 'who was reminded directly is told nothing twice, and how it ended',
    walk: {
      dieAt: ['people-told'],
      env: { COUNTERSIGN_CONFIG: 'test/scenarios/reminding.config.ts' },
      onlyLastIsPressed: true,
      afterwards: async (stage, root) => {
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
        const told = () => stage.world.channel(directChannel(ANN)).filter(({ user }) => user === BOT);
        await stage.world.until(() => told().some((copy) => says(copy, `Approved by <@${ANN}>`)), {
          what: 'the reminder says who approved',
        });
        expect(told()).toHaveLength(1);
      },
      ends: ENDS,
    },
    seen: (walked) => witnessesAgree(walked),
  },
  {
    id: 'FK22',
    must: 'it did not run, and the thread is told',
    walk: {
      dieAt: ['call-expired'],
      env: { COUNTERSIGN_CONFIG: 'test/support/hasty.config.ts' },
      verdict: 'nobody',
      ends: /Understood/,
    },
    seen: ({ history }) => expect(history.begun).toEqual([]),
  },
  ...(['run-stopped', 'post-begun'] as const).map(
    (at): Row => ({
      id: at === 'post-begun' ? 'FK20, FK22' : 'FK22',
      must: 'it did not run, and the thread is told once who stopped it',
      walk: {
        dieAt: [at],
        verdict: 'nobody',
        meanwhile: async (stage, root) => {
          await cardIn(stage, root);
          await say(stage, root, `<@${BOT}> stop`);
        },
        ends: /Stopped by/,
      },
      seen: ({ history }) => {
        expect(history.begun).toEqual([]);
        expect(history.messages.filter((message) => says(message, /Stopped by/))).toHaveLength(1);
      },
    }),
  ),
  {
    id: 'P6, FK16',
    must: 'with a stop on its way, the yes is used, or its card says that it was not',
    walk: {
      dieAt: ['call-decided'],
      // Said before, the stop can overtake the press, and then nothing is decided.
      meanwhile: async (stage, root, first) => {
        await stage.world.until(() => !first.isAlive(), { what: 'the bot dies with the yes' });
        await say(stage, root, `<@${BOT}> stop`);
      },
      ends: /Stopped by|Done\. The/,
    },
    seen: ({ history }) => {
      const started = entriesOf(history, 'call-started');
      const unused = cardsIn(history.messages).filter((card) => says(card, 'Not run:'));
      expect(started.length + unused.length).toBe(1);
      expect(history.begun).toHaveLength(started.length);
    },
  },
  {
    id: 'FK22',
    must: 'the input that a person wrote is what runs',
    walk: {
      dieAt: ['call-decided'],
      verdict: 'nobody',
      meanwhile: async (stage, root) => {
        await stage.world.press(ANN, await cardIn(stage, root), 'approval_more', { option: 'Edit input…' });
        const form = await stage.world.until(() =>
          stage.world.views(ANN).find(({ content }) => content.submit !== undefined),
        );
        await stage.world.submit(ANN, form, { 'field-0': 'mail' });
      },
      ends: ENDS,
    },
    seen: (walked) => {
      witnessesAgree(walked);
      expect(walked.history.done.map(({ input }) => input)).toEqual([{ service: 'mail' }]);
      expect(cardsIn(walked.history.messages).map((card) => says(card, 'Approved with changes'))).toEqual([true]);
    },
  },
  {
    id: 'FK22',
    must: 'one of two yeses counts, once, and the other one is still needed',
    walk: {
      dieAt: ['yes-counted'],
      text: 'drop the old database',
      env: { COUNTERSIGN_CONFIG: 'test/support/ruled.config.ts' },
      verdict: 'nobody',
      meanwhile: async (stage, root) => {
        await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');
      },
      afterwards: async (stage, root) => {
        await stage.world.press(BEN, await cardIn(stage, root), 'approval_approve');
        await stage.world.press(ZOE, await cardIn(stage, root), 'approval_approve');
      },
      ends: /Done\./,
    },
    seen: ({ history, before }) => {
      expect(before[0]?.begun).toEqual([]);
      expect(entriesOf(history, 'yes-counted')).toHaveLength(1);
      expect(entriesOf(history, 'call-decided')).toHaveLength(1);
      expect(history.done).toHaveLength(1);
    },
  },
  ...(['call-decided', 'trust-given'] as const).map(
    (at): Row => ({
      id: 'FK22',
      must: 'the trust that was shown is there',
      walk: {
        dieAt: [at],
        verdict: 'trust',
        afterwards: async (stage, root) => {
          await reply(stage, root, 'Done. The payments');
          await say(stage, root, 'restart the mail service');
        },
        ends: /Done\. The mail/,
      },
      seen: ({ history }) => {
        expect(history.done).toHaveLength(2);
        expect(cardsIn(history.messages)).toHaveLength(1);
      },
    }),
  ),
  {
    id: 'FK22',
    must: 'the call runs once on the trust that covers it',
    walk: {
      dieAt: ['trust-used'],
      verdict: 'trust',
      meanwhile: async (stage, root) => {
        await reply(stage, root, 'Done. The payments');
        await say(stage, root, 'restart the mail service');
      },
      ends: /Done\. The mail/,
    },
    seen: ({ history }) => {
      expect(history.done).toHaveLength(2);
      expect(cardsIn(history.messages)).toHaveLength(1);
    },
  },
  {
    id: 'FK22',
    must: 'what somebody has taken back asks again, and they are told',
    walk: {
      dieAt: ['trust-taken'],
      verdict: 'trust',
      meanwhile: async (stage, root) => {
        await reply(stage, root, 'Done. The payments');
        await say(stage, root, `<@${BOT}> untrust restart_service`);
      },
      afterwards: async (stage, root) => {
        await reply(stage, root, /is not trusted here|Trust ended for/);
        await say(stage, root, 'restart the mail service');
      },
      ends: /Done\. The mail/,
    },
    seen: ({ history }) => {
      expect(history.done).toHaveLength(2);
      expect(cardsIn(history.messages)).toHaveLength(2);
      expect(history.messages.filter((message) => says(message, /is not trusted here/))).toHaveLength(1);
    },
  },
];

const entriesOf = ({ runs }: History, type: string) =>
  runs.flatMap(({ entries }) => entries.filter((entry) => entry.type === type));
