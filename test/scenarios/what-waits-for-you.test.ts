import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, mention, openCards, reply, type Stage, says, whisper, witnessed } from '../support/bot.ts';
import { channelsLikeOps } from '../support/channels.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe.each(ENGINES)('/approvals (%s)', (engine) => {
  it('lists for each person what that person can decide, from the full view (P12)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();
    const root = await mention(stage, ANN, 'drop the old database');
    await cardIn(stage, root);

    await stage.world.command(ANN, OPS, '/approvals');
    await whisper(stage, ANN, 'Nothing waits for you.');
    await stage.world.command(BEN, OPS, '/approvals');
    await whisper(stage, BEN, 'Waiting for you');
    const list = stage.world.ephemerals(BEN).find((message) => says(message, 'Waiting for you'));
    expect(list === undefined ? '' : JSON.stringify(list.blocks)).toContain('drop_database');

    // A slash command cannot be typed in a thread; a mention can.
    await stage.world.say(BEN, OPS, `<@${BOT}> approvals`, { thread: root });
    await stage.world.until(
      () =>
        stage.world.ephemerals(BEN).filter(({ threadTs, text }) => threadTs === root.ts && /Waiting/.test(text))
          .length > 0,
      { what: 'the list in the thread' },
    );

    if (list !== undefined) await stage.world.press(BEN, list, 'approval_view');
    const full = await stage.world.until(() =>
      stage.world.views(BEN).find(({ content }) => JSON.stringify(content).includes('approval_approve')),
    );
    await stage.world.press(BEN, full, 'approval_approve');
    await reply(stage, root, 'The old database is gone');

    expect(witnessed(stage)).toHaveLength(1);
    expect(openCards(stage, root)).toEqual([]);
    await stage.world.command(BEN, OPS, '/approvals');
    await whisper(stage, BEN, 'Nothing waits for you.');

    // Then the requester and the approver can read the record, and no other person.
    await stage.world.command(BEN, OPS, '/approvals', 'log');
    await whisper(stage, BEN, 'Recently answered');
    const answered = stage.world.ephemerals(BEN).find((message) => says(message, 'Recently answered'));
    expect(answered === undefined ? '' : JSON.stringify(answered.blocks)).toContain('drop_database');
  });

  it('lists those that have waited longest, however many wait, and says how many more there are (P12)', async () => {
    stage = await stageOn(engine);
    await stage.startBot();
    const roots: SlackMessage[] = [];
    for (const channel of channelsLikeOps(stage, 6))
      for (let asked = 0; asked < 5; asked += 1) {
        const root = await mention(stage, ANN, 'restart the payments service', channel);
        await cardIn(stage, root);
        roots.push(root);
      }

    await stage.world.command(ANN, OPS, '/approvals');
    await whisper(stage, ANN, '30 requests');
    const list = JSON.stringify(stage.world.ephemerals(ANN).find((message) => says(message, '30 requests'))?.blocks);

    const listed = [...list.matchAll(/thread_ts=([\d.]+)/g)].map(([, ts]) => ts);
    expect(listed).toEqual(roots.slice(0, 10).map(({ ts }) => ts));
    expect(list).toContain('and 20 more');
  });
});
