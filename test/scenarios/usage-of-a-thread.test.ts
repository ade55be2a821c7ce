import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BEN, BOT, OPS } from '../../sandbox/people.ts';
import { cardIn, mention, reply, type Stage, says, whisper } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

describe.each(ENGINES)('`usage` in a thread (%s)', (engine) => {
  it('reports the usage of all runs of the thread, even after a restart', async () => {
    stage = await stageOn(engine);
    const env = { COUNTERSIGN_CONFIG: 'test/scenarios/priced.config.ts' };
    const bot = await stage.startBot({ env });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'was restarted');
    await bot.stop();
    await stage.startBot({ env });
    await stage.world.say(ANN, OPS, `<@${BOT}> restart the payments service`, { thread: root });
    await cardIn(stage, root);

    // Two answers of 400 tokens in the first run, and one so far in the second.
    await stage.world.say(BEN, OPS, `<@${BOT}> usage`, { thread: root });
    await whisper(stage, BEN, 'Used in this thread');
    const told = stage.world.ephemerals(BEN).find((message) => says(message, 'Used in this thread'));
    expect(JSON.stringify(told?.blocks)).toContain('3 answers in 2 runs');
    expect(JSON.stringify(told?.blocks)).toContain('1,200 tokens read');
    expect(JSON.stringify(told?.blocks)).toContain('*1.20 EUR*');
    expect(JSON.stringify(told?.blocks)).toContain('The current run: 400 tokens read');
    expect(stage.world.messages(root).some((message) => says(message, 'Used in this thread'))).toBe(false);
  });
});
