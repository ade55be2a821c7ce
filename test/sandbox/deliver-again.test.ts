import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { slackTricks } from '../../sandbox/demo/tricks/slack.ts';
import { witnessIn } from '../../sandbox/demo/tricks/witness.ts';
import type { JournalLine } from '../../sandbox/page/journal/journal.ts';
import { ANN, OPS, ZOE } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { createEchoBot } from './fixtures/echo-bot.ts';

/** What the strip says after it delivered the last press five times, with a journal that a test writes. */
let sandbox: Sandbox;
let bot: ReturnType<typeof createEchoBot>;
let root: SlackMessage;
let kinds: readonly string[] = [];
let taken = 0;

beforeEach(async () => {
  sandbox = await startSandbox();
  bot = createEchoBot(sandbox);
  await bot.start();
  root = await sandbox.world.say(ANN, OPS, '@countersign restart the payments service');
  const card = await sandbox.world.until(() =>
    sandbox.world.messages(root).find(({ text }) => text.startsWith('Approval needed')),
  );
  await sandbox.world.press(ANN, card, 'approval_approve');
  await sandbox.world.until(() => sandbox.world.message(card)?.text.startsWith('Approved'));
  kinds = ['call-decided'];
  taken = 6;
});

afterEach(async () => {
  // The bot paints the card anew after each press that it took.
  const painted = () => sandbox.world.requests.filter(({ method }) => method === 'chat.update').length;
  await sandbox.world.until(() => painted() >= taken);
  await bot.stop();
  await sandbox.close();
});

const line = (kind: string, position: number): JournalLine => ({
  ...{ journal: 'run', position, time: new Date(0).toISOString(), kind, sentence: kind, hash: `${position}`, prev: '' },
});

const AT_ONCE = { timeout: PATIENCE_MS };

/** The journal has these further entries when the presses were delivered again. */
async function deliveredAgain(...further: readonly string[]) {
  const press = sandbox.world.deliveries.find(({ payload }) => payload.type === 'block_actions');
  const [trick] = slackTricks(
    {
      sandbox,
      witness: witnessIn(join(tmpdir(), 'no-such-folder', 'actions.jsonl')),
      journal: {
        of: ({ ts }) => {
          const isAgain = (press?.attempts ?? 0) > 1;
          return ts === root.ts ? [...kinds, ...(isAgain ? further : [])].map(line) : [];
        },
      },
    },
    // Longer than a test may take: no sentence comes because the time is over.
    2 * PATIENCE_MS,
  );
  return trick?.run(() => {});
}

it('of a press that is delivered five times more the strip says that none counted (DEMO-2)', AT_ONCE, async () => {
  expect(await deliveredAgain(...Array.from({ length: 5 }, () => 'press-refused'))).toBe(
    'Delivered the press of “Approve” 5 more times. All 5 reached the bot, and none of them counted.',
  );
});

it(
  'of a press that first counted when it was delivered again the strip says that it did (DEMO-2)',
  AT_ONCE,
  async () => {
    expect(await deliveredAgain('call-decided', ...Array.from({ length: 4 }, () => 'press-refused'))).toBe(
      'Delivered the press of “Approve” 5 more times. All 5 reached the bot, and 1 counted.',
    );
  },
);

it(
  'of a press that no journal names the strip says what became of it when the presser is told (DEMO-2)',
  AT_ONCE,
  async () => {
    taken = 1;
    const [card] = sandbox.world.messages(root).filter(({ text }) => text.startsWith('Approved'));
    if (card === undefined) throw new Error('The card was not decided.');
    bot.action({ type: 'block_actions', action_id: 'told' }, async ({ ack, client }) => {
      await ack();
      await client.chat.postEphemeral({ channel: OPS, user: ZOE, thread_ts: root.ts, text: 'It was decided before.' });
    });
    await sandbox.world.press(ZOE, card, 'told', { forged: true, value: 'told' });
    await sandbox.world.until(() => sandbox.world.ephemerals(ZOE).length === 1);

    expect(await deliveredAgain()).toContain('All 5 reached the bot, and none of them counted.');
    expect(sandbox.world.ephemerals(ZOE)).toHaveLength(6);
  },
);

it('of a press that reaches no bot the strip says that it did not (DEMO-2)', AT_ONCE, async () => {
  taken = 1;
  await bot.stop();
  await sandbox.world.until(() => sandbox.sockets.count() === 0);

  expect(await deliveredAgain()).toBe('Delivered the press of “Approve” 5 more times. None of them reached the bot.');
});
