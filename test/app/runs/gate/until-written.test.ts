import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { untilWritten } from '../../../../app/runs/gate/until-written.ts';
import { StoreUnavailableError } from '../../../../app/store/index.ts';
import { keptLog } from '../../../support/kept-log.ts';

const UNWRITTEN = { what: 'The end of a call', about: { run: 'r', call: '1/a', tool: 'deploy' } };

type Wishes = Partial<Parameters<typeof untilWritten>[1]>;

/** A store that fails in these ways before it takes the end of a call. */
async function writeTo(failures: readonly Error[], wishes: Wishes = {}) {
  const { log, lines } = keptLog();
  const left = [...failures];
  const waited: number[] = [];
  const timers = {
    after: (ms: number, fire: () => void) => {
      waited.push(ms);
      fire();
      return () => {};
    },
  };
  const write = async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'written';
  };
  const end = await untilWritten({ timers, log }, { ...UNWRITTEN, ...wishes }, write).catch((error: unknown) => error);
  return { end, waited, lines };
}

it('writes the end of a call as soon as the store takes it, and logs once that it has to wait', async () => {
  const away = new StoreUnavailableError('away');

  const { end, waited, lines } = await writeTo([away, away]);

  expect(end).toBe('written');
  expect(waited).toEqual([LIMITS.rewriteAfterMs, LIMITS.rewriteAfterMs]);
  expect(lines).toHaveLength(1);
});

it('gives up the end of a call at once when the store will never take it', async () => {
  const broken = new Error('The journal was set back.');

  expect(await writeTo([broken])).toEqual({ end: broken, waited: [], lines: [] });
});

it('tells of the first refusal alone, and gives up when the process no longer waits (EDGE-3)', async () => {
  const away = new StoreUnavailableError('away');
  let told = 0;
  const onRefused = async () => {
    told += 1;
  };

  const { end, waited } = await writeTo([away, away, away], { onRefused, isOver: () => told === 1 });

  expect(end).toBe(away);
  expect(waited).toHaveLength(1);
  expect(told).toBe(1);
});
