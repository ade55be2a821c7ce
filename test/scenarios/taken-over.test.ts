import { afterEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../../app/limits.ts';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, reply, type Stage, witnessed } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';
import { ONLY_LEASES, ONLY_SHORT_WAITS, type Patch, type Patched, patchedSources } from '../support/patched.ts';

let stage: Stage;
let sources: Patched;
afterEach(async () => {
  await stage?.close();
  sources?.remove();
});

/** Bots for which every other wait takes an hour. */
function botsThatNeed(waits: readonly Patch[]): { readonly sources: string } {
  sources = patchedSources(waits);
  return { sources: sources.folder };
}

/** What is promised. How long it really took is printed, and nothing is judged by it but that an end comes. */
const PROMISED_MS = 15_000;

/** The longest sweep: it is jittered. */
const SWEEP_MS = 1.25 * LIMITS.sweepMs;
/** All that a replica waits for that takes over where the queue is of no help, one after the other. */
const WAITS_OF_A_TAKEOVER_MS = LIMITS.leaseMs + SWEEP_MS + LIMITS.queuePatienceMs + SWEEP_MS + LIMITS.postPatienceMs;

const print = (what: string, sinceMs: number) =>
  process.stdout.write(`${what} after ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s\n`);

describe('a replica that stops or dies', () => {
  it('is replaced after waits of fifteen seconds at most when it dies while the model answers (FK6, FK19)', async () => {
    expect(WAITS_OF_A_TAKEOVER_MS).toBeLessThan(PROMISED_MS);
    stage = await stageOn('redis', botsThatNeed(ONLY_LEASES));
    stage.sandbox.model.faults.set('messages', { type: 'hang' });
    const doomed = await stage.startBot();
    const root = await mention(stage, ANN, 'restart the payments service');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);
    await stage.startBot();
    await doomed.kill();
    const died = performance.now();

    await stage.world.until(() => stage.sandbox.model.requests.length === 2);
    print('The run of a killed replica was taken over', died);

    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'Done.');
    expect(witnessed(stage, 'begun')).toHaveLength(1);
  });

  it('leaves no lease or lock to wait for when all replicas are stopped politely and replaced, one after the other (FN2)', async () => {
    stage = await stageOn('redis', botsThatNeed(ONLY_SHORT_WAITS));
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
        stage.world.until(() => stage.world.messages(root).some(({ text }) => text.includes('Done.'))),
      ),
    );
    print('Everything that waited through a rolling restart went on', replaced);

    expect(witnessed(stage, 'begun')).toHaveLength(3);
  });
});
