import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, openStage, reply, type Stage, says, witnessed } from '../support/bot.ts';

let stage: Stage;
afterEach(() => stage.close());

it.each(['auth.test', 'apps.connections.open'])(
  'a start that Slack refuses at %s takes no run in hand, so no run is set aside for it (EDGE-7)',
  async (method) => {
    stage = await openStage();
    const dead = await stage.startBot({ dieAt: 'call-decided' });
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await dead.gone;
    stage.world.faults.set(method, { type: 'platform', error: 'invalid_auth' }, Number.POSITIVE_INFINITY);
    for (let start = 0; start < 3; start += 1) await expect(stage.startBot()).rejects.toThrow('Slack refuses');
    expect(witnessed(stage, 'begun')).toEqual([]);
    stage.world.faults.clear();

    await stage.startBot();
    await reply(stage, root, 'Done.', { withinMs: 15_000 });
    expect(stage.world.messages(root).filter((message) => says(message, 'set it aside'))).toEqual([]);
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  },
);
