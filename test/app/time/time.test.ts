import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createPlanned,
  createTurns,
  every,
  idleTimers,
  pause,
  systemTimers,
  withLimit,
} from '../../../app/time/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a pause', () => {
  it('ends after its time and leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const pausing = pause(50, { signal });

    await vi.advanceTimersByTimeAsync(50);

    await expect(pausing).resolves.toBeUndefined();
    expect(removed).toHaveBeenCalledOnce();
  });

  it('rejects with the reason of its signal and clears its timer, before it begins or while it lasts', async () => {
    const stop = new AbortController();
    const pausing = pause(50, { signal: stop.signal });
    stop.abort(new Error('enough'));

    await expect(pausing).rejects.toThrow('enough');
    await expect(pause(50, { signal: stop.signal })).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('work with a time limit', () => {
  it('returns its result in time and clears the timer', async () => {
    await expect(withLimit(Promise.resolve('done'), { ms: 50, late: 'late' })).resolves.toBe('done');
    await expect(withLimit(Promise.reject(new Error('no')), { ms: 50, late: 'late' })).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('returns the value of the limit when it takes longer', async () => {
    const answer = withLimit(new Promise(() => {}), { ms: 50, late: 'late' });

    await vi.advanceTimersByTimeAsync(50);

    await expect(answer).resolves.toBe('late');
  });
});

describe('the timers', () => {
  it('repeat a tick until it is cancelled', () => {
    const tick = vi.fn();
    const cancel = every(10, tick);

    vi.advanceTimersByTime(35);
    cancel();
    vi.advanceTimersByTime(35);

    expect(tick).toHaveBeenCalledTimes(3);
  });

  it('keep the process alive, except for the idle ones', () => {
    vi.useRealTimers();
    const active = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = active();

    const cancelIdle = idleTimers.after(60_000, () => {});
    expect(active()).toBe(before);
    const cancel = systemTimers.after(60_000, () => {});
    expect(active()).toBe(before + 1);

    cancelIdle();
    cancel();
    expect(active()).toBe(before);
  });

  it('cancel planned calls together and leave those that fired', () => {
    const fire = vi.fn();
    const planned = createPlanned();
    planned.after(10, () => fire('first'));
    planned.after(30, () => fire('second'));

    vi.advanceTimersByTime(20);
    planned.cancelAll();
    vi.advanceTimersByTime(20);

    expect(fire.mock.calls).toEqual([['first']]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the queue by key', () => {
  it('runs work of one key in order, even after a failure, and other keys beside it', async () => {
    const inTurn = createTurns();
    const said: string[] = [];
    const say = async (word: string, ms: number): Promise<void> => {
      await pause(ms);
      said.push(word);
    };
    const failing = inTurn('a', async () => {
      await say('a1', 20);
      throw new Error('no');
    });
    const work = [inTurn('a', () => say('a2', 0)), inTurn('b', () => say('b1', 10))];
    const failed = expect(failing).rejects.toThrow('no');

    await vi.advanceTimersByTimeAsync(30);
    await Promise.all(work);
    await failed;

    expect(said).toEqual(['b1', 'a1', 'a2']);
  });

  it('lets work that may wait only so long go ahead of work that does not end', async () => {
    const inTurn = createTurns();
    const said: string[] = [];
    void inTurn('a', () => pause(60_000));
    const work = [inTurn('a', async () => said.push('limited'), 300), inTurn('a', async () => said.push('behind it'))];

    await vi.advanceTimersByTimeAsync(299);
    expect(said).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(work);

    expect(said).toEqual(['limited', 'behind it']);
  });
});
