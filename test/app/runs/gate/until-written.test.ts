import { expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { untilWritten } from '../../../../app/runs/gate/until-written.ts';
import { StoreUnavailableError } from '../../../../app/store/index.ts';
import { keptLog } from '../../../support/kept-log.ts';

const ABOUT = { run: 'r', call: '1/a', tool: 'deploy' };

/** A store that fails in these ways before it takes the end of a call. */
async function writeTo(...failures: readonly Error[]) {
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
  const end = await untilWritten({ timers, log }, ABOUT, write).catch((error: unknown) => error);
  return { end, waited, lines };
}

it('writes the end of a call as soon as the store takes it, and logs once that it has to wait', async () => {
  const away = new StoreUnavailableError('away');

  const { end, waited, lines } = await writeTo(away, away);

  expect(end).toBe('written');
  expect(waited).toEqual([LIMITS.rewriteAfterMs, LIMITS.rewriteAfterMs]);
  expect(lines).toHaveLength(1);
});

it('gives up the end of a call at once when the store will never take it', async () => {
  const broken = new Error('The journal was set back.');

  expect(await writeTo(broken)).toEqual({ end: broken, waited: [], lines: [] });
});
