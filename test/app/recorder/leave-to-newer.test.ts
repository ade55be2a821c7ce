import { describe, expect, it } from 'vitest';
import { testClock } from '../../../app/clock.ts';
import { NewerEntryError } from '../../../app/journal/line/line.ts';
import { NewerJournalError } from '../../../app/journal/line/newer.ts';
import { LIMITS } from '../../../app/limits.ts';
import { type Log, silentLog } from '../../../app/log.ts';
import { createLeaveToNewer } from '../../../app/recorder/leave-to-newer.ts';
import { runId } from '../../support/journal.ts';

const newer = (run: number) => new NewerJournalError(runId(run), new NewerEntryError('an entry of format 2'));

function leaving() {
  const clock = testClock(1_000);
  const said: string[] = [];
  const log: Log = { ...silentLog, warn: (message) => void said.push(message) };
  return { clock, said, leave: createLeaveToNewer({ elapsed: clock.now, log }) };
}

describe('a run that only a newer version reads', () => {
  it('is logged once', () => {
    const { leave, said } = leaving();

    for (let times = 0; times < 100; times += 1) leave(newer(1));
    expect(said).toHaveLength(1);

    leave(newer(2));
    expect(said).toHaveLength(2);
  });

  it('is offered to other processes soon, and then at growing intervals while none takes it', () => {
    const { leave } = leaving();

    const apart = Array.from({ length: 9 }, () => leave(newer(1)));

    expect(apart.slice(0, 3)).toEqual([LIMITS.graceMs, 2 * LIMITS.graceMs, 4 * LIMITS.graceMs]);
    expect(apart.at(-1)).toBe(LIMITS.newerApartMs);
  });

  it('is offered soon again when another process has had it meanwhile', () => {
    const { clock, leave, said } = leaving();
    for (let times = 0; times < 9; times += 1) leave(newer(1));
    clock.advance(3 * LIMITS.newerApartMs);

    expect(leave(newer(1))).toBe(LIMITS.graceMs);
    expect(said).toHaveLength(1);
  });
});
