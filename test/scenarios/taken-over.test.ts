import { afterEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** What is promised. How long it really took is printed. */
const WITHIN_MS = 15_000;

const print = (what: string, sinceMs: number) =>
  process.stdout.write(`${what} after ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s\n`);

describe('a replica that goes', () => {
  it('is replaced within fifteen seconds when it dies in the middle of an answer (FK6, FK19)', async () => {
    stage = await stageOn('redis', { sandbox: { pieceDelayMs: 700 } });
    const doomed = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    await stage.startBot();
    await doomed.kill();
    const died = performance.now();

    await stage.world.until(() => stage.sandbox.model.requests.length === 2, { withinMs: WITHIN_MS });
    print('The run of a killed replica was taken over', died);

    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('leaves nothing waiting for longer after all were stopped politely and replaced, one after the other (FN2)', async () => {
    stage = await stageOn('redis');
    let bots = [await stage.startBot(), await stage.startBot()];
    const roots = await Promise.all([1, 2, 3].map(() => mention(stage, ANN, 'restart the payments service')));
    const asked = await Promise.all(roots.map((root) => cardIn(stage, root)));

    const fresh = [];
    for (const old of bots) {
      fresh.push(await stage.startBot());
      await old.stop();
    }
    bots = fresh;
    const replaced = performance.now();
    await Promise.all(asked.map((card) => stage.world.press(ANN, card, 'approval_approve')));
    await Promise.all(
      roots.map((root) =>
        stage.world.until(() => stage.world.messages(root).some(({ text }) => text.includes('Done.')), {
          withinMs: WITHIN_MS,
        }),
      ),
    );
    print('Everything that waited through a rolling restart went on', replaced);

    expect(witnessed(stage, 'begun')).toHaveLength(3);
  });
});
