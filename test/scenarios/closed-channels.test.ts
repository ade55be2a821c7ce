import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, draws, logged, mention, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { historyOf } from '../support/history.ts';
import { entriesOf } from '../support/read-history.ts';

let stage: Stage;
afterEach(() => stage?.close());

const WRITES = ['chat.postMessage', 'chat.update', 'chat.startStream', 'agents.sessions.setStatus'];

const now = (card: SlackMessage): SlackMessage => stage.world.message(card) ?? card;

function close(error: string): void {
  // An archived channel can still be read.
  const refused = error === 'is_archived' ? WRITES : [...WRITES, 'conversations.replies'];
  for (const method of refused) {
    stage.world.faults.set(method, { type: 'platform', error }, Number.POSITIVE_INFINITY);
  }
}

it.each(['is_archived', 'not_in_channel', 'channel_not_found'])(
  'a run whose channel answers %s ends, its card loses the buttons at a later press, and the next message begins a new run (FS9, D9)',
  async (error) => {
    stage = await stageOn('sqlite');
    const bot = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    const card = await cardIn(stage, root);
    close(error);

    await stage.world.press(ANN, card, 'approval_deny');
    await logged(bot, 'A run ends because its thread cannot be reached any more.');
    // The requester is told in a conversation of their own, once.
    const tried = () =>
      stage.world.requests.filter(
        ({ method, arguments: args }) => method === 'chat.postMessage' && args.channel === root.channel,
      ).length;
    const before = tried();
    // Longer than a lease: a process that had not ended it would come again.
    await new Promise((resolve) => setTimeout(resolve, 7_000));

    expect(tried()).toBe(before);
    expect(bot.log()).not.toContain('could not be advanced');

    stage.world.faults.clear();
    if (error === 'is_archived') {
      // The channel is brought back, and no person writes there.
      const isIdle = () => stage.world.session(root).status === 'active';
      await stage.world.until(isIdle, { what: 'the thread to be idle' });
    }
    // No event says that the channel takes edits again. The next press on the old card decides nothing and takes its buttons away.
    expect(draws(now(card), 'approval_approve')).toBe(true);
    await stage.world.press(ANN, card, 'approval_approve');
    await stage.world.until(() => !draws(now(card), 'approval_approve') || undefined, {
      what: 'the card has no buttons',
    });
    await stage.world.say(ANN, root.channel, 'status', { thread: root });
    await reply(stage, root, 'This is what I see');
    await logged(bot, 'A run came to its end.');
    await bot.kill();

    const { runs } = await historyOf(stage, root);
    const endOf = (run: (typeof runs)[number]) =>
      (['run-finished', 'unheard', 'sealed'] as const).filter((type) => entriesOf(run, type).length > 0);
    expect(runs.map(endOf)).toEqual([
      ['run-finished', 'unheard', 'sealed'],
      ['run-finished', 'sealed'],
    ]);
    expect(witnessed(stage, 'begun')).toEqual([]);
  },
);
