import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type RunId, threadKey, UserId } from '../../app/records/index.ts';
import { ANN, OPS, TEAM } from '../../sandbox/people.ts';
import { startReplica } from './replica.ts';
import { FAKED } from './story.ts';
import { createWorld } from './world.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: FAKED }));
afterEach(() => void vi.useRealTimers());

it('a message after the first one of a run that another process has just begun joins that run (D9, FN1)', async () => {
  const world = await createWorld(1);
  world.weather.lost = 0;
  world.weather.refused = 0;
  const { facts } = world.store;
  const thread = { team: TEAM, channel: OPS, ts: '1.000001' };
  const key = threadKey(thread);
  const slow = await startReplica(world, 'slow');
  const quick = await startReplica(world, 'quick');
  const steps = async (until: () => unknown) => {
    while (!(await until())) if (!(await world.schedule.step())) vi.advanceTimersByTime(100);
  };
  const said = (ts: string) => ({ thread, user: UserId.parse(ANN), userTeam: TEAM, ts, text: 'restart payments' });
  const deliver = (ts: string) => facts.take({ key: `m/${ts}`, thread: key, item: JSON.stringify(said(ts)) });
  const currentRun = async (): Promise<RunId | undefined> => (await facts.thread(key)).currentRun;

  await deliver('1.000001');
  // The process has seen that no run exists, and pauses. It goes on after the next message.
  const read = vi.spyOn(facts, 'thread');
  void slow.core.runs.advance(key);
  await steps(() => read.mock.calls.length > 0);
  slow.process.paused = true;
  void quick.core.runs.advance(key);
  await steps(currentRun);
  const first = await currentRun();
  await deliver('1.000002');
  slow.process.paused = false;
  await steps(async () => (await facts.thread(key)).inbox.length === 0);

  expect(await currentRun()).toBe(first);
});
