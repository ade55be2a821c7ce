import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { type BotOptions, cardIn, mention, openStage, reply, type Stage, says, witnessed } from '../support/bot.ts';
import { listen } from '../support/listen.ts';

let stage: Stage;
afterEach(() => stage.close());

it.each(['auth.test', 'apps.connections.open'])(
  'a start that Slack refuses at %s takes no run in hand, so no run is set aside for it (EDGE-7)',
  async (method) => {
    const root = await leftByDeath();
    stage.world.faults.set(method, { type: 'platform', error: 'invalid_auth' }, Number.POSITIVE_INFINITY);
    await startsInVain('Slack refuses');
    stage.world.faults.clear();

    await isFinishedOnce(root);
  },
);

it('a start whose port is taken takes no run in hand, so no run is set aside for it (EDGE-7)', async () => {
  const root = await leftByDeath();
  const other = createServer();
  const port = await listen(other);
  await startsInVain(`Port ${port} is taken`, { http: true, env: { PORT: `${port}`, HOST: '127.0.0.1' } });
  other.close();

  await isFinishedOnce(root);
});

/** A run with an approved call, whose bot died before the call began. */
async function leftByDeath() {
  stage = await openStage();
  const dead = await stage.startBot({ dieAt: 'call-decided' });
  const root = await mention(stage, ANN, 'restart the payments service');
  await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
  await dead.gone;
  return root;
}

async function startsInVain(why: string, options: BotOptions = {}) {
  for (let start = 0; start < 3; start += 1) await expect(stage.startBot(options)).rejects.toThrow(why);
  expect(witnessed(stage, 'begun')).toEqual([]);
}

async function isFinishedOnce(root: Awaited<ReturnType<typeof leftByDeath>>) {
  await stage.startBot();
  await reply(stage, root, 'Done.');
  expect(stage.world.messages(root).filter((message) => says(message, 'set it aside'))).toEqual([]);
  expect(witnessed(stage, 'begun')).toHaveLength(1);
}
